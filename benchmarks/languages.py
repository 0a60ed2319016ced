"""Recall and false alarms of the language tables: `python -m benchmarks.languages [--folder FOLDER] [--misses]`.

Without a folder both sets are measured: the sentences written before the rules and the fresh ones written after them.
A message counts as found when its layer makes something of it: a lasting statement (rule), a key fact (fact), a
constraint, acceptance or decision (pin), a correction.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

from tests.support.sentences import FOLDER, Sentence, found, read

LAYERS = ("rule", "fact", "pin", "correction")


def measure(folder: Path) -> dict[str, dict[str, tuple[int, int, int, int]]]:
    """By language and layer: found, should be found, false alarms, should be left alone."""
    counts: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0, 0]))
    for sentence in read(folder):
        place = 0 if sentence.keep else 2
        for layer in (sentence.layer, "all"):
            counts[sentence.language][layer][place] += found(sentence)
            counts[sentence.language][layer][place + 1] += 1
    return {
        language: {layer: (row[0], row[1], row[2], row[3]) for layer, row in layers.items()}
        for language, layers in counts.items()
    }


def wrong(folder: Path) -> list[Sentence]:
    """The messages that are not treated as they should be."""
    return [sentence for sentence in read(folder) if found(sentence) != sentence.keep]


def table(folder: Path) -> str:
    """A markdown table, one row a language."""
    lines = ["| language | recall | false alarms | rule | fact | pin | correction |", "|---|---|---|---|---|---|---|"]
    for language, layers in sorted(measure(folder).items()):
        hit, wanted, alarm, silent = layers["all"]
        cells = [
            f"{row[0]}/{row[1]}, {row[2]}/{row[3]}" if (row := layers.get(layer)) is not None else ""
            for layer in LAYERS
        ]
        lines.append(
            f"| {language} | {hit / wanted:.0%} ({hit}/{wanted}) | {alarm / silent:.0%} ({alarm}/{silent}) | "
            + " | ".join(cells)
            + " |"
        )
    return "\n".join(lines)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--folder", type=Path, action="append")
    parser.add_argument("--misses", action="store_true", help="also list what is not treated as it should be")
    chosen = parser.parse_args()
    for folder in chosen.folder or [FOLDER, FOLDER / "second", FOLDER / "third", FOLDER / "fresh"]:
        print(f"## {folder.name}\n\n{table(folder)}\n")
        for sentence in wrong(folder) if chosen.misses else []:
            print(f"{'missed' if sentence.keep else 'alarm '} {sentence.language} {sentence.layer}: {sentence.text}")


if __name__ == "__main__":
    main()
