// mkt refuses to work if MKT_BASE_URL and MKT_WS_URL name two different engines.

import { expect, test } from "bun:test";
import { logger } from "../../common/logger.ts";
import { examine } from "../../cli/doctor/doctor.ts";
import { findingsAsText } from "../../cli/doctor/finding.ts";
import { callTool } from "../../cli/server/call-tool.ts";
import { keepConnecting } from "../../core/backend/auto-connect.ts";
import { connectToOneEngine } from "../../core/backend/same-engine.ts";
import { until } from "../support/until.ts";
import { Desk, part, text } from "./support/desk.ts";

const first = await Desk.open();
const second = await Desk.open();

const webSocketOf = ({ engine }: Desk) => `ws://127.0.0.1:${engine.port}/ws`;
const httpOf = ({ engine }: Desk) => `http://127.0.0.1:${engine.port}`;
/** HTTP of the first engine, WebSocket of the second. */
const mixed = () => first.seat("alice", { MKT_WS_URL: webSocketOf(second) });

test("mkt_connect_pubsub refuses, names both engines and both addresses, and makes no connection", async () => {
  const seat = await mixed();
  const { isError, value } = await seat.call("mkt_connect_pubsub");
  expect(isError).toBe(true);
  expect(value).toMatchObject({
    status: "error",
    userId: null,
    entityId: null,
    engineId: null,
    error: { code: "not_configured", hint: expect.stringMatching(/MKT_BASE_URL.*MKT_HOST.*MKT_WS_URL/) },
  });
  for (const named of [first.engine.engineId, second.engine.engineId, httpOf(first), webSocketOf(second)]) {
    expect(text(part(value, "error"), "message")).toContain(named);
  }
  expect(seat.runtime.services.pubsub.status).toBe("disconnected");
  expect(await seat.failure("mkt_list_orders")).toMatchObject({ code: "not_connected" });
});

test("concurrent connects are refused too", async () => {
  const seat = await mixed();
  const codes = await Promise.all(
    Array.from({ length: 5 }, async () => (await seat.failure("mkt_connect_pubsub"))["code"]),
  );
  expect(new Set(codes)).toEqual(new Set(["not_configured"]));
  expect(seat.runtime.services.pubsub.status).toBe("disconnected");
});

test("a connect that is cancelled during the check leaves no unchecked connection", async () => {
  const { runtime } = await mixed();
  const abort = new AbortController();
  const { pubsub, backend } = runtime.services;
  const asked = Promise.withResolvers<void>();
  const watched = {
    ...runtime.services,
    backend: {
      ...backend,
      health: (signal?: AbortSignal) => {
        asked.resolve();
        return backend.health(signal);
      },
    },
  };
  const connecting = connectToOneEngine(watched, "alice", abort.signal).catch((error: unknown) => error);
  await asked.promise;
  abort.abort("cancelled");
  expect(await connecting).toBe("cancelled");
  await until(() => pubsub.status === "disconnected");
});

test("MKT_AUTO_CONNECT ends with the first refusal, and connects to neither", async () => {
  const { services } = (await mixed()).runtime;
  await keepConnecting({
    pubsub: services.pubsub,
    connect: (signal) => connectToOneEngine(services, "alice", signal),
    signal: new AbortController().signal,
    log: logger("test"),
    pause: () => expect.unreachable("it tries again"),
  });
  expect(services.pubsub.status).toBe("disconnected");
});

test("mkt call refuses too", async () => {
  const { runtime } = await mixed();
  const { failed, text } = await callTool(runtime, "mkt_get_market_state", {});
  expect(failed).toBe(true);
  expect(JSON.parse(text)).toMatchObject({ error: { code: "not_configured" } });
});

test("mkt doctor reports it and names both engines", async () => {
  const findings = await examine((await mixed()).runtime);
  expect(findings.find(({ subject }) => subject === "backend HTTP")).toMatchObject({ state: "ok" });
  const { state, detail } = findings.find(({ subject }) => subject === "backend WebSocket") ?? expect.unreachable();
  expect(state).toBe("failed");
  for (const named of [first.engine.engineId, second.engine.engineId, "MKT_BASE_URL", "MKT_WS_URL"]) {
    expect(detail).toContain(named);
  }
  expect(findingsAsText(findings)).toMatch(/^failed +backend WebSocket/m);
});

test("mkt doctor names the engine if both sides have the same", async () => {
  const { runtime } = await first.seat("alice");
  const findings = await examine(runtime);
  for (const subject of ["backend HTTP", "backend WebSocket"]) {
    expect(findings).toContainEqual({
      subject,
      state: "ok",
      detail: expect.stringContaining(`engine ${first.engine.engineId}`),
    });
  }
});

const untold: [string, (request: Request) => Response | Promise<Response>][] = [
  ["no id", () => Response.json({ status: "ok" })],
  ["an error", () => Response.json({ error: { code: "x", message: "y" } }, { status: 500 })],
  ["a page", () => new Response("<html>")],
];

test.each(untold)("connects to an engine whose /health gives %s", async (_what, fetch) => {
  await using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch });
  const seat = await second.seat("alice", { MKT_BASE_URL: `http://127.0.0.1:${server.port}` });
  expect(await seat.ok("mkt_connect_pubsub")).toMatchObject({ engineId: second.engine.engineId });
});

test("connects to an engine whose HTTP side does not answer", async () => {
  const seat = await second.seat("alice", { MKT_BASE_URL: "http://127.0.0.1:1" });
  expect(await seat.ok("mkt_connect_pubsub")).toMatchObject({ status: "success" });
});

test("an existing connection is not checked again", async () => {
  let asked = 0;
  const { engineId } = second.engine;
  await using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => {
      asked += 1;
      return Response.json({ status: "ok", engineId });
    },
  });
  const seat = await second.seat("alice", { MKT_BASE_URL: `http://127.0.0.1:${server.port}` });
  for (let call = 0; call < 3; call += 1) await seat.ok("mkt_connect_pubsub");
  expect(asked).toBe(1);
  await seat.ok("mkt_disconnect_pubsub");
  await seat.ok("mkt_connect_pubsub");
  expect(asked).toBe(2);
});
