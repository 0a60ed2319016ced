// Written by `slowwave install`; `slowwave uninstall` removes it.
// Gives the agent the memory of earlier sessions at its start and tells Slowwave about turns and compactions.
// It never fails a turn: a call that takes too long or goes wrong counts as silence.
import { spawn } from "node:child_process";

// @CALL@

export default function slowwave(agent: any): void {
  let memory: Promise<{ context?: string; notice?: string }> | undefined;

  const common = (ctx: any): Record<string, unknown> => ({
    session_id: ctx?.sessionManager?.getSessionId?.() ?? "",
    transcript_path: ctx?.sessionManager?.getSessionFile?.() ?? "",
    cwd: ctx?.cwd ?? process.cwd(),
  });
  const start = (ctx: any, source: string) => (memory = call("session-start", { ...common(ctx), source }));

  agent.on("session_start", async (event: any, ctx: any) => {
    const told = await start(ctx, event?.reason === "fork" ? "fork" : "startup");
    if (told.notice) ctx?.ui?.notify?.(told.notice, "warning");
  });

  agent.on("before_agent_start", async (event: any, ctx: any) => {
    const block = (await (memory ?? start(ctx, "startup"))).context;
    const turn = (await call("user-prompt", { ...common(ctx), prompt: event?.prompt ?? "" })).context;
    const result: Record<string, unknown> = {};
    // One agent keeps its system prompt as a string, the other as a list of parts.
    if (block) {
      result.systemPrompt = Array.isArray(event.systemPrompt)
        ? [...event.systemPrompt, block]
        : `${event.systemPrompt ?? ""}\n\n${block}`;
    }
    if (turn) result.message = { customType: "slowwave", content: turn, display: false };
    return result;
  });

  agent.on("agent_end", async (event: any, ctx: any) => {
    const messages = event?.messages ?? [];
    const last = [...messages].reverse().find((message: any) => message?.role === "assistant");
    const parts = Array.isArray(last?.content) ? last.content : [];
    const text = parts.filter((part: any) => part?.type === "text").map((part: any) => part.text).join("\n");
    await call("stop", { ...common(ctx), last_assistant_message: text });
  });

  agent.on("session_before_compact", async (_event: any, ctx: any) => {
    await call("pre-compact", { ...common(ctx), trigger: "auto" });
  });

  agent.on("session_compact", async (_event: any, ctx: any) => {
    // The block stays in the system prompt, so nothing has to be injected again.
    await call("session-start", { ...common(ctx), source: "compact" });
  });

  agent.on("session_shutdown", async (_event: any, ctx: any) => {
    await call("session-end", { ...common(ctx), reason: "other" });
  });
}
