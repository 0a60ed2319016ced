"""The form of a language's table. Data that the reading applies; the same slots in every language.

Patterns are regular expressions as plain strings, written in lower case (they ignore it), a blank standing for white
space of any length. They are compiled at their first use.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from slowwave.text.languages.phrases import Phrases

Kind = str
"""A memory's kind: `preference`, `constraint`, `decision`, `fact` or `pitfall`."""

NEVER = r"(?!)"
VERB = "\x1f"
"""Stands for the blank behind a verb of `Language.verbs` while a sentence is read; it is white space too."""


class Statement(NamedTuple):
    """One thing that a person said in a message.

    `quote` stands in the message word for word; `text` says what holds, in the person's language, without lead-ins.
    `lasting` tells that the words themselves say it holds beyond the task at hand; a statement without it counts only
    when it is said again elsewhere. `fact` tells a statement about the project or the person from a rule.
    """

    kind: Kind
    text: str
    quote: str
    language: str
    lasting: bool
    fact: bool = False


class Cue(NamedTuple):
    """A pattern that makes a statement of a clause."""

    kind: Kind
    pattern: str


class Change(NamedTuple):
    """A change of what is used: a pattern with the groups `new` and, where it is named, `old`; the sentences that state
    what holds afterwards, with and without the old."""

    pattern: str
    state: str
    moved: str
    gone: str = ""


class Day(NamedTuple):
    """What the layers of a running session look for. Phrases, no patterns: they are sought on every turn.

    `constraint` makes a rule of a clause for the task, `weak` only of a directive; `acceptance` says when the task is
    done, `decision` that something was chosen. `rejected` opens a message that turns something down, `reverted` and
    `repeated` may stand in its first sentences, `renewed` puts a rule for the next time.
    """

    constraint: Phrases
    weak: Phrases
    acceptance: Phrases
    decision: Phrases
    lift: Phrases
    rejected: Phrases
    reverted: Phrases
    repeated: Phrases
    renewed: Phrases
    starters: tuple[str, ...] = ()


class Language(NamedTuple):
    """One language's table.

    - `lead` is stripped from the front; `lasting_lead` too, and it says that what follows holds from now on;
      `polite` is a request in the form of a question, stripped so that what is asked for remains.
    - A sentence is left alone where `question`, `hypothesis` or `passing` (this time, for now, today) is found.
    - A clause is left alone where `condition` opens it, or where `report` (a fault), `spec` (of the thing being built)
      or `dangling` (points outside of itself) is found.
    - `joint` is where a clause may begin, `request` what a request of the moment begins with.
    - `hints` are pieces of words, separated by `|`, of which every statement holds one (`hints_with_name`: beside a
      name, a number or code); empty: not known.
    - `lasting`, `facts` and `weak` are the cues, `change` the wording for a move from one tool to another, `fixed`
      what confirms that something helped and `explains` what a sentence holds that says why. `points_back` is a rule
      about something that the sentence before names, `denies` ends what turns down the words before it.
    """

    code: str
    day: Day
    lead: str
    lasting: tuple[Cue, ...]
    question: str = NEVER
    hypothesis: str = NEVER
    passing: str = NEVER
    lasting_lead: str = NEVER
    polite: str = NEVER
    condition: str = NEVER
    report: str = NEVER
    spec: str = NEVER
    dangling: str = NEVER
    joint: str = r"[;；:：] ?| [–—-]+ |, "
    request: str = NEVER
    facts: tuple[Cue, ...] = ()
    weak: tuple[Cue, ...] = ()
    change: tuple[Change, ...] = ()
    fixed: str = NEVER
    explains: str = NEVER
    points_back: str = NEVER
    denies: str = NEVER
    wording: tuple[tuple[str, str], ...] = ()
    verbs: frozenset[str] = frozenset()
    hints: str = ""
    hints_with_name: str = ""
    full_stop: str = "."
    shortest: int = 12

    def may_say(self, sentence: str, before: str) -> bool:
        """Tell whether a sentence holds one of the words without which nothing lasts. Most requests hold none, and then
        no pattern is compiled."""
        words = f" {sentence} {before} ".lower()
        if not self.hints or any(hint in words for hint in self.hints.split("|")):
            return True
        named = any(letter.isupper() or letter.isdigit() or letter in "`/" for letter in sentence[1:])
        return named and any(hint in words for hint in self.hints_with_name.split("|"))


def cue(kind: Kind, *alternatives: str) -> Cue:
    """Make a cue of alternatives."""
    return Cue(kind, "|".join(alternatives))


@lru_cache(maxsize=1024)
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of a table, ready for use."""
    return re.compile(pattern.replace(" ?", r"\s*").replace(" ", r"\s+"), re.IGNORECASE)


def found(pattern: str, text: str) -> re.Match[str] | None:
    """Search a text for a table's pattern."""
    return None if pattern is NEVER or pattern == NEVER else compiled(pattern).search(text)
