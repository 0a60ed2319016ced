"""The `slowwave` command. Commands live one to a module and are imported when they are called.

Exit codes: 0 done (a reached budget is no failure), 1 something failed and the message says what, 2 wrong usage or
settings, 3 some of the work failed (`slowwave status` says what, and what is tried again), 4 the model provider refuses
the key, 5 consent is missing, 6 nothing has the name that was given, 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

EXIT_INTERRUPTED = 130

COMMANDS: dict[str, str] = {
    "init": "slowwave.cli.start.init:init",
    "run": "slowwave.cli.runs.run:run",
    "status": "slowwave.cli.see.status:status",
    "projects": "slowwave.cli.decide.projects:projects",
    "view": "slowwave.cli.see.view:view",
    "rebuild": "slowwave.cli.runs.rebuild:rebuild",
    "enqueue": "slowwave.cli.runs.rebuild:enqueue",
    "clear": "slowwave.cli.decide.clear:clear",
    "reset": "slowwave.cli.decide.clear:reset",
    "ignore": "slowwave.cli.decide.ignore:ignore",
    "remember": "slowwave.cli.decide.remember:remember",
    "forget": "slowwave.cli.decide.forget:forget",
    "pin": "slowwave.cli.decide.pin:pin",
    "unpin": "slowwave.cli.decide.pin:unpin",
    "open": "slowwave.cli.see.open:open_",
    "why": "slowwave.cli.see.why:why",
    "review": "slowwave.cli.decide.review:review",
    "edits": "slowwave.cli.decide.edits:edits",
    "log": "slowwave.cli.see.history:log",
    "diff": "slowwave.cli.see.history:diff",
    "rollback": "slowwave.cli.see.history:rollback",
    "retry": "slowwave.cli.runs.retry:retry",
    "config": "slowwave.cli.start.config:config",
    "share": "slowwave.cli.move.share:share",
    "unshare": "slowwave.cli.move.share:unshare",
    "db": "slowwave.cli.move.db:db",
    "export": "slowwave.cli.move.transfer:export",
    "import": "slowwave.cli.move.transfer:import_",
    "sessions": "slowwave.cli.see.sessions:sessions",
    "show": "slowwave.cli.see.sessions:show",
    "ingest": "slowwave.cli.see.sessions:ingest",
    "secrets": "slowwave.cli.secrets:secrets",
    "cost": "slowwave.cli.see.cost:cost",
    "pins": "slowwave.cli.session:pins",
    "facts": "slowwave.cli.session:facts",
    "recap": "slowwave.cli.session:recap",
    "flush": "slowwave.cli.session:flush",
    "replay": "slowwave.cli.session:replay",
    "search": "slowwave.cli.see.search:search",
    "read": "slowwave.cli.see.read:read",
    "install": "slowwave.cli.start.install:install",
    "uninstall": "slowwave.cli.start.install:uninstall",
    "completion": "slowwave.cli.start.completion:completion",
    "doctor": "slowwave.cli.start.doctor:doctor",
    "mcp": "slowwave.cli.see.read:mcp",
    "serve": "slowwave.cli.runs.serve:serve",
    "schedule": "slowwave.cli.runs.schedule:schedule",
    "deployments": "slowwave.cli.runs.deployments:deployments",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code. `slowwave hook` is dispatched before anything heavy is imported."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["hook"]:
        hook = import_module("slowwave.agents.hook.dispatch")
        return int(hook.main(arguments[1:]))
    command_line = import_module("slowwave.cli.group")
    return int(command_line.run(arguments))


if __name__ == "__main__":
    sys.exit(main())
