"""What programs are for: tables for `slowwave.llm.offline.command_lines.purposes`. Data."""

from __future__ import annotations

from slowwave.llm.offline.command_lines.vocabulary import names

TESTS, LINT, FIX, FORMAT, FORMAT_CHECK = "tests", "linter", "lint fixes", "formatter", "format check"
TYPES, BUILD, DOCS, INSTALL, CHECKS = "type check", "build", "docs", "install", "checks"
E2E, INTEGRATION, MIGRATIONS, GENERATED = "end-to-end tests", "integration tests", "migrations", "generated code"

PROGRAMS: dict[str, str] = {
    **dict.fromkeys(
        [
            "pytest",
            "py.test",
            "unittest",
            "tox",
            "nox",
            "jest",
            "vitest",
            "mocha",
            "ava",
            "rspec",
            "phpunit",
            "pest",
            "ctest",
            "gotestsum",
            "bats",
            "shellspec",
            "karma",
            "behave",
            "robot",
            "busted",
            "ginkgo",
            "nose2",
            "minitest",
            "jasmine",
            "tap",
            "cargo-nextest",
        ],
        TESTS,
    ),
    **dict.fromkeys(["testcafe", "nightwatch", "wdio"], E2E),
    **dict.fromkeys(
        [
            "eslint",
            "flake8",
            "pylint",
            "rubocop",
            "golangci-lint",
            "shellcheck",
            "stylelint",
            "ktlint",
            "hadolint",
            "yamllint",
            "markdownlint",
            "markdownlint-cli2",
            "oxlint",
            "standard",
            "tslint",
            "staticcheck",
            "swiftlint",
            "detekt",
            "actionlint",
            "tflint",
            "ansible-lint",
            "vale",
            "clj-kondo",
            "luacheck",
            "phpcs",
            "cpplint",
            "clang-tidy",
            "bandit",
            "pycodestyle",
            "pydocstyle",
            "credo",
            "phpstan",
            "psalm",
            "xo",
            "knip",
            "semgrep",
            "slint",
        ],
        LINT,
    ),
    **dict.fromkeys(
        [
            "black",
            "isort",
            "rustfmt",
            "stylua",
            "yapf",
            "autopep8",
            "swift-format",
            "swiftformat",
            "php-cs-fixer",
            "nixfmt",
            "alejandra",
            "treefmt",
            "google-java-format",
        ],
        FORMAT,
    ),
    **dict.fromkeys(
        ["mypy", "pyright", "basedpyright", "pytype", "pyre", "ty", "vue-tsc", "svelte-check", "dmypy"], TYPES
    ),
    **dict.fromkeys(["webpack", "rollup", "tsup", "ninja", "esbuild", "xcodebuild", "msbuild"], BUILD),
    **dict.fromkeys(["sphinx-build", "typedoc", "jsdoc", "pdoc", "sphinx-apidoc"], DOCS),
    **dict.fromkeys(["pre-commit", "lefthook", "prek"], CHECKS),
}
"""Programs that do one thing."""

