"""The `slowwave` command. Commands live one to a module and are imported when they are called.

Exit codes: 0 done (a reached budget is no failure), 1 something failed and the message says what, 2 wrong usage or
settings, 3 some of the work failed (`slowwave status` says what, and what is tried again), 4 the model provider refuses
the key, 5 consent is missing, 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

EXIT_INTERRUPTED = 130

COMMANDS: dict[str, str] = {
    "init": "slowwave.cli.init:init",
    "run": "slowwave.cli.run:run",
    "status": "slowwave.cli.status:status",
    "view": "slowwave.cli.view:view",
    "rebuild": "slowwave.cli.rebuild:rebuild",
    "enqueue": "slowwave.cli.rebuild:enqueue",
    "clear": "slowwave.cli.clear:clear",
    "reset": "slowwave.cli.clear:reset",
    "ignore": "slowwave.cli.ignore:ignore",
    "remember": "slowwave.cli.remember:remember",
    "forget": "slowwave.cli.forget:forget",
    "pin": "slowwave.cli.pin:pin",
    "unpin": "slowwave.cli.pin:unpin",
    "why": "slowwave.cli.why:why",
    "log": "slowwave.cli.history:log",
    "diff": "slowwave.cli.history:diff",
    "rollback": "slowwave.cli.history:rollback",
    "retry": "slowwave.cli.retry:retry",
    "config": "slowwave.cli.config:config",
    "share": "slowwave.cli.share:share",
    "unshare": "slowwave.cli.share:unshare",
    "db": "slowwave.cli.db:db",
    "export": "slowwave.cli.transfer:export",
    "import": "slowwave.cli.transfer:import_",
    "sessions": "slowwave.cli.sessions:sessions",
    "show": "slowwave.cli.sessions:show",
    "ingest": "slowwave.cli.sessions:ingest",
    "secrets": "slowwave.cli.secrets:secrets",
    "cost": "slowwave.cli.cost:cost",
    "pins": "slowwave.cli.session:pins",
    "facts": "slowwave.cli.session:facts",
    "recap": "slowwave.cli.session:recap",
    "flush": "slowwave.cli.session:flush",
    "replay": "slowwave.cli.session:replay",
    "search": "slowwave.cli.search:search",
    "read": "slowwave.cli.read:read",
    "install": "slowwave.cli.install:install",
    "uninstall": "slowwave.cli.install:uninstall",
    "doctor": "slowwave.cli.doctor:doctor",
    "mcp": "slowwave.cli.read:mcp",
    "serve": "slowwave.cli.serve:serve",
    "schedule": "slowwave.cli.schedule:schedule",
    "deployments": "slowwave.cli.deployments:deployments",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code. `slowwave hook` is dispatched before anything heavy is imported."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["hook"]:
        hook = import_module("slowwave.agents.hook")
        return int(hook.main(arguments[1:]))
    command_line = import_module("slowwave.cli.group")
    return int(command_line.run(arguments))


if __name__ == "__main__":
    sys.exit(main())
