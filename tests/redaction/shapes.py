"""Values to put into templates: ``{word}``, ``{r32}`` and the like are filled with random values at run time.

So no file holds a secret. The shapes: ``word`` or ``Word`` an English word, ``Nd`` digits, ``rN`` letters and digits,
``lN`` lower-case letters and digits, ``hN`` hexadecimal digits, ``SN`` letters, digits and signs, ``b64:N`` base64,
``uuid``, ``jwt:N`` a signed web token, ``id`` and ``aws`` a key pair, ``P`` a password that a person chose, in one of
eleven forms.
"""

from __future__ import annotations

import base64
import json
import random
import re
import string

ALNUM = string.ascii_letters + string.digits
WORDS = [
    "amber",
    "anchor",
    "apple",
    "arrow",
    "autumn",
    "bamboo",
    "basket",
    "beacon",
    "birch",
    "blanket",
    "bottle",
    "breeze",
    "bridge",
    "bronze",
    "butter",
    "button",
    "cactus",
    "camel",
    "candle",
    "canyon",
    "carpet",
    "castle",
    "cedar",
    "cherry",
    "cinder",
    "clover",
    "cobalt",
    "coffee",
    "comet",
    "copper",
    "coral",
    "cotton",
    "cradle",
    "crystal",
    "desert",
    "diamond",
    "dolphin",
    "dragon",
    "ember",
    "falcon",
    "feather",
    "fiddle",
    "forest",
    "fossil",
    "frost",
    "galaxy",
    "garden",
    "ginger",
    "glacier",
    "granite",
    "harbor",
    "harvest",
    "hazel",
    "hollow",
    "honey",
    "island",
    "ivory",
    "jasmine",
    "jungle",
    "kettle",
    "ladder",
    "lagoon",
    "lantern",
    "laurel",
    "lemon",
    "lilac",
    "lizard",
    "magnet",
    "maple",
    "marble",
    "meadow",
    "mirror",
    "museum",
    "nectar",
    "oasis",
    "olive",
    "onion",
    "orbit",
    "orchid",
    "otter",
    "paddle",
    "panda",
    "pebble",
    "pepper",
    "pigeon",
    "pillow",
    "planet",
    "pocket",
    "puzzle",
    "quartz",
    "rabbit",
    "raven",
    "ribbon",
    "river",
    "rocket",
    "saddle",
    "salmon",
    "shadow",
    "silver",
    "spider",
    "spruce",
    "stone",
    "summer",
    "sunset",
    "thunder",
    "tiger",
    "timber",
    "tulip",
    "turtle",
    "valley",
    "velvet",
    "violet",
    "walnut",
    "willow",
    "window",
    "winter",
    "wizard",
    "zebra",
]
PASSWORDS = (
    "{word}{4d}", "{Word}{4d}", "{Word}{Word}", "{word}-{word}-{word}-{word}", "{r8}", "{Word}@{3d}",
    "{word}-{word}-{2d}", "{word}{word}", "{Word}{2d}$", "{Word}{Word}{2d}!", "{word}_{word}{3d}",
)  # fmt: skip
_SLOT = re.compile(r"\{([A-Za-z0-9:]+)\}")


class Shapes:
    """Fills templates from one seed."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(seed)
        self._turn = self._random.randrange(len(PASSWORDS))

    def fill(self, template: str) -> str:
        """A text with every slot filled."""
        return _SLOT.sub(lambda match: self._value(match[1]) or match[0], template)

    def marked(self, template: str) -> tuple[str, tuple[str, ...]]:
        """A text whose template marks its secrets by « and », and these secrets."""
        text, secrets = "", []
        for number, piece in enumerate(re.split("[«»]", template)):
            filled = self.fill(piece)
            text += filled
            if number % 2:
                secrets.append(filled)
        return text, tuple(secrets)

    def _value(self, slot: str) -> str | None:
        pick = self._random.choices
        if slot in ("word", "Word"):
            word = self._random.choice(WORDS)
            return word if slot == "word" else word.capitalize()
        if slot == "P":
            self._turn += 1
            return self.fill(PASSWORDS[self._turn % len(PASSWORDS)])
        if slot == "id":
            return "AK" + "IA" + "".join(pick(string.ascii_uppercase + "234567", k=16))
        if slot == "aws":
            return "".join(pick(ALNUM + "/+", k=40))
        if slot == "uuid":
            return "-".join("".join(pick("0123456789abcdef", k=count)) for count in (8, 4, 4, 4, 12))
        if digits := re.fullmatch(r"(\d)d", slot):
            return "".join(pick(string.digits, k=int(digits[1])))
        if sized := re.fullmatch(r"(b64|b64nopad|jwt):(\d+)", slot):
            return self._encoded(sized[1], int(sized[2]))
        if chars := re.fullmatch(r"([rlhS])(\d+)", slot):
            return self._chars(chars[1], int(chars[2]))
        return None

    def _chars(self, kind: str, count: int) -> str:
        alphabet = {
            "r": ALNUM,
            "l": string.ascii_lowercase + string.digits,
            "h": "0123456789abcdef",
            "S": ALNUM + "!@#$%^&*(-_=+)",
        }[kind]
        while True:
            value = "".join(self._random.choices(alphabet, k=count))
            if any(map(str.isdigit, value)) and any(map(str.isalpha, value)):
                return value

    def _encoded(self, kind: str, size: int) -> str:
        if kind != "jwt":
            value = base64.b64encode(self._random.randbytes(size)).decode()
            return value.rstrip("=") if kind == "b64nopad" else value
        claims = json.dumps({"sub": self._chars("r", size)}).encode()
        parts = (b'{"alg":"RS256","typ":"JWT"}', claims, self._random.randbytes(256))
        return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


def survives(secret: str, text: str) -> bool:
    """Whether a window of eight characters of a secret is left in a text."""
    size = min(8, len(secret))
    return any(secret[at : at + size] in text for at in range(len(secret) - size + 1))
