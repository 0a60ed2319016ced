"""What the layers do to a prompt cache and to the cost: `python -m benchmarks.conversation [--turns N] [--json]`.

A loopback server answers and accounts for its prompt cache as the Messages API documents it (prefix match, four
breakpoints, 20 blocks back, 1,024 tokens at least, writes at 1.25 and reads at 0.1 of the input price). Tokens are
characters / 4; dollars are those of claude-haiku-5-5. No model: answers are fixed, so only the requests differ.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from anthropic import Anthropic

from slowwave.conversation import Conversation, Limits
from slowwave.llm.spending.prices import TokenCounts, cost_of
from slowwave.session.limits import SessionLimits
from tests.support.loopback import LoopbackServer, RequestRecord, Step
from tests.support.prompt_cache import PromptCache

MODEL = "claude-haiku-5-5"
SYSTEM = "You are a careful engineer who works on one shop. Follow the house rules. " * 60
OPENING = "Build the shop page by page, keep the existing tests, and never touch the billing code. We deploy to Fly.io."
SAID = [
    "Go on with page {n}: a list of goods with prices, filters and a link to the cart. " * 3,
    "On page {n} the total is wrong when a coupon is used twice; find out why and correct it. " * 2,
    "Here is the page as it stands:\n"
    + "<li class='row'>goods, price, link</li>\n" * 60
    + "What is missing on page {n}?",
    "Never call the tax service from page {n}. Now its tests. " + "They cover the empty cart as well. " * 4,
]
ANSWER = "I changed the page as asked, ran the tests and looked at the result. " * 9


def talk(turns: int, *, layers: SessionLimits | None, cache: bool, limits: Limits) -> dict[str, Any]:
    """One conversation; with or without (None) the layers, and with or without breakpoints."""
    cached = PromptCache()
    used: list[dict[str, int]] = []

    def answer(record: RequestRecord) -> Step:
        side = [tool["name"] for tool in record.json.get("tools") or []] == ["memory_write"]
        summary = "Summarise the older part" in str(record.json.get("system", ""))
        text = "[SILENT]" if side else "The shop grows page by page; billing is off limits." if summary else ANSWER
        usage = cached.usage_for(record.json) | {"output_tokens": len(text) // 4}
        used.append(usage | {"visible": int(not side and not summary)})
        return Step(text=text, usage=usage)

    with tempfile.TemporaryDirectory() as folder, LoopbackServer() as server:
        server.script(answer, times=None)
        client = Anthropic(api_key="none", base_url=server.base_url, max_retries=0)
        if layers is not None:
            with Conversation(
                client,
                model=MODEL,
                session_id="bench",
                project_id="bench",
                system=SYSTEM,
                home=Path(folder),
                cache=cache,
                limits=limits,
                layers=layers,
            ) as conversation:
                for number in range(turns):
                    conversation.send(said(number))
        else:
            plain(client, turns, cache)
    return figures(used, turns)


def said(number: int) -> str:
    """The user's message of a turn."""
    return OPENING if number == 0 else SAID[number % len(SAID)].format(n=number)


def plain(client: Any, turns: int, cache: bool) -> None:
    """The same turns without any layer; with `cache`, a breakpoint on the system prompt alone."""
    history: list[dict[str, Any]] = []
    block: dict[str, Any] = {"type": "text", "text": SYSTEM}
    if cache:
        block["cache_control"] = {"type": "ephemeral"}
    for number in range(turns):
        history.append({"role": "user", "content": said(number)})
        reply = client.messages.create(model=MODEL, max_tokens=1000, system=[block], messages=history)
        history.append({"role": "assistant", "content": reply.content[0].text})


def figures(used: list[dict[str, int]], turns: int) -> dict[str, Any]:
    """Tokens, cache shares and dollars of all calls."""

    def share(calls: list[dict[str, int]]) -> float:
        read = sum(call["cache_read_input_tokens"] for call in calls)
        total = read + sum(call["cache_creation_input_tokens"] + call["input_tokens"] for call in calls)
        return round(read / total, 4) if total else 0.0

    visible = [call for call in used if call["visible"]]
    dollars = 0.0
    for call in used:
        counts = TokenCounts(
            input=call["input_tokens"],
            output=call["output_tokens"],
            cache_write_5m=call["cache_creation_input_tokens"],
            cache_read=call["cache_read_input_tokens"],
        )
        dollars += cost_of(MODEL, counts) or 0.0
    prompt = sum(c["input_tokens"] + c["cache_read_input_tokens"] + c["cache_creation_input_tokens"] for c in visible)
    return {
        "calls": len(used),
        "cache_read_share": share(visible),
        "cache_read_share_after_turn_3": share(visible[3:]),
        "prompt_tokens_per_turn": round(prompt / turns),
        "dollars": round(dollars, 5),
    }


def measure(turns: int) -> dict[str, Any]:
    """All variants over the same turns."""
    wide = Limits()
    narrow = replace(wide, compress_at=8000, soft_tokens=1000)
    every = SessionLimits()
    result = {
        "no layers, no cache": talk(turns, layers=None, cache=False, limits=wide),
        "no layers, system prompt cached": talk(turns, layers=None, cache=True, limits=wide),
        "all layers, no cache": talk(turns, layers=every, cache=False, limits=wide),
        "all layers, cached": talk(turns, layers=every, cache=True, limits=wide),
    }
    without = {
        "trimming": every._replace(trim_characters=1_000_000),
        "key facts": every._replace(fact_tokens=0),
        "pins and recap": every._replace(pin_characters=0, recap_tokens=0),
        "recap": every._replace(recap_tokens=0),
        "flush": every._replace(enable_memory_flush=False),
    }
    for name, layers in without.items():
        result[f"cached, without {name}"] = talk(turns, layers=layers, cache=True, limits=wide)
    result["all layers, cached, compression at 8,000"] = talk(turns, layers=every, cache=True, limits=narrow)
    result["system prompt alone, 30 first turns"] = system_alone()
    return result


def system_alone() -> dict[str, Any]:
    """The share when only the system prompt repeats: many first turns with a short message."""
    cached = PromptCache()
    body = {"system": [{"type": "text", "text": SYSTEM, "cache_control": {}}]}
    used = [
        cached.usage_for({**body, "messages": [{"role": "user", "content": f"question {number}"}]})
        | {"output_tokens": 1, "visible": 1}
        for number in range(30)
    ]
    return figures(used, 30)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--turns", type=int, default=30)
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    result = measure(given.turns)
    if given.json:
        print(json.dumps(result, indent=2))
        return
    for name, row in result.items():
        print(f"{name}: " + ", ".join(f"{key} {value}" for key, value in row.items()))


if __name__ == "__main__":
    main()
