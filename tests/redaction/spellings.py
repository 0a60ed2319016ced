"""Ways in which a model may spell a secret again, and kinds of secrets to spell."""

from __future__ import annotations

import base64
from collections.abc import Callable
from urllib.parse import quote


def chunks(value: str, size: int, sign: str) -> str:
    """The value in pieces of one size, with a sign between them."""
    return sign.join(value[at : at + size] for at in range(0, len(value), size))


SPELLINGS: dict[str, Callable[[str], str]] = {
    "upper case": str.upper,
    "lower case": str.lower,
    "letter by letter": " ".join,
    "in fours": lambda value: chunks(value, 4, " "),
    "dashed": lambda value: chunks(value, 4, "-"),
    "dotted": ".".join,
    "colons": ":".join,
    "over lines": lambda value: chunks(value, 13, "\n"),
    "over indented lines": lambda value: chunks(value, 11, "\n    "),
    "backwards": lambda value: value[::-1],
    "its first two thirds": lambda value: value[: max(20, len(value) * 2 // 3)],
    "its last two thirds": lambda value: value[-max(20, len(value) * 2 // 3) :],
    "half masked": lambda value: f"{value[:8]}******{value[-8:]}",
    "middle masked": lambda value: f"{value[: len(value) // 3]}...{value[-len(value) // 3 :]}",
    "first 20 of 30": lambda value: value[: max(20, len(value) * 2 // 3)],
    "percent-encoded": lambda value: quote(value, safe=""),
    "every character percent-encoded": lambda value: "".join(f"%{code:02X}" for code in value.encode()),
    "base64": lambda value: base64.b64encode(value.encode()).decode(),
    "base64 inside a text": lambda value: base64.b64encode(f"user:{value}\n".encode()).decode(),
    "hexadecimal": lambda value: value.encode().hex(),
    "hexadecimal in capitals": lambda value: value.encode().hex().upper(),
    "backwards in capitals": lambda value: value[::-1].upper(),
    "dashed in capitals": lambda value: chunks(value.upper(), 5, "-"),
    "underscored": lambda value: chunks(value, 4, "_"),
    "joined strings": lambda value: f'{value[: len(value) // 2]}" + "{value[len(value) // 2 :]}',
}
RANDOM = (
    "{r30}", "{r40}", "{h32}", "{h64}", "{l24}", "sk-" + "ant-api03-{r95}", "gh" + "p_{r36}", "{b64:30}", "{uuid}",
    "{S40}", "xo" + "xb-{r12}-{r24}", "np" + "m_{r36}",
)  # fmt: skip
"""Twelve kinds of values that chance made."""
