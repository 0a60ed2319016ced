"""One run of an agent's command line: a process group of its own, bounded in time and output, gone when we are."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from slowwave.errors import ModelDenied, ModelUnavailable

MOST_BYTES = 32_000_000
GRACE_SECONDS = 2.0
# An agent that runs inside another one behaves differently, and keys of the day's work are not ours to spend.
_DROPPED = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_PROJECT_DIR", "CODEX_SANDBOX")


@dataclass(frozen=True, slots=True)
class Ended:
    """What a run printed, and its exit code."""

    out: str
    err: str
    code: int


def child_environment(env: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """The environment of a run: the person's, without what marks a session, our hooks switched off."""
    kept = {name: value for name, value in env.items() if name not in _DROPPED}
    return kept | dict(own) | {"SLOWWAVE_HOOKS": "off"}


async def run(command: Sequence[str], *, prompt: str, folder: Path, env: Mapping[str, str], seconds: float) -> Ended:
    """Run a command in a folder with the prompt on standard input.

    The whole process group is ended when the time is over and when the caller is cancelled.

    Raises:
        ModelDenied: it does not start; reason `agent_missing`.
        ModelUnavailable: reasons `timeout` and `invalid_response` (it prints without end).
    """
    binary = shutil.which(command[0], path=env.get("PATH"))
    if binary is None:
        raise ModelDenied(
            f"{command[0]} is not on the PATH",
            hint="Install it, or choose another models.provider.",
            reason="agent_missing",
        )
    try:
        process = await asyncio.create_subprocess_exec(
            binary, *command[1:], cwd=folder, env=dict(env), start_new_session=True,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
    except OSError as error:
        raise ModelDenied(f"{command[0]} does not start: {error}", reason="agent_missing") from error
    try:
        async with asyncio.timeout(seconds):
            out, err, _ = await asyncio.gather(
                _read(process.stdout), _read(process.stderr), _write(process.stdin, prompt)
            )
            code = await process.wait()
    except TimeoutError as error:
        raise ModelUnavailable(f"{command[0]} gave no answer in {seconds:.0f} s", reason="timeout") from error
    finally:
        await asyncio.shield(_end(process))
    return Ended(out, err, code)


async def _write(stream: asyncio.StreamWriter | None, prompt: str) -> None:
    if stream is None:
        return
    try:
        stream.write(prompt.encode("utf-8", "replace"))
        await stream.drain()
        stream.close()
    except (BrokenPipeError, ConnectionResetError):
        # It ended without reading all of it; what it printed says why.
        return


async def _read(stream: asyncio.StreamReader | None) -> str:
    pieces: list[bytes] = []
    size = 0
    while stream is not None and (piece := await stream.read(65_536)):
        pieces.append(piece)
        size += len(piece)
        if size > MOST_BYTES:
            raise ModelUnavailable("the agent prints without end", reason="invalid_response")
    return b"".join(pieces).decode("utf-8", "replace")


async def _end(process: asyncio.subprocess.Process) -> None:
    """End the group, children that outlived the tool included."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
        except (ProcessLookupError, PermissionError):
            break
        try:
            async with asyncio.timeout(GRACE_SECONDS):
                await process.wait()
                await _gone(process.pid)
        except TimeoutError:
            continue
    await process.wait()
    # Pipes that nobody reads to their end would be closed by the garbage collector, after the event loop.
    process._transport.close()  # type: ignore[attr-defined]


async def _gone(group: int) -> None:
    while True:
        try:
            os.killpg(group, 0)
        except (ProcessLookupError, PermissionError):
            return
        await asyncio.sleep(0.02)