SUBCOMMANDS: dict[str, dict[str, str]] = {
    "cargo": {
        **dict.fromkeys(("test", "nextest"), TESTS),
        "clippy": LINT,
        "fmt": FORMAT,
        "build": BUILD,
        "check": CHECKS,
        "doc": DOCS,
        "fetch": INSTALL,
    },
    "go": {"test": TESTS, "vet": LINT, "build": BUILD, "fmt": FORMAT, "generate": GENERATED},
    "dotnet": {"test": TESTS, "build": BUILD, "format": FORMAT, "restore": INSTALL},
    "mix": {
        "test": TESTS,
        "format": FORMAT,
        "compile": BUILD,
        "credo": LINT,
        "dialyzer": TYPES,
        "docs": DOCS,
        "deps.get": INSTALL,
        "ecto.migrate": MIGRATIONS,
    },
    "swift": {"test": TESTS, "build": BUILD},
    "zig": {"test": TESTS, "build": BUILD, "fmt": FORMAT},
    "flutter": {"test": TESTS, "build": BUILD, "analyze": LINT},
    "dart": {"test": TESTS, "analyze": LINT, "format": FORMAT, "compile": BUILD},
    "deno": {"test": TESTS, "lint": LINT, "fmt": FORMAT, "check": TYPES},
    "bun": {"test": TESTS, "build": BUILD},
    "ruff": {"check": LINT, "format": FORMAT},
    "biome": {"lint": LINT, "format": FORMAT, "check": CHECKS, "ci": CHECKS},
    "playwright": {"test": E2E},
    "cypress": {"run": E2E},
    "maestro": {"test": E2E},
    "alembic": {"upgrade": MIGRATIONS},
    "prisma": {"migrate": MIGRATIONS, "generate": GENERATED},
    "knex": {"migrate:latest": MIGRATIONS},
    "dbmate": {"up": MIGRATIONS, "migrate": MIGRATIONS},
    "diesel": {"migration": MIGRATIONS},
    "flyway": {"migrate": MIGRATIONS},
    "drizzle-kit": {"migrate": MIGRATIONS, "generate": GENERATED},
    "manage.py": {"test": TESTS, "migrate": MIGRATIONS, "check": CHECKS},
    "artisan": {"test": TESTS, "migrate": MIGRATIONS},
    "rails": {"test": TESTS, "db:migrate": MIGRATIONS, "test:system": E2E},
    "mkdocs": {"build": DOCS},
    "mdbook": {"build": DOCS, "test": DOCS},
    "docusaurus": {"build": DOCS},
    "hugo": {"": BUILD, "build": BUILD},
    "jekyll": {"build": BUILD},
    "vite": {"build": BUILD},
    "next": {"build": BUILD, "lint": LINT},
    "nuxt": {"build": BUILD},
    "astro": {"build": BUILD, "check": TYPES},
    "ng": {"build": BUILD, "test": TESTS, "lint": LINT, "e2e": E2E},
    "expo": {"export": BUILD},
    "wasm-pack": {"build": BUILD, "test": TESTS},
    "stack": {"build": BUILD, "test": TESTS},
    "cabal": {"build": BUILD, "test": TESTS},
    "sbt": {"test": TESTS, "compile": BUILD, "scalafmtAll": FORMAT},
    "lein": {"test": TESTS},
    "bazel": {"test": TESTS, "build": BUILD},
    "bazelisk": {"test": TESTS, "build": BUILD},
    "pants": {"test": TESTS, "lint": LINT, "fmt": FORMAT, "check": TYPES},
    "buck2": {"test": TESTS, "build": BUILD},
    "terraform": {"fmt": FORMAT, "validate": CHECKS},
    "tofu": {"fmt": FORMAT, "validate": CHECKS},
    "helm": {"lint": LINT},
    "buf": {"lint": LINT, "format": FORMAT, "generate": GENERATED, "build": BUILD},
    "sqlfluff": {"lint": LINT, "fix": FIX, "format": FORMAT},
    "srb": {"tc": TYPES},
    "nix": {"build": BUILD, "flake": CHECKS, "fmt": FORMAT},
    "mvn": {**dict.fromkeys(("verify",), CHECKS), "test": TESTS, "package": BUILD, "compile": BUILD, "install": BUILD},
    "gradle": {
        "test": TESTS,
        "check": CHECKS,
        "build": BUILD,
        "assemble": BUILD,
        "lint": LINT,
        "spotlessApply": FORMAT,
        "spotlessCheck": FORMAT_CHECK,
        "ktlintCheck": LINT,
    },
    "hatch": {"test": TESTS, "fmt": FORMAT, "build": BUILD},
    "dprint": {"fmt": FORMAT, "check": FORMAT_CHECK},
    "taplo": {"fmt": FORMAT, "lint": LINT},
    "uv": {"sync": INSTALL, "build": BUILD},
    "poetry": {"install": INSTALL, "build": BUILD},
    "pipenv": {"sync": INSTALL, "install": INSTALL},
    "pdm": {"install": INSTALL, "sync": INSTALL, "build": BUILD},
    "bundle": {"install": INSTALL},
    "composer": {"install": INSTALL},
    "pod": {"install": INSTALL},
    "mise": {"install": INSTALL},
    "build": {"": BUILD},
}
"""Programs whose subcommand says what they do; "" stands for none."""

SCRIPT_RUNNERS: dict[str, tuple[str, ...]] = {
    "npm": ("run", "run-script"),
    "pnpm": ("run", ""),
    "yarn": ("run", ""),
    "bun": ("run",),
    "make": ("",),
    "gmake": ("",),
    "just": ("",),
    "task": ("",),
    "go-task": ("",),
    "mise": ("run", "r"),
    "rake": ("",),
    "invoke": ("",),
    "inv": ("",),
    "composer": ("run", "run-script", ""),
    "deno": ("task",),
    "poe": ("",),
    "pdm": ("run",),
    "hatch": ("run",),
    "rye": ("run",),
    "ant": ("",),
    "gulp": ("",),
    "grunt": ("",),
    "earthly": ("",),
    "turbo": ("run", ""),
    "nx": ("run-many", "affected"),
    "moon": ("run",),
    "lerna": ("run",),
    "devbox": ("run",),
    "cargo": ("make", "xtask"),
}
"""Programs that run a script or target of the project by its name, and the words before the name ("" for none)."""

CARRIERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        [
            "npx",
            "bunx",
            "pnpx",
            "uvx",
            "sudo",
            "nice",
            "nohup",
            "time",
            "command",
            "exec",
            "stdbuf",
            "caffeinate",
            "xvfb-run",
            "winpty",
            "cross-env",
            "env",
            "dotenv",
            "doppler",
            "op",
        ],
        ("",),
    ),
    "pnpm": ("exec", "dlx"),
    "yarn": ("exec", "dlx"),
    "npm": ("exec", "x"),
    "bun": ("x",),
    "uv": ("run", "tool"),
    "poetry": ("run",),
    "pipenv": ("run",),
    "pdm": ("run",),
    "rye": ("run",),
    "hatch": ("run",),
    "bundle": ("exec",),
    "mise": ("exec", "x"),
    "direnv": ("exec",),
    "nix": ("develop",),
    "timeout": ("",),
    "rtk": ("",),
    "php": ("",),
}
"""Programs that run the program that follows, and the words between."""

VALUE_FLAGS = names(
    "-C -f -j -p --package --project --with --directory --python --env-file -e --file --from -w --prefix --cwd --filter "
    "--manifest-path --config -c -n --jobs -m --group --extra --profile"
)
"""Flags of runners and carriers that take the next word along."""

LOOKING = names(
    "--list --list-all --list-tests --listtests --collect-only --co --dry-run --dryrun --help --version --showconfig --show-config "
    "--print-config --init --watch --watchall --watch-all --ui --open --inspect --what-if --whatif --simulate --just-print --recon "
    "--question --summary --dump --list-files --show-files --show-settings --fixtures --markers --print --why --env-info -h -V"
)
"""Flags with which a program lists, explains, watches or only says what it would do."""

LOOKING_SHORT: dict[str, frozenset[str]] = {
    **dict.fromkeys(("make", "gmake"), names("-n -q -p")),
    "just": names("-l -n"),
    **dict.fromkeys(("task", "go-task"), names("-l -a -n")),
    "rake": names("-T -n -P"),
    **dict.fromkeys(("invoke", "inv"), names("-l")),
}

CHECKING = names(
    "--check --diff --list-different -l --verify-no-changes --check-formatted --dry-run --set-exit-if-changed --check-only --test --lint"
)
WRITING = names("--write -w -i --in-place --replace fix --fix")
"""Flags by which a formatter only checks, and flags by which one that prints by default writes."""
PRINTS_BY_DEFAULT = names("prettier gofmt goimports gofumpt clang-format shfmt")
FIXING = names(
    "--fix --fix-dry-run -a -A --autocorrect --auto-correct --autocorrect-all --write --apply --fix-errors -F"
)

NARROWING = names(
    "-run --run -k -t -g --grep --filter --only --testnamepattern --test-name-pattern --testpathpattern --workspace --package -w "
    "--bin --example --spec --scope --projects --tests --include --changed --onlychanged --last-failed --lf"
)
"""Flags that pick a part: one test, one package."""

WHOLE = names("") | {
    ".",
    "./",
    "./...",
    "...",
    "..",
    "all",
    ":all",
    "//...",
    "src",
    "src/",
    "tests",
    "tests/",
    "test",
    "lib",
    "app",
    "docs",
    "docs/",
    "head",
    "heads",
    "--",
    "run",
    "out",
}
"""Arguments that mean the project as a whole."""

SCRIPT_WORDS: dict[str, str] = {
    **dict.fromkeys(["test", "tests", "unit", "spec", "specs", "coverage", "cov", "pytest", "jest", "vitest"], TESTS),
    **dict.fromkeys(["e2e", "playwright", "cypress"], E2E),
    **dict.fromkeys(["integration"], INTEGRATION),
    **dict.fromkeys(["lint", "linter", "eslint", "clippy", "vet", "ruff"], LINT),
    **dict.fromkeys(["fmt", "format", "prettier", "reformat"], FORMAT),
    **dict.fromkeys(["typecheck", "types", "tsc", "mypy", "pyright", "typing"], TYPES),
    **dict.fromkeys(["build", "compile", "bundle"], BUILD),
    **dict.fromkeys(["docs", "doc"], DOCS),
    **dict.fromkeys(["check", "checks", "verify", "ci", "validate", "precommit"], CHECKS),
    **dict.fromkeys(["migrate", "migrations"], MIGRATIONS),
    **dict.fromkeys(["generate", "codegen"], GENERATED),
    **dict.fromkeys(["install", "setup", "bootstrap", "deps"], INSTALL),
}
"""Words in the names of scripts and targets."""

OTHER_JOBS = names(
    "watch dev serve start clean deploy publish release update upgrade add new create delete remove list show open debug preview "
    "storybook status logs harness snapshot snapshots init run-dev down up stop report seed reset rollback undo fixture fixtures "
    "data server bench benchmark help info version prepare pack image push login harness agent plan stats summary"
)
"""Words in a script's name by which it does something else than the other words say."""

INTERPRETERS = names("bash sh zsh python python3 py node ruby perl tsx ts-node deno php pwsh powershell")
SHELLS = names("bash sh zsh dash pwsh powershell cmd")
