// How an engine begins to listen, stops in order, and counts its HTTP requests.

import { describe, expect, spyOn, test } from "bun:test";
import { Hono } from "hono";
import * as listening from "../../../common/http/listen.ts";
import type { RouteHandler } from "../../../engine/embedded/simulator-host.ts";
import { Backups } from "../../../engine/server/backups/backups.ts";
import * as tokenWatch from "../../../engine/server/connections/token-watch.ts";
import { WebSockets } from "../../../engine/server/connections/web-sockets.ts";
import { EngineHost } from "../../../engine/server/host/engine-host.ts";
import { PATHS, SIMULATOR_PATHS } from "../../../protocol/index.ts";
import { atEnd } from "../../support/at-end.ts";
import { parseMetrics, valueIn } from "../../support/metrics-text.ts";
import { replaced } from "../../support/replaced.ts";
import { until } from "../../support/until.ts";
import { BUYER, connect, serveTestEngine } from "./harness.ts";

/** Notes when methods are called, which do what they did. */
function noted(did: string[], ...methods: readonly (readonly [object, string, string])[]): void {
  for (const [prototype, name, note] of methods) {
    const original = Reflect.get(prototype, name);
    const spy = spyOn(prototype as Record<string, () => unknown>, name).mockImplementation(function (this: unknown) {
      did.push(note);
      return original.call(this);
    });
    atEnd(() => spy.mockRestore());
  }
}

const [SIMULATOR_PATH = ""] = Object.values(SIMULATOR_PATHS);

describe("a served engine that stops", () => {
  test("ends the watch of its tokens, its connections, its backup, its host, and then what is left at its port", async () => {
    const did: string[] = [];
    replaced(tokenWatch, "watchTokens", () => () => void did.push("tokens"));
    const { listen } = listening;
    replaced(listening, "listen", (options) => {
      const listens = listen(options);
      const { server } = listens;
      const stop = server.stop.bind(server);
      server.stop = (isAtOnce) => (did.push(isAtOnce === true ? "requests" : "port"), stop(isAtOnce));
      return listens;
    });
    const engine = serveTestEngine();
    const client = await connect(engine, BUYER);
    noted(
      did,
      [WebSockets.prototype, "shutDown", "connections"],
      [Backups.prototype, "stop", "backups"],
      [EngineHost.prototype, "stop", "host"],
    );
    await engine.stop();
    expect(did).toEqual(["tokens", "connections", "backups", "host", "port", "requests"]);
    expect(await client.refused()).toBe("shutting_down");
    await expect(fetch(`${engine.url}${PATHS.health}`)).rejects.toThrow();
  });

  test("waits two seconds for the requests under way, and then ends them", async () => {
    const engine = serveTestEngine();
    let isAsked = false;
    const never = new Promise<Response>(() => {});
    const routes: RouteHandler = new Hono().all("*", () => ((isAsked = true), never));
    engine.mountSimulator({ routes: () => routes, addMetrics: () => {} });
    const asked = fetch(`${engine.url}${SIMULATOR_PATH}`).then(() => "answered", () => "ended");
    await until(() => isAsked, "the request to arrive");
    const over = Promise.withResolvers<void>();
    const { sleep } = Bun;
    let isWaiting = false;
    replaced(Bun, "sleep", (duration) => {
      if (duration !== 2000) return sleep(duration);
      isWaiting = true;
      return over.promise;
    });
    let hasStopped = false;
    const stopped = engine.stop().then(() => void (hasStopped = true));
    await until(() => isWaiting, "the stop to wait");
    expect(hasStopped).toBe(false);
    over.resolve();
    await stopped;
    expect(await asked).toBe("ended");
  });
});

test("a served engine that fails ends the watch of its tokens, its connections and its port", async () => {
  const did: string[] = [];
  replaced(tokenWatch, "watchTokens", () => () => void did.push("tokens"));
  const engine = serveTestEngine();
  const client = await connect(engine, BUYER);
  noted(did, [WebSockets.prototype, "shutDown", "connections"]);
  engine.engine.execute = () => {
    throw new Error("an invariant is broken");
  };
  const request = { userId: BUYER, operationId: "1", action: "order.submit", payload: {} };
  expect(() => engine.execute(request)).toThrow("an invariant is broken");
  expect((await engine.failed).message).toContain("an invariant is broken");
  expect(did).toEqual(["tokens", "connections"]);
  expect(await client.refused()).toBe("shutting_down");
  await expect(fetch(`${engine.url}${PATHS.health}`)).rejects.toThrow();
});

describe("a port that is taken", () => {
  test("makes the engine fail and give up its host, or take another port if any will do", () => {
    const { port } = serveTestEngine();
    const abandoned: string[] = [];
    noted(abandoned, [EngineHost.prototype, "abandon", "host"]);
    expect(() => serveTestEngine({ port })).toThrow(listening.PortTaken);
    expect(abandoned).toEqual(["host"]);
    const other = serveTestEngine({ port, orAnyPort: true });
    expect(other.port).toBeGreaterThan(0);
    expect([other.port === port, abandoned]).toEqual([false, ["host"]]);
    expect([other.url, other.webSocketUrl]).toEqual([
      `http://127.0.0.1:${other.port}`,
      `ws://127.0.0.1:${other.port}${PATHS.webSocket}`,
    ]);
  });
});

test("the token of this process lets it act as every user, and there is none if no token is required", async () => {
  const engine = serveTestEngine({ token: "a-token-of-this-test" });
  const client = await connect(engine, BUYER, { token: String(engine.ownToken) });
  expect((await client.message("welcome")).userId).toBe(BUYER);
  expect(serveTestEngine().ownToken).toBeNull();
});

test("HTTP requests count by status, upgrades as 101, and the metrics of a simulator are among those of the engine", async () => {
  const engine = serveTestEngine();
  await connect(engine, BUYER);
  for (const path of [PATHS.health, PATHS.health, "/nowhere"]) await fetch(`${engine.url}${path}`);
  engine.mountSimulator({
    routes: () => new Hono(),
    addMetrics: (metrics) => metrics.gauge("mkt_of_this_test", "A test", () => 7),
  });
  const registry = await engine.metrics();
  expect(await engine.metrics()).toBe(registry);
  const families = parseMetrics(await registry.metrics());
  const requests = (status: number) => valueIn(families, "mkt_engine_http_requests_total", { status: String(status) });
  expect([200, 404, 101].map(requests)).toEqual([2, 1, 1]);
  expect(valueIn(families, "mkt_of_this_test", {})).toBe(7);
});
