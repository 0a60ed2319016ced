"""The embedded Prefect server's process, started by `slowwave.orchestration.embedded` only.

It listens on a free loopback port before the slow import of the server, tells the port on its standard output, and
serves until its standard input ends or its parent is gone. Signals that reach a whole process group or control group
(Ctrl-C, a service manager's stop) are ignored: the run that uses this server still has to report how it ended.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
import threading

PARENT_POLL_SECONDS = 1.0


def wait_for_parent(parent: int) -> None:
    """Return when standard input ends or `parent` is not this process's parent any more.

    A forked sibling may hold the other end of the pipe open after the parent was killed, so the pipe alone is not
    enough.
    """
    if sys.platform == "win32":
        sys.stdin.buffer.read()
        return
    while os.getppid() == parent:
        readable, _, _ = select.select([sys.stdin], [], [], PARENT_POLL_SECONDS)
        if readable and not os.read(sys.stdin.fileno(), 64):
            return


def main() -> int:
    """Serve until the parent lets go; return 1 when the server could not start."""
    parent = os.getppid()
    os.umask(0o077)
    for ignored in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ignored, signal.SIG_IGN)
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    # Nobody reads the pipe after the port; whatever a library prints belongs into the log.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    import uvicorn
    from prefect.server.api.server import create_app

    server = uvicorn.Server(uvicorn.Config(create_app(), log_level="error", lifespan="on"))
    # Outside the main thread uvicorn installs no signal handlers.
    serving = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="server")
    serving.start()
    watcher = threading.Thread(target=wait_for_parent, args=(parent,), name="parent", daemon=True)
    watcher.start()
    while serving.is_alive() and watcher.is_alive():
        watcher.join(timeout=PARENT_POLL_SECONDS)
    stopped_by_itself = watcher.is_alive()
    server.should_exit = True
    serving.join(timeout=5)
    sys.stdout.flush()
    sys.stderr.flush()
    # Prefect's worker threads would keep the interpreter for many seconds; everything is in its database by now.
    os._exit(1 if stopped_by_itself else 0)


if __name__ == "__main__":
    sys.exit(main())
