// A port that is taken: any second server on it ends with one line on stderr, whichever server has the port.

import { expect, test } from "bun:test";
import { freePort } from "../support/free-port.ts";
import { runMkt, startMkt } from "../support/executable.ts";
import { NO_BACKEND } from "../support/http-requests.ts";
import { until } from "../support/until.ts";
import { size } from "../support/sizes.ts";

/** Each with its arguments, or its variables. */
const SERVERS: readonly [name: string, (port: string) => readonly string[] | Record<string, string>][] = [
  ["mkt", (port) => ({ ...NO_BACKEND, MCP_HTTP_PORT: port })],
  ["mkt demo", (port) => ["demo", "--no-sim", "--engine-port", "0", "--port", port]],
  ["mkt demo's engine", (port) => ["demo", "--no-sim", "--engine-port", port, "--port", "0"]],
  ["mkt engine", (port) => ["engine", "--port", port]],
  ["mkt sim", (port) => ["sim", "--backend", "ws://127.0.0.1:1/ws", "--port", port]],
];

async function untilUp(port: number, exited: Promise<number>): Promise<void> {
  const ended = exited.then((code) => {
    throw new Error(`the first process ended with ${code}`);
  });
  const health = () => fetch(`http://127.0.0.1:${port}/health`).catch(() => null);
  await until(() => Promise.race([health(), ended]), (answer) => answer?.status === 200);
}

// Each starts twice: in every run only the demo, which has a server of mkt's on the port.
test.each(size(SERVERS.slice(1, 2), SERVERS))(
  "a second %s on a port ends with one line that names the port",
  async (_name, startOn) => {
    const port = await freePort();
    const how = startOn(String(port));
    const [args, env] = Array.isArray(how) ? [how, {}] : [[], how as Record<string, string>];
    const first = startMkt(args, env);
    try {
      await untilUp(port, first.exited);
      const second = await runMkt(args, env);
      expect(second).toEqual({
        exitCode: 1,
        stdout: "",
        stderr: `mkt: port ${port} on 127.0.0.1 is in use: stop the other server, or choose another port\n`,
      });
      expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    } finally {
      expect(await first.stop()).toBe(0);
    }
  },
);
