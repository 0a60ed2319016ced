"""Whatever the text: bounded time, a fixed point, no lost characters, windows that do not cut secrets, no network."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType

import pytest
from detect_secrets.plugins.base import BasePlugin
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.errors import RedactionError
from slowwave.redaction import canaries, published
from slowwave.redaction.findings import Redaction, merged, replace
from slowwave.redaction.guard import Guard
from slowwave.redaction.scan import core, engine, literals
from tests.support.planted import Leaks, planted


def test_hostile_lines_come_to_an_end(guard: Guard, adversarial: ModuleType) -> None:
    """Within the guard's own limit; `python -m benchmarks.redaction --adversarial` says how long each takes."""
    lines = adversarial.lines(20_000)
    assert len(lines) == 59
    assert not any(result.failed for result in guard.redact_many(list(lines.values())))


def test_redacting_twice_changes_nothing(corpus: ModuleType) -> None:
    for item in corpus.build(11):
        once = engine.redact(item.text).text
        assert engine.redact(once) == Redaction(once), item.id


pieces = st.one_of(
    st.text(max_size=30),
    st.sampled_from([secret.line for secret in planted(3)]),
    st.sampled_from(["password", "=", ": ", '"', "\\n", "\n", "token", "[REDACTED:key]", "://", "@", "eyJ", "\x00"]),
    st.sampled_from(["\x1b[0m", "\u200b", "İ", "-----BEGIN "]),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(pieces, max_size=8).map("".join))
def test_any_text_is_scanned_to_a_fixed_point(text: str) -> None:
    result = engine.redact(text)
    assert result.text == replace(text, result.findings)
    assert merged(result.findings) == result.findings
    assert engine.redact(result.text).text == result.text


@settings(max_examples=60, deadline=None)
@given(st.lists(pieces, max_size=6).map("".join), st.integers(0, 39))
def test_a_secret_is_found_whatever_stands_around_it(noise: str, which: int) -> None:
    secret = planted(9)[which]
    assert not Leaks([secret]).in_text(engine.redact(f"{noise}\n\n{secret.line}\n\n{noise}").text)


@settings(max_examples=100, deadline=None)
@given(st.lists(pieces, max_size=8).map("".join))
def test_every_literal_pass_finds_the_same(text: str) -> None:
    table = [(word, rule.fold) for rule in core.standard_rules() for word in rule.anchors]
    plain = sorted(core.plain_literals(table)(text))
    assert sorted(literals.automaton_literals(list(dict.fromkeys(table)))(text)) == sorted(
        core.plain_literals(list(dict.fromkeys(table)))(text)
    )
    assert sorted(literals.vectorised_literals(table)(text)) == plain


@pytest.mark.parametrize("build", [literals.automaton_literals, literals.vectorised_literals])
def test_threads_may_scan_at_the_same_time(build: Callable[[Sequence[core.Anchor]], core.Literals]) -> None:
    scan = build([("AKIA", False), ("token", True), ("secret", True)])
    texts = ["x" * size + "token AKIA secret" * size for size in range(1, 200)] * 10
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: sorted(scan(text)), texts))
    assert found == [sorted(scan(text)) for text in texts]


@settings(max_examples=100, deadline=None)
@given(st.lists(pieces, max_size=8).map("".join))
def test_hooks_and_batch_agree(text: str) -> None:
    """The batch path has a faster literal pass; it finds what the core finds."""
    batch = engine.scan(text)
    for finding in core.scan(text):
        assert any(other.start <= finding.start and finding.end <= other.end for other in batch)


