// GET /ready: whether a balancer should send requests. 503 while a connection that is wanted can't be had.

import { describe, expect, test } from "bun:test";
import { keepConnecting } from "../../../core/backend/auto-connect.ts";
import { connectToOneEngine } from "../../../core/backend/same-engine.ts";
import type { PubSubClient } from "../../../core/backend/pubsub-client.ts";
import { mcpApp } from "../../../core/server/mcp-app.ts";
import { logger } from "../../../common/logger.ts";
import { atEnd } from "../../support/at-end.ts";
import { until } from "../../support/until.ts";
import { connected, errorOf, idle } from "../backend/support/clients.ts";
import { httpParts } from "../support/http-parts.ts";
import { configurationFor } from "../support/services.ts";

/** Asks a server with this connection, and with a token that the request lacks. */
function readiness(pubsub: PubSubClient) {
  const configuration = configurationFor({ MCP_HTTP_PORT: "0", MCP_BEARER_TOKEN: "token-of-the-desk" });
  const parts = httpParts({ configuration, services: { pubsub } });
  const app = mcpApp({ ...parts, plain: null, sdk: () => Promise.resolve(new Response("mcp")) });
  return async (headers = {}): Promise<[status: number, said: string, connection: string]> => {
    const request = new Request("http://localhost/ready", { headers: { Host: "probe.example", ...headers } });
    const response = await app.fetch(request, { address: "10.0.0.1", setIdleTimeout: () => {} });
    const { status, connection } = await response.json() as { status: string; connection: string };
    return [response.status, status, connection];
  };
}

test("a page of another origin is not told", async () => {
  const { client } = idle();
  const [status] = await readiness(client)({ Origin: "https://evil.example" });
  expect(status).toBe(403);
});

const READY = [200, "ready", "connected"];
const READY_ALONE = [200, "ready", "disconnected"];

/** A connection with MKT_AUTO_CONNECT. */
function automatic() {
  const { engine, client } = idle({ autoConnect: true });
  const ready = readiness(client);
  const ending = new AbortController();
  atEnd(() => ending.abort());
  const connect = (signal: AbortSignal) => client.connect("u-1", signal);
  const pausing = Promise.withResolvers<void>();
  const pause = () => {
    pausing.resolve();
    return new Promise<void>(() => {});
  };
  const ended = keepConnecting({ pubsub: client, connect, signal: ending.signal, log: logger("test"), pause });
  const refuse = async (code: string) => (await engine.connection()).send({ kind: "refused", code, message: "No." });
  return { engine, client, ready, ended, refuse, pausing: pausing.promise };
}

describe("a server is ready", () => {
  test("if it was never connected, also after an attempt that failed", async () => {
    const { engine, client } = idle();
    const ready = readiness(client);
    expect(await ready()).toEqual(READY_ALONE as never);
    const failed = errorOf(client.connect("u-1"));
    (await engine.connection()).send({ kind: "refused", code: "unknown_user", message: "No." });
    expect((await failed).code).toBe("not_found");
    expect(await ready()).toEqual(READY_ALONE as never);
  });

  test("while it is connected, not after the connection was lost, and again once it is back", async () => {
    const { engine, client, connection } = await connected();
    const ready = readiness(client);
    expect(await ready()).toEqual(READY as never);
    connection.cut();
    await until(() => client.status === "reconnecting");
    expect(await ready()).toEqual([503, "not_ready", "reconnecting"]);
    await engine.admitted();
    await until(() => client.status === "connected");
    expect(await ready()).toEqual(READY as never);
  });

  test("if it was disconnected on purpose, also while the connection was lost", async () => {
    const { client, connection } = await connected();
    const ready = readiness(client);
    connection.cut();
    await until(() => client.status === "reconnecting");
    await client.disconnect();
    expect(await ready()).toEqual(READY_ALONE as never);
  });
});

describe("a server is not ready", () => {
  test("if the engine has ended the connection for good", async () => {
    const { engine, client, connection } = await connected();
    const ready = readiness(client);
    connection.cut();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      (await engine.connection()).send({ kind: "refused", code: "unknown_user", message: "No." });
    }
    await until(() => client.status === "disconnected");
    expect(await ready()).toEqual([503, "not_ready", "disconnected"]);
  });

  test("between the attempts of MKT_AUTO_CONNECT, until it is connected or somebody disconnects it", async () => {
    const { client, ready, refuse, pausing } = automatic();
    expect((await ready())[0]).toBe(503);
    await refuse("shutting_down");
    await pausing;
    expect(await ready()).toEqual([503, "not_ready", "disconnected"]);
    await client.disconnect();
    expect(await ready()).toEqual(READY_ALONE as never);
  });

  test("if MKT_AUTO_CONNECT is refused for good", async () => {
    const { ready, refuse, ended } = automatic();
    await refuse("unknown_user");
    await ended;
    expect(await ready()).toEqual([503, "not_ready", "disconnected"]);
  });

  test("if MKT_AUTO_CONNECT finds two engines", async () => {
    const { engine, client } = idle({ autoConnect: true });
    const ready = readiness(client);
    const backend = { health: () => Promise.resolve({ engineId: "engine-2" }) };
    const sides = { pubsub: client, backend, configuration: configurationFor(), log: logger("test") };
    const failed = errorOf(connectToOneEngine(sides as never, "u-1"));
    await engine.admitted();
    expect((await failed).code).toBe("not_configured");
    expect(await ready()).toEqual([503, "not_ready", "disconnected"]);
  });
});
