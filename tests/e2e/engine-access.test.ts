// Who may use the engine and the simulator of the compiled executable, over HTTP and WebSocket.

import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectHttp, failure } from "../support/clients.ts";
import { startMkt } from "../support/executable.ts";
import { httpServerHere } from "../support/in-process.ts";
import { startMarket } from "./support/market.ts";
import { size } from "../support/sizes.ts";
import { until } from "../support/until.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const [DESK, ALL] = ["token-of-the-desk-", "token-of-everybody"];
const folder = temporaryDirectory();
const file = join(folder, "tokens");

beforeAll(() => writeFileSync(file, `desk ${DESK} anna\nall ${ALL} *\n`, { mode: 0o600 }));

describe("an engine with a token file", () => {
  test("serves mkt and its own simulator with tokens of their users", async () => {
    const engine = await startMarket({ env: { MKT_ENGINE_TOKEN_FILE: file } });
    const anna = await httpServerHere({ ...engine.environmentFor("anna"), MKT_BEARER_TOKEN: DESK });
    const client = await connectHttp("v2", anna.url);
    expect((await client.call("mkt_connect_pubsub")).value).toMatchObject({ status: "success" });
    expect((await client.call("mkt_disconnect_pubsub")).isError).toBe(false);
    expect(await failure(client, "mkt_connect_pubsub", { userId: "operator" })).toMatchObject({
      error: { code: "forbidden", hint: expect.stringContaining("MKT_BEARER_TOKEN") },
    });
    await client.close();
    await anna.stop();

    const operator = await httpServerHere({ ...engine.environmentFor("operator"), MKT_BEARER_TOKEN: ALL });
    const simulating = await connectHttp("v2", operator.url);
    expect((await simulating.call("mkt_sim_start", { preset: "thin" })).value).toMatchObject({ status: "success" });
    const status = async () => (await simulating.call("mkt_sim_status")).value as { totals: { connected: number } };
    await until(async () => (await status()).totals.connected > 0);
  });

  test("also serves mkt demo and a standalone simulator", async () => {
    // The engine of the test above has its own simulator.
    const args = ["--port", "0", "--engine-port", "0", ...size(["--no-sim"], [])];
    const demo = startMkt(["demo", ...args], { MKT_ENGINE_TOKEN_FILE: file });
    const [, enginePort] = await demo.untilStderr(/engine\s+http:\/\/127\.0\.0\.1:(\d+)/);
    const [, url = ""] = await demo.untilStderr(/mcp\s+(http:\S+)\/mcp/);
    const client = await connectHttp("v2", url);
    expect((await client.call("mkt_connect_pubsub")).value).toMatchObject({ status: "success" });
    const users = `http://127.0.0.1:${enginePort}/api/admin/users`;
    expect((await fetch(users, { headers: { "X-Mkt-User": "operator" } })).status).toBe(401);

    const env = { MKT_BEARER_TOKEN: ALL, MKT_USER_ID: "operator" };
    const sim = startMkt(["sim", "--port", "0", "--backend", `ws://127.0.0.1:${enginePort}`], env);
    const [, simUrl] = await sim.untilStderr(/sim: (http:\S+),/);
    const ask = (token: string) =>
      fetch(`${simUrl}/api/sim/status`, { headers: { "X-Mkt-User": "operator", Authorization: `Bearer ${token}` } });
    expect([(await ask(ALL)).status, (await ask(DESK)).status]).toEqual([200, 401]);
  });
});
