"""What the in-session layers cost and find: `python -m benchmarks.session [--rollouts FOLDER] [--json]`. No model.

Tokens are estimates (`slowwave.llm.tokens`, on the high side). The hook's time is that of whole cold processes, each
beside the baseline `python -c 'import json,sqlite3,re,pathlib,hashlib'`, so that other load meets both alike.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.session_corpus import CONSTRAINTS, NO_MATCH, PLANTED
from slowwave.paths import session_database_file
from slowwave.rollouts.model import Item, ItemKind, Role
from slowwave.rollouts.readers import readers
from slowwave.session import SessionMemory
from slowwave.session.hosts import hooks
from slowwave.session.replay import Replay, replay
from slowwave.storage.insession.store import SessionStore
from slowwave.text import estimate_tokens

BASELINE = "import json,sqlite3,re,pathlib,hashlib"
PROMPT = "Please add a retry policy to the client, but never touch the auth code. We deploy to Cloudflare Workers."
REFERENCE_TOKENS = 6500


def shared_logs(folder: Path) -> Iterator[tuple[str, str, list[Item]]]:
    """(agent, session id, items) of every log below a folder that is laid out as on disk."""
    env = {
        "CLAUDE_CONFIG_DIR": str(folder / "claude"),
        "CODEX_HOME": str(folder / "codex"),
        "PI_CODING_AGENT_DIR": str(folder / "pi" / "agent"),
        "HOME": str(folder / "nowhere"),
    }
    for agent, reader in readers(env).items():
        for log in reader.discover(env, folder / "nowhere"):
            facts = reader.scan(log)
            yield agent, facts.session_id, list(reader.items(log, facts))


def synthetic_logs(sessions: int = 12, turns: int = 60) -> Iterator[tuple[str, str, list[Item]]]:
    """Long sessions with constraints, facts, answers and corrections strewn in."""
    chance = random.Random(7)
    said = [fact for rows in PLANTED.values() for fact, _ in rows]
    asked = [question for rows in PLANTED.values() for _, question in rows]
    for number in range(sessions):
        items: list[Item] = []

        def put(kind: ItemKind, text: str, turn: int, items: list[Item] = items) -> None:
            role = Role.USER if kind is ItemKind.USER_TEXT else Role.ASSISTANT
            items.append(Item(len(items), role, kind, text, turn))

        for turn in range(1, turns + 1):
            parts = [f"Build page {turn} of shop {number}." if turn % 9 == 1 else chance.choice(asked + NO_MATCH)]
            if chance.random() < 0.1:
                parts.append(chance.choice(CONSTRAINTS))
            if chance.random() < 0.15:
                parts.append(chance.choice(said))
            put(ItemKind.USER_TEXT, " ".join(parts), turn)
            put(ItemKind.ASSISTANT_TEXT, "Done. " + "I changed the page as asked. " * chance.randint(5, 120), turn)
        yield "claude", f"synthetic-{number}", items


def cost(name: str, played: list[Replay]) -> dict[str, Any]:
    """Token figures over replays."""
    turns = [turn for found in played for turn in found.turns]
    injected = [turn.injected_tokens for turn in turns]
    with_facts = [turn.fact_tokens for turn in turns if turn.fact_tokens]
    total = sum(found.log_tokens for found in played) + sum(injected)
    return {
        "logs": name,
        "sessions": len(played),
        "turns": len(turns),
        "injected_tokens_per_turn_mean": round(statistics.fmean(injected), 1),
        "injected_tokens_per_turn_max": max(injected),
        "facts_tokens_median_where_injected": statistics.median(with_facts) if with_facts else 0,
        "turns_with_injection_share": round(sum(1 for n in injected if n) / len(turns), 3),
        "metadata_share_of_all_tokens": round(sum(injected) / total, 5),
        "repeated_lines_per_100_turns": round(100 * sum(found.copies for found in played) / len(turns), 2),
        "against_reference_per_turn": round(1 - statistics.fmean(injected) / REFERENCE_TOKENS, 4),
    }


def recall() -> list[dict[str, Any]]:
    """Recall@3 of planted facts by script, each asked for in a new session, and injections on the no-match set."""
    rows: list[dict[str, Any]] = []
    for script, planted in PLANTED.items():
        with tempfile.TemporaryDirectory() as folder:
            scope: dict[str, Any] = {"home": Path(folder), "agent": "claude", "project_id": "p"}
            for number, (fact, _) in enumerate(planted):
                hooks.on_user_prompt(**scope, session_id=f"said{number}", prompt=fact)
            found = 0
            tokens: list[int] = []
            for number, (fact, question) in enumerate(planted):
                text = hooks.on_user_prompt(**scope, session_id=f"asked{number}", prompt=question) or ""
                tokens += [estimate_tokens(text)] if text else []
                found += any(fact.startswith(line[2:-1]) for line in text.splitlines() if line.startswith("- "))
            wrong = sum(
                bool(hooks.on_user_prompt(**scope, session_id=f"none{number}", prompt=prompt))
                for number, prompt in enumerate(NO_MATCH)
            )
        rows.append(
            {
                "script": script,
                "facts": len(planted),
                "recall_at_3": round(found / len(planted), 3),
                "injected_tokens_median": statistics.median(tokens),
                "injected_tokens_max": max(tokens),
                "injections_without_match": f"{wrong} of {len(NO_MATCH)}",
            }
        )
    return rows


def library_cost(turns: int = 40) -> dict[str, Any]:
    """Pins, recap and facts together in one request of `SessionMemory`, with every planted English fact known."""
    totals: list[int] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "session.db"
        for number, (fact, _) in enumerate(PLANTED["english"]):
            with SessionMemory(path, session_id=f"said{number}", project_id="p") as memory:
                memory.before_turn([{"role": "user", "content": fact}])
        with SessionMemory(path, session_id="s", project_id="p") as memory:
            history: list[dict[str, Any]] = []
            for number in range(turns):
                asked = PLANTED["english"][number % len(PLANTED["english"])][1]
                text = "Build the shop. " + " ".join(CONSTRAINTS) if number == 0 else f"On page {number}: {asked}"
                sent = memory.before_turn([*history, {"role": "user", "content": text}])
                totals.append(sent.tokens + estimate_tokens(sent.system_tail))
                history = [*sent.messages, {"role": "assistant", "content": "Done."}]
                memory.after_turn("Done.")
    return {"turns": turns, "pins_recap_facts_median": statistics.median(totals), "pins_recap_facts_max": max(totals)}


def retention(compactions: int = 10) -> dict[str, Any]:
    """Share of constraints that stand in the restated task after every compaction."""
    kept, wanted = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        scope: dict[str, Any] = {"home": Path(folder), "agent": "claude", "project_id": "p", "session_id": "s"}
        hooks.on_user_prompt(**scope, prompt="Build the billing importer. " + CONSTRAINTS[0])
        for number, constraint in enumerate(CONSTRAINTS[1:]):
            hooks.on_user_prompt(**scope, prompt=f"Go on with part {number} of the importer. {constraint}")
        for number in range(compactions):
            for turn in range(5):
                hooks.on_stop(**scope, last_assistant_message="Done. Anything else?")
                hooks.on_user_prompt(**scope, prompt=f"now column {number} {turn} of the billing table")
            hooks.on_pre_compact(**scope)
            text = hooks.on_session_start(**scope, source="compact") or ""
            wanted += len(CONSTRAINTS)
            kept += sum(constraint in text for constraint in CONSTRAINTS)
    return {"compactions": compactions, "constraints": len(CONSTRAINTS), "retention": kept / wanted}


def _cold(code: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def latency(rounds: int) -> dict[str, Any]:
    """Cold processes: the hook on a user prompt beside the baseline, in turn."""
    with tempfile.TemporaryDirectory() as folder:
        hook = (
            "import pathlib\nfrom slowwave.session.hosts.hooks import on_user_prompt\n"
            f"on_user_prompt(home=pathlib.Path({folder!r}), session_id='s', agent='claude', project_id='p',"
            f" prompt={PROMPT!r})"
        )
        _cold(hook), _cold(BASELINE)
        pairs = [(_cold(BASELINE), _cold(hook)) for _ in range(rounds)]
    base, hooked = sorted(b for b, _ in pairs), sorted(h for _, h in pairs)
    at = min(int(rounds * 0.95), rounds - 1)
    return {
        "processes": rounds,
        "baseline_median_ms": round(1000 * statistics.median(base), 1),
        "hook_median_ms": round(1000 * statistics.median(hooked), 1),
        "baseline_p95_ms": round(1000 * base[at], 1),
        "hook_p95_ms": round(1000 * hooked[at], 1),
        "ratio_of_medians": round(statistics.median(hooked) / statistics.median(base), 2),
        "ratio_of_p95": round(hooked[at] / base[at], 2),
        "load_average": round(os.getloadavg()[0], 1),
    }


CONCURRENT = """
import pathlib, sys, json
import slowwave.session.hosts.hooks as hooks
home = pathlib.Path(sys.argv[1])
hooks.scrub("warm")
waits = []
leave = hooks.SessionStore.leave
def note(self):
    waits.append(self.longest_wait)
    leave(self)
