// A standalone simulator: who may use it, and when it connects to its engine.

import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { logger } from "../../../common/logger.ts";
import * as marketSnapshot from "../../../sim/live/market-snapshot.ts";
import { type StandaloneSimulatorOptions, startStandaloneSimulator } from "../../../sim/live/standalone-simulator.ts";
import { atEnd } from "../../support/at-end.ts";
import { startTestEngine } from "../../support/engines.ts";
import { replaced } from "../../support/replaced.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { accessTo } from "./support.ts";

const TOKEN = "token-of-the-market";
const NOWHERE = "ws://127.0.0.1:1/ws";

function serve(backend: string, options: Partial<StandaloneSimulatorOptions> = {}) {
  const served = startStandaloneSimulator({
    backend,
    userId: "operator",
    token: TOKEN,
    host: "127.0.0.1",
    port: 0,
    log: logger("test"),
    now: Date.now,
    ...options,
  });
  atEnd(() => served.stop());
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${served.url}${path}`, { headers });
    const body = await response.json();
    return { status: response.status, code: body.error?.code ?? null, body };
  };
  return { ask, served };
}

const bearing = (token: string, userId: string) => ({ "Authorization": `Bearer ${token}`, "X-Mkt-User": userId });

describe("a standalone simulator", () => {
  test("serves the users of its engine, with its token, or with one of its file that covers the user", async () => {
    const tokenFile = join(temporaryDirectory(), "tokens");
    writeFileSync(tokenFile, "desk token-of-the-desk- viewer\n", { mode: 0o600 });
    const engine = await startTestEngine({ token: TOKEN });
    const { ask } = serve(engine.webSocketUrl, { tokenFile });
    const status = (token: string, userId: string) => ask("/api/sim/status", bearing(token, userId));
    expect(await status(TOKEN, "operator")).toMatchObject({ status: 200, body: { status: "stopped" } });
    expect(await status(TOKEN, "viewer")).toMatchObject({ status: 200 });
    expect(await status(TOKEN, "nobody")).toMatchObject({ status: 403, code: "unknown_user" });
    expect(await status("token-of-the-desk-", "viewer")).toMatchObject({ status: 200 });
    expect(await status("token-of-the-desk-", "operator")).toMatchObject({ status: 403, code: "user_not_covered" });
    expect(await ask("/nowhere", bearing(TOKEN, "operator"))).toMatchObject({ status: 404, code: "not_found" });
  });

  test("sends its engine nothing for a request without a token or from a foreign origin", async () => {
    let requests = 0;
    const engine = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => {
        requests++;
        return new Response(null, { status: 503 });
      },
    });
    atEnd(() => engine.stop(true));
    const { ask } = serve(`ws://127.0.0.1:${engine.port}/ws`);
    expect(await ask("/api/sim/status", bearing("wrong", "operator"))).toMatchObject({ status: 401 });
    expect(await ask("/api/sim/status")).toMatchObject({ status: 401, code: "unauthorized" });
    const foreign = { ...bearing(TOKEN, "operator"), Host: "evil.example" };
    expect(await ask("/api/sim/status", foreign)).toMatchObject({ status: 403, code: "forbidden_host" });
    const page = { ...bearing(TOKEN, "operator"), Origin: "https://evil.example" };
    expect(await ask("/api/sim/status", page)).toMatchObject({ status: 403, code: "forbidden_origin" });
    expect(requests).toBe(0);
  });

  test("answers 503 while its engine is unreachable, and 200 to health checks", async () => {
    const { ask } = serve(NOWHERE);
    const answer = await ask("/api/sim/status", bearing(TOKEN, "operator"));
    expect(answer).toMatchObject({ status: 503, code: "engine_unavailable" });
    const body = { status: "ok", backend: NOWHERE, simulation: "stopped" };
    expect(await ask("/health", { Host: "probe.example" })).toEqual({ status: 200, code: null, body });
  });

  test("answers 429 to too many requests without a valid token, and still serves those with one", async () => {
    const engine = await startTestEngine({ token: TOKEN });
    const { ask } = serve(engine.webSocketUrl);
    let { status } = await ask("/api/sim/status");
    expect(status).toBe(401);
    while (status === 401) {
      const burst = await Promise.all(Array.from({ length: 50 }, () => ask("/api/sim/status")));
      status = burst.find((answer) => answer.status !== 401)?.status ?? 401;
    }
    expect(status).toBe(429);
    expect(await ask("/api/sim/status", bearing(TOKEN, "operator"))).toMatchObject({ status: 200 });
  });

  test("reads its market once for requests that come together, again after a failure, and no more once it is known", async () => {
    const market = await marketSnapshot.readSnapshot(
      accessTo((await startTestEngine()).webSocketUrl),
      "operator",
      600_000,
    );
    const outcomes = [() => Promise.reject(new Error("it is away")), () => Promise.resolve(market)];
    const reads = replaced(marketSnapshot, "readSnapshot", (_engine, userId) => {
      expect(userId).toBe("operator");
      return outcomes.shift()?.() ?? Promise.reject(new Error("read again"));
    });
    const { ask } = serve(NOWHERE);
    const both = () =>
      Promise.all(["operator", "viewer"].map((userId) => ask("/api/sim/status", bearing(TOKEN, userId))));
    const failed = await ask("/api/sim/status", bearing(TOKEN, "operator"));
    expect(failed).toMatchObject({ status: 503, body: { error: { message: "it is away" } } });
    expect(await both()).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(await both()).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(reads).toHaveLength(2);
  });

  test("tells metrics to who has the token, also while its engine is unreachable", async () => {
    const { served } = serve(NOWHERE);
    const metrics = (headers: Record<string, string>) => fetch(`${served.url}/metrics`, { headers });
    expect((await metrics({})).status).toBe(401);
    const scraped = await metrics({ Authorization: `Bearer ${TOKEN}` });
    expect([scraped.status, await scraped.text()]).toEqual([200, expect.stringContaining("mkt_simulation_running 0")]);
    expect(await served.metrics()).toBe(await served.metrics());
  });

  test("records a span of each request to its control API", async () => {
    const spans: unknown[] = [];
    const start = (name: string) => ({
      set: (_key: string, value: unknown) => spans.push([name, value]),
      fail: (code: string) => spans.push([name, "failed", code]),
      end: () => spans.push([name, "ended"]),
    });
    const { ask } = serve(NOWHERE, { tracer: { start } as never });
    await ask("/api/sim/status");
    await ask("/health");
    expect(spans).toEqual([["GET /api/sim/status", 401], ["GET /api/sim/status", "ended"]]);
  });

  test("answers until its simulation has ended at a stop, and no longer", async () => {
    const { ask, served } = serve(NOWHERE);
    const ended = Promise.withResolvers<void>();
    replaced(served.simulator, "close", () => ended.promise);
    let isStopped = false;
    const stop = served.stop().then(() => isStopped = true);
    expect(await ask("/health")).toMatchObject({ status: 200 });
    expect(isStopped).toBe(false);
    ended.resolve();
    await stop;
    await expect(fetch(`${served.url}/health`)).rejects.toThrow();
  });
});
