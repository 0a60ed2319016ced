const COMMAND = "@COMMAND@";
const AGENT = "@AGENT@";
const HOME = "@HOME@";
const LIMIT_MS = 6000;

/**
 * @param {string} event
 * @param {Record<string, unknown>} payload
 * @returns {Promise<{ context?: string; notice?: string }>}
 */
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
    const child = spawn(COMMAND, ["hook", event, "--agent", AGENT], {
      stdio: ["pipe", "pipe", "ignore"],
      env: { ...process.env, ...HOME },
    });
    const timer = setTimeout(() => child.kill(), LIMIT_MS);
    child.on("error", done);
    child.on("close", done);
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(payload));
  });
}
