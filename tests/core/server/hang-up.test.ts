// Calls that end early, over real sockets, on the plain path and through the SDK. A client goes away: the signal of its call
// aborts, and its request gives back what it held. Or the process begins to end: calls that run are still answered.

import { describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { definePack } from "../../../core/packs/pack.ts";
import { serveHttp } from "../../../core/server/http.ts";
import { atEnd } from "../../support/at-end.ts";
import { JSON_HEADERS } from "../../support/http-requests.ts";
import { legacyCall, modernCall, modernHeaders } from "../../support/raw-request.ts";
import { until } from "../../support/until.ts";
import { testTool } from "../support/declarations.ts";
import { openWorld } from "./two-paths/world.ts";

interface Running {
  /** Of the call, as the tool asks for it now. */
  readonly signal: () => AbortSignal;
  readonly finish: () => void;
}

/** A tool that runs until the test ends it, as a change does that waits for its confirmation. */
function packWith(running: Running[]) {
  return definePack({
    name: "long",
    description: "d",
    tools: [testTool("long_run", async (_input, context) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      running.push({ signal: () => context.signal, finish: resolve });
      await promise;
      context.signal.throwIfAborted();
      return {};
    })],
  });
}

interface Form {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Call = [name: string, input?: Record<string, unknown>];

const JSON_ONLY = { "Content-Type": "application/json", "Accept": "application/json" };
const legacyBody = (...call: Call) => JSON.stringify(legacyCall(1, ...call));
const modernForm = (...[name, input = {}]: Call): Form => ({
  headers: modernHeaders("tools/call", name),
  body: modernCall(name, input),
});
const FORMS: Readonly<Record<string, (...call: Call) => Form>> = {
  "2026-07-28": modernForm,
  "2025-11-25, an event stream": (...call) => ({ headers: JSON_HEADERS, body: legacyBody(...call) }),
  "2025-11-25, JSON": (...call) => ({ headers: JSON_ONLY, body: legacyBody(...call) }),
};

const CASES = [true, false].flatMap((plainPath) =>
  Object.keys(FORMS).map((form) => [plainPath ? "plain path" : "SDK", form, plainPath] as const)
);

async function open(plainPath: boolean, environment: Readonly<Record<string, string>> = {}, drainMs = 1) {
  const running: Running[] = [];
  const world = await openWorld({ environment, packs: [packWith(running)] }, plainPath);
  await world.settle();
  const server = serveHttp({ ...world.serving, plainPath, drainMs });
  atEnd(() => server.stop());
  atEnd(() => running.forEach(({ finish }) => finish()));
  const port = Number(new URL(server.url).port);
  /** At most so many bytes of the body are sent. */
  const post = async (form: string, call: Call, bytes = Infinity): Promise<Socket> => {
    const { headers, body } = FORMS[form]?.(...call) ?? expect.unreachable();
    const lines = Object.entries({ "Host": `127.0.0.1:${port}`, ...headers, "Content-Length": Buffer.byteLength(body) })
      .map(([header, value]) => `${header}: ${value}`);
    const request = ["POST /mcp HTTP/1.1", ...lines, "", body].join("\r\n");
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.resume();
    const sent = request.slice(0, Math.min(request.length, request.length - body.length + bytes));
    await new Promise<void>((resolve) => socket.write(sent, () => resolve()));
    return socket;
  };
  /** The status of a call on a connection of its own. */
  const ping = async () => {
    const { headers, body } = modernForm("mkt_ping");
    const init = { method: "POST", headers: { ...headers, Connection: "close" }, body };
    return (await fetch(`${server.url}/mcp`, init)).status;
  };
  const outcomes = (tool: string) =>
    world.records.filter((record) => record.tool === tool).map(({ outcome }) => outcome);
  return { world, running, server, post, ping, outcomes };
}

const WAIT: Call = ["mkt_watch_orders", { waitSeconds: 30 }];

describe.each(CASES)("%s, protocol %s", (_path, form, plainPath) => {
  const isStream = form.includes("stream");

  test.each(isStream ? ["before", "after"] : ["before"])(
    "a wait ends as given up when its client goes away %s its answer has begun",
    async (when) => {
      const { world, post, outcomes } = await open(plainPath);
      const socket = await post(form, WAIT);
      if (when === "after") await new Promise((resolve) => socket.once("data", resolve));
      await until(() => world.dispatcher.waiting === 1);
      socket.destroy();
      await until(() => world.dispatcher.waiting === 0);
      expect(await until(() => outcomes("mkt_watch_orders")[0])).toBe("given_up");
    },
  );

  test("a call's signal aborts when its client goes away, and its place is free at once", async () => {
    const { running, post, ping, outcomes } = await open(plainPath, { MCP_MAX_REQUESTS: "2" });
    const sockets = [await post(form, ["long_run"]), await post(form, ["long_run"])];
    await until(() => running.length === 2);
    expect(running.map(({ signal }) => signal().aborted)).toEqual([false, false]);
    sockets[0]?.destroy();
    await until(() => running.some(({ signal }) => signal().aborted));
    expect(running.filter(({ signal }) => signal().aborted)).toHaveLength(1);
    // The call itself still runs.
    expect(outcomes("long_run")).toEqual([]);
    await until(async () => await ping() === 200);
    sockets[1]?.destroy();
    await until(() => running.every(({ signal }) => signal().aborted));
    for (const { finish } of running) finish();
    expect(await until(() => outcomes("long_run"), (ended) => ended.length === 2)).toEqual(["given_up", "given_up"]);
  });

  test("a call that asks for its signal late learns that its client has gone away", async () => {
    const { server, running, post, outcomes } = await open(plainPath);
    (await post(form, ["long_run"])).destroy();
    await until(() => running.length === 1);
    // By now the server has read the end of the connection.
    for (let count = 0; count < 5; count += 1) await fetch(`${server.url}/health`);
    for (const { finish } of running) finish();
    expect(await until(() => outcomes("long_run")[0])).toBe("given_up");
  });

  test("a request whose body is cut off leaves nothing behind", async () => {
    const { world, post, ping } = await open(plainPath, { MCP_MAX_REQUESTS: "1", MCP_BODY_TIMEOUT_MS: "60000" });
    const socket = await post(form, ["mkt_ping"], 10);
    await until(async () => await ping() === 503);
    const before = world.records.length;
    socket.destroy();
    await until(async () => await ping() === 200);
    expect(world.records.length - before).toBe(1);
  });

  test("clients that go away right after they have sent their calls leave no wait behind", async () => {
    const { world, post, ping, outcomes } = await open(plainPath, { MCP_MAX_REQUESTS: "60" });
    for (let sent = 0; sent < 40; sent += 1) (await post(form, WAIT)).destroy();
    expect(await ping()).toBe(200);
    await until(() => world.dispatcher.waiting === 0);
    // A call that waited to its end would be ok.
    expect(outcomes("mkt_watch_orders").filter((outcome) => outcome !== "given_up")).toEqual([]);
  });

  test("calls that run when the process begins to end are answered before the server stops", async () => {
    const { world, server, running, post } = await open(plainPath, {}, 30_000);
    const received = ["", ""];
    const sockets = [await post(form, WAIT), await post(form, ["long_run"])];
    for (const [at, socket] of sockets.entries()) socket.on("data", (part) => received[at] += String(part));
    await until(() => world.dispatcher.waiting === 1 && running.length === 1);
    world.dispatcher.refuseChanges();
    const drained = world.dispatcher.drain(30_000);
    for (const { finish } of running) finish();
    await drained;
    const stopped = server.stop();
    await until(() => received[0]?.includes('"waited":true') && received[1]?.includes('"structuredContent":{}'));
    for (const socket of sockets) socket.end();
    await stopped;
  });

  test("a stop ends a call that still runs after the limit", async () => {
    const { running, server, post } = await open(plainPath);
    const socket = await post(form, ["long_run"]);
    const closed = new Promise((resolve) => socket.on("close", resolve));
    let received = "";
    socket.on("data", (part) => received += String(part));
    await until(() => running.length === 1);
    await server.stop();
    await closed;
    expect(received).not.toContain("structuredContent");
  });

  test("notifications/cancelled of another request does not end a call, because requests share nothing", async () => {
    const { world, server, post } = await open(plainPath);
    const socket = await post(form, WAIT);
    await until(() => world.dispatcher.waiting === 1);
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    const init = { method: "POST", headers: JSON_ONLY, body: JSON.stringify(cancelled) };
    expect((await fetch(`${server.url}/mcp`, init)).status).toBe(202);
    expect(world.dispatcher.waiting).toBe(1);
    socket.destroy();
    await until(() => world.dispatcher.waiting === 0);
  });
});