@pytest.mark.parametrize("shift", [-300, -90, -36, -20, -8, -1, 0, 3])
def test_a_secret_on_the_edge_of_a_window_is_found(shift: int) -> None:
    for secret in planted(5):
        text = ("lorem ipsum dolor sit amet\n" * 11_000)[: core.WINDOW - len(secret.line) // 2 + shift]
        text += f"\n{secret.line}\n" + "sit amet\n" * 3_000
        assert not Leaks([secret]).in_text(engine.redact(text).text), secret.kind


def test_a_cut_key_is_a_key_still() -> None:
    (key,) = [secret for secret in planted(5) if secret.kind == "pem-rsa"]
    cut = key.line[: len(key.line) * 2 // 3] + "\n... [output truncated]"
    for frame in (cut, cut.replace("\n", "\n+"), cut.replace("\n", "\n    "), cut.replace("\n", "\\n")):
        assert not Leaks([key]).in_text(engine.redact(frame).text)


def test_bad_bytes_hide_nothing() -> None:
    # Read as Latin-1, a key word of another script is no word any more; its value has nothing else to tell it by.
    for secret in [secret for secret in planted(6) if secret.line.isascii()]:
        raw = b"\xff\xfe broken \xc3\x28 bytes\n" + secret.line.encode() + b"\n\x80"
        for text in (raw.decode("utf-8", "replace"), raw.decode("utf-8", "surrogateescape"), raw.decode("latin-1")):
            assert not Leaks([secret]).in_text(engine.redact(text).text), secret.kind


def test_no_plugin_means_nothing_is_published(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(published, "DETECTORS", published.DETECTORS.with_name("absent.py"))
    published._prepared.cache_clear()
    try:
        with pytest.raises(RedactionError):
            published.redact("nothing to see")
    finally:
        published._prepared.cache_clear()


def test_a_scanner_that_finds_nothing_fails_its_canaries() -> None:
    with pytest.raises(RedactionError, match="self-test"):
        canaries.self_test(Redaction)
    with pytest.raises(RedactionError, match="clean line"):
        canaries.self_test(lambda text: Redaction("x"))


def test_the_scan_opens_no_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("the scan opened a socket")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    published._prepared.cache_clear()
    for secret in planted(8):
        assert published.redact(secret.line).findings


def test_the_core_is_standard_library_only() -> None:
    code = (
        "import sys; from slowwave.redaction.scan.core import redact; redact('password = x'); "
        "print([m for m in sys.modules if m.split('.')[0] not in sys.stdlib_module_names and not m.startswith('__')])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = {name.split(".")[0] for name in eval(out)}
    # All but the first are how an environment starts Python, whatever it runs.
    assert loaded <= {"slowwave", "sitecustomize", "_virtualenv", "_distutils_hack"}, loaded


def test_detect_secrets_own_scanner_runs_our_rules_and_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    from detect_secrets.core import scan

    ran: list[str] = []
    original = scan._scan_line

    def spy(plugin: BasePlugin, **arguments: object) -> object:
        ran.append(type(plugin).__name__)
        return original(plugin=plugin, **arguments)

    monkeypatch.setattr(scan, "_scan_line", spy)
    github = next(secret for secret in planted(13) if secret.kind == "github")
    kinds = {finding.type for finding in published.second_findings(f"# pragma: allowlist secret\n{github.line}\n")}
    assert set(ran) == {published.OWN, *published.BUILT_IN}
    assert kinds == {"secret", "github-token"}


def test_a_secret_that_only_detect_secrets_knows_is_not_published(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "scan", lambda text: ())
    monkeypatch.setattr(engine, "redact", Redaction)
    stripe = next(secret for secret in planted(13) if secret.kind == "github")
    out = published.redact(f"it said {stripe.line} twice: {stripe.line}")
    assert not Leaks([stripe]).in_text(out.text)
    assert out.text.count("[REDACTED:github-token]") == 2
    assert published.redact(out.text).text == out.text


def test_eight_threads_at_first_use() -> None:
    code = (
        "import threading, sys\n"
        "from slowwave.redaction.api import redact\n"
        "gate, out = threading.Barrier(8), []\n"
        "def work():\n"
        "    gate.wait()\n"
        "    out.append(redact('export DEPLOY_TOKEN=' + 'a1B2c3D4e5F6g7H8i9J0').text)\n"
        "threads = [threading.Thread(target=work) for _ in range(8)]\n"
        "[thread.start() for thread in threads]; [thread.join() for thread in threads]\n"
        "sys.exit(out != ['export DEPLOY_TOKEN=[REDACTED:token]'] * 8)\n"
    )
    for _ in range(6):
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
