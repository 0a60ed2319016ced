from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from slowwave.storage.queue.owner import Owner, current_owner, owner_is_dead, process_started, this_host


def test_this_process_is_alive_and_says_so_in_every_child(owner: Owner) -> None:
    assert not owner_is_dead(owner)
    code = (
        "import sys; from slowwave.storage.queue.owner import Owner, current_owner, owner_is_dead\n"
        f"parent = {owner!r}\n"
        "assert not owner_is_dead(parent) and current_owner() != parent"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_process_is_dead_when_it_ended_even_before_it_is_reaped() -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    started = process_started(process.pid)
    assert started is not None
    living = replace(current_owner(), pid=process.pid, started=started)
    assert not owner_is_dead(living)
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert owner_is_dead(living)
    process.communicate()
    assert owner_is_dead(living)


def test_a_reused_process_id_is_another_process(owner: Owner) -> None:
    assert owner_is_dead(replace(owner, started=owner.started - 10))


def test_a_reboot_kills_everybody(owner: Owner) -> None:
    _, _, namespace = owner.boot.partition("/")
    assert owner_is_dead(replace(owner, boot=f"another-boot/{namespace}"))


@pytest.mark.parametrize("what", ["host", "container"])
def test_what_cannot_be_seen_from_here_counts_as_alive(owner: Owner, what: str) -> None:
    boot, _, _ = owner.boot.partition("/")
    gone = replace(owner, pid=2**22 + 1)
    assert owner_is_dead(gone)
    unseen = {"host": replace(gone, host="another"), "container": replace(gone, boot=f"{boot}/pid:[1]")}[what]
    assert not owner_is_dead(unseen)


def test_the_host_is_named_the_same_in_every_process() -> None:
    code = "from slowwave.storage.queue.owner import this_host; print(this_host())"
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()
    assert printed == this_host()
