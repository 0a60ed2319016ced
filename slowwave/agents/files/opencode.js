// Written by `slowwave install`; `slowwave uninstall` removes it.
// Adds the memory of earlier sessions to the system prompt. A call that takes too long or goes wrong counts as silence.
import { spawn } from "node:child_process";

// @CALL@

export const SlowwavePlugin = async ({ directory }) => {
  // One block for each session and never a new one, so that the prompt's beginning stays the same and cached.
  const blocks = new Map();
  return {
    "experimental.chat.system.transform": async (input, output) => {
      const session = input?.sessionID ?? "";
      if (!blocks.has(session)) {
        blocks.set(session, call("session-start", { session_id: session, cwd: directory, source: "startup" }));
      }
      const { context } = await blocks.get(session);
      if (context) output.system.push(context);
    },
  };
};
