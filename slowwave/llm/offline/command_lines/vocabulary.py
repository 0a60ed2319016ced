"""Names of tools and programs that the command rules know."""

from __future__ import annotations


def names(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


def _lines(text: str) -> frozenset[str]:
    return frozenset(line.strip() for line in text.strip().split("\n"))


SHELL_TOOLS = names(
    "bash shell exec_command local_shell local_shell_call run_shell_command run_command terminal execute_command "
    "powershell shell_command container.exec bashexecution"
)
"""Tools, in lower case, through which agents run shell commands."""

EDIT_TOOLS = names(
    "edit write multiedit notebookedit apply_patch replace write_file create_file str_replace "
    "str_replace_based_edit_tool patch edit_file"
)
"""Tools, in lower case, through which agents change files."""

TRIVIAL = names(
    "ls cat bat head tail less more pwd find fd tree wc which whereis type stat file du df ps man history realpath "
    "grep rg ag ack sed awk cut sort uniq tr tee xargs diff cmp nl jq yq xxd base64 seq dirname basename "
    "mkdir rmdir rm mv cp ln touch chmod chown tar unzip zip gzip md5sum sha256sum apply_patch "
    "cd echo printf export unset set source read exit for while if do done then fi case function { ( true false "
    "test [ wait env printenv sleep date whoami id uname hostname kill pkill killall clear open lsof netstat ss ping "
    "curl wget time command trap"
)
"""Programs that look around, move files or belong to the shell: nothing is learnt from their having worked."""

MOVES = names("cd Set-Location sl Push-Location pushd chdir")
"""Commands that go to another folder."""

ELSEWHERE = names(
    "ssh scp sftp rsync mosh adb fastboot kubectl oc k9s gcloud aws az heroku fly flyctl vercel netlify railway wrangler doctl psql "
    "mysql mariadb sqlite3 mongosh mongo redis-cli duckdb clickhouse-client jira linear acli workmux tmux screen zellij systemctl "
    "journalctl launchctl service crontab gh glab hub tea claude codex gemini opencode aider cursor-agent copilot amp goose llm ollama "
    "openclaw pi omp slowwave qwen kimi droid crush entire bd code cursor subl vim nvim nano emacs osascript xcrun simctl defaults"
)
"""Programs that act on another machine, a device, a database, a tracker, a service or another agent."""

PASSING_GIT = names(
    "status log diff show branch remote rev-parse ls-files blame reflog config stash fetch describe checkout switch "
    "restore reset cherry-pick worktree rm mv grep init clone cat-file shortlog tag"
)
"""Git subcommands that inspect, or that belong to one moment."""

WRAPPERS = names("sudo nice nohup time command exec stdbuf caffeinate")
"""Programs that run the command that follows them."""

RUNNERS = names("run npm pnpm yarn bun make just mise uv npx python python3 sh bash cargo go poetry exec m")
"""Words of a command line that say how something is run, not what."""

DEFAULT_COMMANDS = _lines(
    """
    npm test
    npm t
    npm run test
    npm run build
    npm run lint
    yarn test
    pytest
    pytest -q
    python -m pytest
    go test ./...
    go build ./...
    go vet ./...
    go build
    cargo test
    cargo build
    cargo check
    cargo fmt
    cargo clippy
    make
    make test
    make build
    mvn test
    gradle test
    ./gradlew test
    rake
    mix test
    dotnet test
    dotnet build
    npm install
    npm i
    npm ci
    yarn
    yarn install
    pnpm install
    pnpm i
    bun install
    bundle install
    composer install
    poetry install
    uv sync
    pip install -r requirements.txt
    pip install -e .
    """
)
"""Commands that everybody would try first."""

STOP_WORDS = names(
    "a an the and or of to in on for with is are be it this that can could you please i we my our me let lets s do "
    "does so if at as from how what why should would want need us ok yes no hi hey hello also just now then there "
    "have has was were will ve re ll im some any"
)
"""English words that carry nothing in a slug."""
