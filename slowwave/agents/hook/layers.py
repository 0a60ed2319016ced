"""Hands a hook call to the in-session layers (pins, recap, key facts). Standard library and light modules only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slowwave.agents import hosts
from slowwave.agents.hook.index import HookIndex
from slowwave.session.hosts import hooks
from slowwave.session.limits import SessionLimits

if TYPE_CHECKING:
    from slowwave.agents.hook.dispatch import Call


def layer_text(call: Call, index: HookIndex, project: str | None) -> str:
    """Return what the layers want injected at this event, empty when they have nothing to say.

    A call without a session id or a project, and one from a sub-agent, is not for these layers: they keep state by
    session, and a sub-agent's prompts are not the person's.
    """
    session = call.text("session_id")
    if not session or project is None or call.text("agent_id"):
        return ""
    limits = SessionLimits.of(index.session)
    cwd, transcript = call.text("cwd"), call.text("transcript_path")
    home, agent = call.home, call.host.agent
    if call.event == hosts.SESSION_START:
        text = hooks.on_session_start(
            home=home, session_id=session, agent=agent, project_id=project, cwd=cwd, transcript_path=transcript,
            source=call.text("source") or "startup", limits=limits,
        )  # fmt: skip
    elif call.event == hosts.USER_PROMPT:
        text = hooks.on_user_prompt(
            home=home, session_id=session, agent=agent, project_id=project, cwd=cwd, transcript_path=transcript,
            prompt=call.text("prompt"), prompt_id=call.text("prompt_id"), limits=limits,
        )  # fmt: skip
    elif call.event == hosts.STOP:
        reply = call.text("last_assistant_message") or call.text("prompt_response")
        text = hooks.on_stop(
            home=home, session_id=session, agent=agent, project_id=project, cwd=cwd, transcript_path=transcript,
            last_assistant_message=reply, limits=limits,
        )  # fmt: skip
    elif call.event == hosts.PRE_COMPACT:
        text = hooks.on_pre_compact(
            home=home, session_id=session, agent=agent, project_id=project, cwd=cwd, transcript_path=transcript,
            trigger=call.text("trigger") or "auto", limits=limits,
        )  # fmt: skip
    else:
        text = hooks.on_session_end(
            home=home, session_id=session, agent=agent, project_id=project, cwd=cwd, transcript_path=transcript,
            reason=call.text("reason") or "other", limits=limits,
        )  # fmt: skip
    return text or ""
