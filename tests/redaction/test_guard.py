"""The guarded pool fails closed: a scan that hangs, dies or is refused leaves nothing of the text."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from slowwave.errors import RedactionError, RedactionTimeout, SecretFound
from slowwave.redaction import guard as guard_module
from slowwave.redaction.allowlist import Allowlist
from slowwave.redaction.findings import OMITTED
from slowwave.redaction.guard import Guard
from tests.support.planted import Leaks, Maker, planted


def test_redacts_in_another_process(guard: Guard) -> None:
    secrets = planted(1)
    results = guard.redact_many([secret.line for secret in secrets])
    for secret, result in zip(secrets, results, strict=True):
        assert not Leaks([secret]).in_text(result.text)
        assert result.findings


def test_assert_clean_names_places_and_no_values(guard: Guard) -> None:
    secret = planted(2)[0]
    with pytest.raises(SecretFound) as caught:
        guard.assert_clean(secret.line.encode() + b"\xff", "the prompt")
    assert "the prompt" in str(caught.value)
    assert "github" in str(caught.value)
    assert not Leaks([secret]).in_text(str(caught.value))
    guard.assert_clean("nothing to see", "the prompt")


def heavy() -> str:
    """A text whose scan takes seconds."""
    return "token: 'a1b2 key password= secret_key: " * 200_000


def test_a_scan_over_its_time_is_killed_and_omitted() -> None:
    with Guard(timeout=0.4) as pool:
        pool.start()
        (worker,) = [slot for slot in pool._slots.queue if slot is not None]
        pid = worker._process.pid
        began = time.monotonic()
        with pytest.raises(RedactionTimeout):
            pool.redact(heavy())
        assert time.monotonic() - began < 15
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
        omitted = pool.redact_or_omit(heavy())
        assert (omitted.text, omitted.failed) == (OMITTED, True)


def test_one_bad_text_does_not_cost_its_neighbours() -> None:
    with Guard(timeout=1.5) as pool:
        pool.start()
        secret = planted(3)[0]
        first, second, third = pool.redact_many([secret.line, heavy(), "fine"])
        assert not Leaks([secret]).in_text(first.text)
        assert first.findings
        assert second.failed
        assert second.text == OMITTED
        assert third.text == "fine"


def test_a_worker_that_dies_is_an_error_and_is_replaced() -> None:
    with Guard() as pool:
        pool.start()
        (worker,) = [slot for slot in pool._slots.queue if slot is not None]
        killer = threading.Timer(0.2, os.kill, (worker._process.pid, signal.SIGKILL))
        killer.start()
        with pytest.raises(RedactionError):
            pool.redact(heavy())
        killer.join()
        assert pool.redact("fine").text == "fine"


def test_a_scanner_that_does_not_start_stops_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard_module, "_ROOT", "/nowhere")
    monkeypatch.setattr(guard_module.sys, "executable", "/bin/false")
    with Guard() as pool, pytest.raises(RedactionError):
        pool.start()


def test_threads_share_a_pool() -> None:
    secrets = planted(4)
    failures: list[str] = []
    with Guard(workers=2) as pool:

        def work(number: int) -> None:
            mine = secrets[number::4]
            failures.extend(s.kind for s in mine if Leaks([s]).in_text(pool.redact(s.line).text))

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failures


def test_workers_end_with_the_pool() -> None:
    pool = Guard()
    pool.start()
    (worker,) = [slot for slot in pool._slots.queue if slot is not None]
    pool.close()
    with pytest.raises(ProcessLookupError):
        os.kill(worker._process.pid, 0)


def test_personal_details_are_an_option(guard: Guard) -> None:
    text = "mail bob.smith@corp.io, call +49 151 2345 6789, see /home/bsmith/x and /home/runner/y, a@example.com"
    assert guard.redact(text).text == text
    with Guard(pii=True) as pool:
        out = pool.redact(text).text
    assert out == (
        "mail [REDACTED:email], call [REDACTED:phone], "
        "see /home/[REDACTED:home-name]/x and /home/runner/y, a@example.com"
    )


def test_an_allowed_value_stays_and_is_counted(tmp_path: Path) -> None:
    home = tmp_path
    line = "password = 'test-Fixture99!'"
    allow = Allowlist.load(home)
    allow.add(home, "password", "test-Fixture99!")
    with Guard(allow=Allowlist.load(home)) as pool:
        assert pool.redact(line).text == line
        assert pool.redact(line.replace("99", "98")).text == "password = '[REDACTED:password]'"
        assert pool.allowed == {"password": 1}


@pytest.mark.parametrize("size", [20_000, 1_000_000])
@pytest.mark.parametrize(
    "frame",
    [
        "KEY_B64={}\nnext=1",
        'api_token: "{}"\n',
        "Authorization: Bearer {}\n",
        "https://h.example/?token={}&x=1",
        '{{"client_secret":"{}"}}',
    ],
)
def test_a_value_goes_to_its_end_however_long(guard: Guard, frame: str, size: int) -> None:
    value = Maker(size).base64(size).rstrip("=")
    out = guard.redact(frame.format(value)).text
    assert len(out) < 100
    assert not any(value[at : at + 8] in out for at in range(0, len(value), 997))
