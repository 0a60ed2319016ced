"""How fast and how thorough the secret scan is: `python -m benchmarks.redaction`.

Makes session logs of JSONL, then in one run and one process measures, on the same bytes and including the parsing of
every line: our scan of each decoded leaf, a raw `re` alternation of the same anchors (what a scanner without a literal
pass would pay before it has weighed a single hit), and kingfisher where it is installed. The *easy* log is prose, paths
and code with a secret every 500 lines; the *dense* one is made of texts that look like secrets, half of which hold one.
Then it prints how many values of each place are wholly removed and how many harmless texts change. With `--generators`,
a folder with the labelled corpus, it prints recall by tier; with `--adversarial` the time of hostile lines at 1 MB, and
it fails when one takes longer than `SLOWEST`. With `--foreign`, a folder of sets made from other scanners' rules, it
prints how many of each are removed: files of JSON lines `{"text": ..., "secret": ...}`, which are kept elsewhere.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from slowwave.redaction.scan import core, engine
from tests.redaction import templates
from tests.redaction.shapes import Shapes, survives
from tests.support.planted import planted

WORDS = tuple(
    # A list literal of 90 words would hide what they are: the vocabulary of a coding session.
    re.findall(
        r"\w+",
        "the parser reads each line and folds it into one record so that a later pass can sort them by time and drop "
        "those which nobody asked for when several workers finish at once we keep what was written first and note the "
        "rest the build fails when cache is cold so we pin node version and rerun tests before merging change into "
        "main branch because deploy depends on it "
        "user session token key secret manager password reset handler auth config",
    )
)

SLOWEST = 5.0
"""Seconds of CPU time that one hostile line of 1 MB may take."""
MARK = re.compile(r"\[REDACTED:[a-z0-9-]+\]")


def session_log(megabytes: float, seed: int = 3) -> str:
    """A log in the shape of an agent's: mostly tool output of prose, paths, code, ids, and a secret every 500 lines."""
    rng = random.Random(seed)
    secrets = [secret.line for secret in planted(seed)]

    def hexes(count: int) -> str:
        return "".join(rng.choices("0123456789abcdef", k=count))

    def line() -> str:
        if rng.random() < 0.002:
            return rng.choice(secrets)
        words = rng.choices(WORDS, k=rng.randint(6, 16))
        forms = (
            " ".join(words),
            f"src/{words[0]}/{words[1]}_{words[2]}.py:{rng.randint(1, 900)}: {' '.join(words[3:8])}",
            f"    {words[0]} = self.{words[1]}({words[2]}, {words[3]}={rng.randint(0, 99)})",
            f"2026-01-02T03:04:05.678Z INFO {words[0]} took={rng.randint(1, 999)}ms trace={hexes(32)}",
            f"commit {hexes(40)}",
        )
        return rng.choice(forms)

    return _records(megabytes, rng, line)


def dense_log(megabytes: float, seed: int = 4) -> str:
    """A log of nothing but texts that look like secrets: half of them hold one, none stands twice."""
    rng = random.Random(seed)
    shapes = Shapes(seed)
    secret = [
        text for group in (templates.SURE, templates.UNSURE, templates.TOKENS) for one in group.values() for text in one
    ]

    def line() -> str:
        if rng.random() < 0.5:
            return shapes.marked(rng.choice(secret))[0]
        return shapes.fill(rng.choice(templates.KEPT))

    return _records(megabytes, rng, line)


def _records(megabytes: float, rng: random.Random, line: Callable[[], str]) -> str:
    def hexes(count: int) -> str:
        return "".join(rng.choices("0123456789abcdef", k=count))

    out: list[str] = []
    size = 0
    while size < megabytes * 1e6:
        body = "\n".join(line() for _ in range(rng.choices((3, 20, 80, 1500), (50, 35, 12, 2))[0]))
        record = {
            "type": "response_item",
            "payload": {"type": "function_call_output", "call_id": f"call_{hexes(22)}", "output": body},
        }
        out.append(json.dumps(record))
        size += len(out[-1]) + 1
    return "\n".join(out)


def leaves(value: object) -> Iterator[str]:
    """Every string of a decoded record, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from leaves(item)


def rate(log: str, use: Callable[[str], object], repeats: int) -> float:
    """Megabytes of log a CPU second, parsing included; the best of some repeats."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        for line in log.splitlines():
            for leaf in leaves(json.loads(line)):
                use(leaf)
        best = min(best, time.process_time() - start)
    return len(log.encode()) / 1e6 / best


