// Written by `slowwave install`; `slowwave uninstall` removes it.
// A call that takes too long or goes wrong counts as silence.
import { spawn } from "node:child_process";
import { join } from "node:path";

// @CALL@

export default async function handler(event) {
  if (event?.type !== "agent" || event?.action !== "bootstrap") return;
  const { workspaceDir, bootstrapFiles, sessionId } = event.context ?? {};
  if (!workspaceDir || !Array.isArray(bootstrapFiles)) return;
  const { context } = await call("session-start", { session_id: sessionId ?? "", cwd: workspaceDir, source: "startup" });
  if (!context) return;
  const rules = bootstrapFiles.find((file) => file?.name === "AGENTS.md" && !file.missing);
  if (rules) rules.content = `${rules.content ?? ""}\n\n${context}`;
  else bootstrapFiles.push({ name: "AGENTS.md", path: join(workspaceDir, "AGENTS.md"), content: context, missing: false });
}
