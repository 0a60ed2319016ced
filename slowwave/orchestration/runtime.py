"""Run a flow from the command line: start or find the Prefect server, run, end cleanly. Free of Prefect until then.

Importing Prefect freezes its home folder and its profile, so the environment is set first and the flows are imported
after it. Nothing here is needed when a Prefect worker runs a deployment.
"""

from __future__ import annotations

import asyncio
import atexit
import gc
import os
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from slowwave.app import App
from slowwave.errors import OrchestrationError
from slowwave.orchestration import environment
from slowwave.orchestration.embedded import embedded_server, set_aside

if TYPE_CHECKING:
    from slowwave.memories.pipeline import Plan, RunReport

Kind = Literal["nightly", "backfill", "rebuild"]

DRAIN_SECONDS = 3.0
# What the embedded server's recorder has taken by then it writes, at the latest when the server stops.
RECORDER_SECONDS = 0.5
REACH_SECONDS = 15.0
TERMINATED = 143


def run_nightly(app: App, plan: Plan) -> RunReport:
    """Carry out a plan as the flow `nightly`; see `run_plan`."""
    return run_plan(app, plan, "nightly")


def run_plan(app: App, plan: Plan, kind: Kind) -> RunReport:
    """Carry out a plan as the flow `kind` and return the run's report, also when the run failed.

    Raises:
        OrchestrationError: Prefect's server cannot be started or reached.
        SlowwaveError: the flow refused to start, for example for a wrong setting.
        KeyboardInterrupt, SystemExit: Ctrl-C and SIGTERM, after the claims were released.
    """
    module = f"slowwave.flows.{kind}"
    # Without it the interpreter walks Prefect's 300,000 objects when it ends: two to three seconds of every run.
    atexit.register(gc.freeze)
    with prefect_api(app, preload=module):
        from slowwave.flows.plans import write_plan
        from slowwave.flows.running import RunFailed

        flow: Callable[..., Coroutine[Any, Any, RunReport]] = getattr(import_module(module), kind)
        plan_file = write_plan(app.home, plan)
        try:
            return asyncio.run(flow(run=plan.run_id, plan_file=str(plan_file)))
        except RunFailed as failed:
            return failed.report
        except asyncio.CancelledError:
            raise SystemExit(TERMINATED) from None


def configured_api_url(app: App) -> str | None:
    """The server that settings or environment name, None for the embedded one."""
    return app.settings.prefect.api_url or app.env.get("PREFECT_API_URL") or None


@contextmanager
def prefect_api(app: App, *, preload: str = "prefect", serving: bool = False) -> Iterator[None]:
    """Make a Prefect server reachable for the code inside, and Prefect importable with the right settings.

    `preload` is imported while the embedded server starts: both take seconds and use a core each. With `serving` the
    embedded server schedules deployments as well.

    Raises:
        OrchestrationError: the server cannot be started or reached.
    """
    url = configured_api_url(app)
    if url is not None:
        _check_certificates(app.env)
        _reach(url)
        with _environment(environment.own_server(url, app.env)), _settings_from_environment():
            import_module(preload)
            yield
        return
    with ExitStack() as stack:
        try:
            _begin(app, stack, preload, serving)
        except OrchestrationError:
            stack.close()
            aside = set_aside(app.home)
            if aside is None:
                raise
            print(f"Prefect's embedded database could not be used: set aside as {aside}", file=sys.stderr)
            _begin(app, stack, preload, serving)
        try:
            yield
        finally:
            _drain()


def _begin(app: App, stack: ExitStack, preload: str, serving: bool) -> None:
    """Start the embedded server, let this process use it, and return once it answers."""
    server = stack.enter_context(embedded_server(app.home, app.env, serving=serving))
    variables = environment.embedded_client(app.home, server.api_url, server.auth, app.env, serving=serving)
    stack.enter_context(_environment(variables))
    stack.enter_context(_settings_from_environment())
    import_module(preload)
    server.wait()


def _check_certificates(env: Mapping[str, str]) -> None:
    if (name := environment.missing_certificates(env)) is not None:
        raise OrchestrationError(
            f"{name} names {env[name]}, which does not exist",
            hint="Correct it or unset it: no connection to a server can be made.",
            reason="no_certificates",
        )


def _reach(url: str) -> None:
    """Ask the server for its health. Any answer will do: some want a login even for that."""
    try:
        urllib.request.urlopen(f"{url.rstrip('/')}/health", timeout=REACH_SECONDS).close()
    except urllib.error.HTTPError as answer:
        answer.close()
    except (OSError, ValueError) as error:
        raise OrchestrationError(
            f"the Prefect server at {url} cannot be reached: {error}",
            hint="Start it, or remove prefect.apiUrl (or PREFECT_API_URL) to use the embedded one.",
            reason="prefect_unreachable",
        ) from error


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Replace this process's environment: child processes of a flow need what the flow has."""
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def _settings_from_environment() -> Iterator[None]:
    """Apply the environment to Prefect, also when something had imported it before."""
    from prefect.context import root_settings_context

    with root_settings_context():
        yield


def _drain() -> None:
    """Send what the client still holds, so that its exit does not wait for a server that is gone."""
    from prefect.events.worker import EventsWorker

    EventsWorker.drain_all(timeout=DRAIN_SECONDS, at_exit=False)
    time.sleep(RECORDER_SECONDS)