def speed(megabytes: float, repeats: int) -> None:
    """Print the rates and their ratios."""
    words = sorted({word for rule in core.standard_rules() for word in rule.anchors}, key=len, reverse=True)
    alternation = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
    print(f"{len(words)} anchors, {len(core.standard_rules())} rules; one process, CPU time")
    for name, log in (("easy", session_log(megabytes)), ("dense", dense_log(megabytes / 4))):
        engine.redact(log[:200_000])
        ours = rate(log, engine.redact, repeats)
        part = log[: len(log) // 4].rpartition("\n")[0]
        raw = rate(part, lambda leaf: sum(1 for _ in alternation.finditer(leaf)), 1)
        print(f"{name}: {len(log) / 1e6:.1f} MB; parse and redact every leaf {ours:.2f} MB/s")
        print(f"{name}: raw alternation of the same anchors {raw:.2f} MB/s, ratio {ours / raw:.1f}")
        if (other := _kingfisher()) is not None:
            print(f"{name}: kingfisher, the same leaves {rate(part, other, 1):.2f} MB/s")


def _kingfisher() -> Callable[[str], object] | None:
    try:
        from kingfisher_sdk import Rules, Scanner
    except ImportError:
        return None
    scan: Callable[[str], object] = Scanner(Rules(cache=False)).scan
    return scan


def places(values: int = 33) -> None:
    """Print for each place how many values are wholly removed, and how many harmless texts change."""
    for group in (templates.SURE, templates.UNSURE, templates.TOKENS, {"key pairs": templates.PAIRS}):
        for kind, found in group.items():
            good = 0
            for template in found:
                shapes = Shapes(template)
                for _ in range(values):
                    text, secrets = shapes.marked(template)
                    out = engine.redact(text).text
                    good += not any(survives(secret, out) for secret in secrets)
            print(f"{kind:20} {100 * good / len(found) / values:5.1f} % of {len(found) * values}")
    texts = [Shapes(template).fill(template) for template in templates.KEPT]
    print(f"harmless texts changed {sum(engine.redact(text).text != text for text in texts)} of {len(texts)}")


def recall(folder: Path) -> None:
    """Print recall by tier and the clean lines that change, on five seeds of the labelled corpus."""
    sys.path.insert(0, str(folder))
    corpus = import_module("corpus")
    for seed in (1, 2, 3, 777, 20260131):
        removed: Counter[str] = Counter()
        total: Counter[str] = Counter()
        for item in corpus.build(seed):
            out = engine.redact(item.text).text
            total[item.tier] += 1
            removed[item.tier] += not any(
                part[at : at + min(8, len(part))] in out for part in item.cores for at in range(max(1, len(part) - 7))
            )
        clean = [line for lines in corpus.clean(seed + 1).values() for line in lines]
        changed = sum(engine.redact(line).text != line for line in clean)
        tiers = "  ".join(f"{tier} {removed[tier]}/{total[tier]}" for tier in total)
        print(f"seed {seed}: {tiers}; clean lines changed {changed}/{len(clean)}")


def foreign(folder: Path) -> None:
    """Print how many secrets of each set are removed: none of their windows of eight characters is left."""
    for path in sorted(folder.glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        good = sum(not survives(row["secret"], MARK.sub("~", engine.redact(row["text"]).text)) for row in rows)
        print(f"{path.stem:32} {100 * good / max(1, len(rows)):5.1f} % of {len(rows)}")


OWN_LINES = (
    "pw: ", "pw=", "pw is ", "KEY ", "SECRET-", "TOKEN.", "secret-", "token_", "ENV A_PASSWORD ", '<a password="',
    "a.pw=b ", "</password>", "mot de passe ", "password <- ", "ab cd ", "$2a$05$", "ConvertTo-SecureString '",
    "sqlplus a/b@", "PASSWORD  ", "api_key: [", "a_key=0f", "acme_Ab1Cd2Ef3-", "password is set for x",
    "'|ConvertTo-SecureString",
)  # fmt: skip
"""Pieces whose repetition meets the rules' own anchors."""


def hostile(folder: Path) -> None:
    """Print the CPU seconds of each adversarial line of 1 MB, slowest first. Exits with 1 above `SLOWEST`."""
    sys.path.insert(0, str(folder))
    took = []
    lines = import_module("adversarial").lines(1_000_000)
    for name, text in {**lines, **{f"own {piece!r}": piece * (1_000_000 // len(piece)) for piece in OWN_LINES}}.items():
        start = time.process_time()
        engine.scan(text)
        took.append((time.process_time() - start, name))
    for seconds, name in sorted(took, reverse=True)[:10]:
        print(f"{seconds:6.2f} s  {name}")
    print(f"median {sorted(took)[len(took) // 2][0]:.2f} s of {len(took)} lines")
    if max(took)[0] > SLOWEST:
        raise SystemExit(1)


def main() -> None:
    """Run what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=10)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--generators", type=Path, help="folder with corpus.py and adversarial.py")
    parser.add_argument("--adversarial", action="store_true", help="time hostile lines of 1 MB (needs --generators)")
    parser.add_argument("--foreign", type=Path, help="folder with sets of other scanners, as JSON lines")
    arguments = parser.parse_args()
    speed(arguments.megabytes, arguments.repeats)
    places()
    if arguments.foreign:
        foreign(arguments.foreign)
    if arguments.generators:
        recall(arguments.generators)
        if arguments.adversarial:
            hostile(arguments.generators)


if __name__ == "__main__":
    main()