hooks.SessionStore.leave = note
print("ready", flush=True); sys.stdin.readline()
hooks.on_user_prompt(home=home, session_id="s" + sys.argv[2], agent="claude", project_id="p",
                     prompt="Our service%s runs on port 9. Never change page %s." % (sys.argv[2], sys.argv[2]))
print(json.dumps(waits), flush=True)
"""


def concurrent(writers: int = 20) -> dict[str, Any]:
    """Twenty hooks at the same moment on one store: what is lost, and the longest wait for another one's write."""
    with tempfile.TemporaryDirectory() as folder:
        SessionStore(session_database_file(Path(folder))).close()
        started = [
            subprocess.Popen(
                [sys.executable, "-c", CONCURRENT, folder, str(number)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for number in range(writers)
        ]
        for process in started:
            assert process.stdout is not None
            process.stdout.readline()
        for process in started:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        waits = [wait for process in started for wait in json.loads(process.communicate(timeout=120)[0])]
        with SessionStore(session_database_file(Path(folder))) as store:
            turns = store.rows("SELECT count(*) FROM turns")[0][0]
    return {
        "hooks": writers,
        "lost_turns": writers - turns,
        "longest_wait_ms": round(1000 * max(waits), 1),
        "median_wait_ms": round(1000 * statistics.median(waits), 1),
        "load_average": round(os.getloadavg()[0], 1),
    }


def measure(rollouts: Path | None, rounds: int) -> dict[str, Any]:
    """All figures."""
    result: dict[str, Any] = {"cost": [], "recall": recall(), "library": library_cost(), "constraints": retention()}
    sources = [("synthetic", synthetic_logs())] + ([("shared", shared_logs(rollouts))] if rollouts else [])
    for name, logs in sources:
        played = [replay(items, agent=agent, session_id=session) for agent, session, items in logs]
        result["cost"].append(cost(name, [found for found in played if found.turns]))
    result["latency"] = latency(rounds)
    result["concurrency"] = concurrent()
    return result


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rollouts", type=Path, help="folder with claude/, codex/ and so on as on disk")
    options.add_argument("--rounds", type=int, default=40, help="cold processes of each kind")
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    result = measure(given.rollouts, given.rounds)
    if given.json:
        print(json.dumps(result, indent=2))
        return
    for name, value in result.items():
        for row in value if isinstance(value, list) else [value]:
            print(f"{name}: " + ", ".join(f"{key} {figure}" for key, figure in row.items()))


if __name__ == "__main__":
    main()
