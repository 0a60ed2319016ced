// Written by `slowwave install`; `slowwave uninstall` removes it.
// A call that takes too long or goes wrong counts as silence.
import { spawn } from "node:child_process";
import { join } from "node:path";

const COMMAND = "@COMMAND@";
const LIMIT_MS = 6000;

function call(event, payload) {
  return new Promise((resolve) => {
    let output = "";
    const done = () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(output || "{}"));
      } catch {
        resolve({});
      }
    };
    const child = spawn(COMMAND, ["hook", event, "--agent", "openclaw"], { stdio: ["pipe", "pipe", "ignore"] });
    const timer = setTimeout(() => child.kill(), LIMIT_MS);
    child.on("error", done);
    child.on("close", done);
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(payload));
  });
}

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
