"""Who holds a claim: one process on one host, named so that its death can be told for certain.

A process id alone says little: ids are reused, containers on one machine count their own, and a reboot starts over. So
an owner also carries the boot it belongs to and the moment its process started.
"""

from __future__ import annotations

import hashlib
import os
import socket
import uuid
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import psutil

_START_TOLERANCE_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Owner:
    """One process. `started` is in seconds on a clock that wall-clock changes do not move where the system has one.

    `boot` is ``<boot id>/<process id namespace>``, each empty where the system does not tell.
    """

    host: str
    boot: str
    pid: int
    started: float


def current_owner() -> Owner:
    """Return this very process. Call it after a fork, not before."""
    pid = os.getpid()
    started = process_started(pid)
    if started is None:
        raise RuntimeError("this process cannot see its own start time")
    return Owner(this_host(), _boot(), pid, started)


@cache
def this_host() -> str:
    """Return a name for this machine that no other one on the same database has: its host name and a short hash.

    The hash is over the machine id, because many machines call themselves `localhost`. `$SLOWWAVE_HOST_ID` takes its
    place: containers get a new host name with every start, and their logs would be another host's.
    """
    if given := os.environ.get("SLOWWAVE_HOST_ID", "").strip():
        return given
    machine = _read("/etc/machine-id") or _read("/var/lib/dbus/machine-id") or f"{uuid.getnode():x}"
    return f"{socket.gethostname()}-{hashlib.sha256(machine.encode()).hexdigest()[:8]}"


def owner_is_dead(owner: Owner) -> bool:
    """Tell whether the process is certainly gone. False whenever this process cannot know: then the lease decides.

    Another host's processes, and those of another container on this machine, cannot be seen from here.
    """
    if owner.host != this_host():
        return False
    boot, _, namespace = owner.boot.partition("/")
    own_boot, _, own_namespace = _boot().partition("/")
    if boot and own_boot and boot != own_boot:
        return True
    if namespace != own_namespace:
        return False
    started = process_started(owner.pid)
    return started is None or abs(started - owner.started) > _START_TOLERANCE_SECONDS


def process_started(pid: int) -> float | None:
    """Return when a living process started, or None when there is none. A zombie is not living."""
    if Path("/proc/self/stat").exists():
        return _started_linux(pid)
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else process.create_time()
    except psutil.NoSuchProcess:
        return None
    except psutil.AccessDenied:
        return psutil.Process(pid).create_time()


def _started_linux(pid: int) -> float | None:
    """Seconds since boot (proc(5), field 22): psutil's wall-clock answer moves when the clock is set."""
    stat = _read(f"/proc/{pid}/stat")
    if not stat:
        return None
    # The second field is the program's name in parentheses and may itself hold spaces and parentheses.
    fields = stat.rpartition(")")[2].split()
    if fields[0] in {"Z", "X"}:
        return None
    return int(fields[19]) / os.sysconf("SC_CLK_TCK")


@cache
def _boot() -> str:
    boot = _read("/proc/sys/kernel/random/boot_id")
    try:
        namespace = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        namespace = ""
    return f"{boot}/{namespace}"


def _read(path: str) -> str:
    """Return a small system file's text, empty where this system has none."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
