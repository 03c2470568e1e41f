// A port that is taken: any second server on it ends with one line on stderr, whichever server has the port.

import { expect, test } from "bun:test";
import { freePort } from "../support/free-port.ts";
import { runMkt, startMkt } from "../support/executable.ts";
import { NO_BACKEND } from "../support/http-requests.ts";
import { until } from "../support/until.ts";

const BACKEND = "ws://127.0.0.1:1/ws";

interface Server {
  readonly args: (port: number) => readonly string[];
  readonly env: (port: number) => Record<string, string>;
}

const SERVERS: Readonly<Record<string, Server>> = {
  "mkt": { args: () => [], env: (port) => ({ ...NO_BACKEND, MCP_HTTP_PORT: String(port) }) },
  "mkt demo": { args: (port) => ["demo", "--no-sim", "--engine-port", "0", "--port", String(port)], env: () => ({}) },
  "mkt demo's engine": {
    args: (port) => ["demo", "--no-sim", "--engine-port", String(port), "--port", "0"],
    env: () => ({}),
  },
  "mkt engine": { args: (port) => ["engine", "--port", String(port)], env: () => ({}) },
  "mkt sim": { args: (port) => ["sim", "--backend", BACKEND, "--port", String(port)], env: () => ({}) },
};

async function untilUp(port: number, exited: Promise<number>): Promise<void> {
  const ended = exited.then((code) => {
    throw new Error(`the first process ended with ${code}`);
  });
  const health = () => fetch(`http://127.0.0.1:${port}/health`).catch(() => null);
  await until(() => Promise.race([health(), ended]), (answer) => answer?.status === 200);
}

test.each(Object.entries(SERVERS))(
  "a second %s on a port ends with one line that names the port",
  async (_name, server) => {
    const port = await freePort();
    const env = server.env(port);
    const first = startMkt(server.args(port), env);
    try {
      await untilUp(port, first.exited);
      const second = await runMkt(server.args(port), env);
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
