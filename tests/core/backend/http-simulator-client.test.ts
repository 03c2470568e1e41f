// The control API of the simulator over HTTP: what each call asks, how long it waits, and what it says if that fails.

import { afterAll, describe, expect, test } from "bun:test";
import { NEUTRAL_ADVICE } from "../../../core/advice.ts";
import { HttpSimulatorClient } from "../../../core/backend/http-simulator-client.ts";
import { errorOf } from "./support/clients.ts";

let answer: (request: Request) => Response | Promise<Response> = () => Response.json({});
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => answer(request) });
afterAll(() => server.stop(true));

const baseUrl = `http://127.0.0.1:${server.port}`;
const options = { baseUrl, token: null, actingUserId: () => "u-1", advice: NEUTRAL_ADVICE };
const client = new HttpSimulatorClient(options, 600_000);
const hasty = new HttpSimulatorClient(options, 30);
const SPOT = { status: "running", nodes: [], congested: false, events: [] };

type Ask = (client: HttpSimulatorClient, signal?: AbortSignal) => Promise<unknown>;
const READS: [string, Ask, string][] = [
  ["status", (on, signal) => on.status(signal), "GET /api/sim/status"],
  ["spot", (on, signal) => on.spot(5, signal), "GET /api/sim/spot?hours=5"],
];
const COMMANDS: [string, Ask, string, string][] = [
  [
    "start",
    (on, signal) => on.start({ preset: "thin" } as never, signal),
    "POST /api/sim/start",
    NEUTRAL_ADVICE.unknownSimulationStart,
  ],
  ["stop", (on, signal) => on.stop(signal), "POST /api/sim/stop", NEUTRAL_ADVICE.unknownSimulationStop],
  [
    "trigger",
    (on, signal) => on.trigger({ type: "heat_wave" } as never, signal),
    "POST /api/sim/events",
    NEUTRAL_ADVICE.unknownMarketEvent,
  ],
];

describe.each<[string, Ask, string, string?]>([...READS, ...COMMANDS])("%s", (_, ask, request, advice) => {
  test("asks the simulator as the user", async () => {
    const asked: unknown[] = [];
    answer = ({ method, url, headers }) => {
      asked.push(`${method} ${url.slice(baseUrl.length)} ${headers.get("X-Mkt-User")}`);
      return Response.json(SPOT);
    };
    await ask(client).catch(() => {});
    expect(asked).toEqual([`${request} u-1`]);
  });

  test("ends with its caller", async () => {
    const abort = new AbortController();
    const never = Promise.withResolvers<Response>();
    answer = () => {
      abort.abort(new Error("the client went away"));
      return never.promise;
    };
    expect((await errorOf(ask(client, abort.signal))).message).toBe("the client went away");
    never.resolve(new Response());
  });

  test("says what is missing if there is no simulator, or if it can't reach its engine", async () => {
    answer = () => new Response("no page", { status: 404 });
    expect(await errorOf(ask(client))).toMatchObject({
      code: "not_configured",
      message: expect.stringContaining(baseUrl),
      hint: expect.stringContaining("MKT_SIM_URL"),
    });
    answer = () => Response.json({ error: { code: "engine_unavailable", message: "No engine." } }, { status: 503 });
    expect(await errorOf(ask(client))).toMatchObject({
      code: "backend_unavailable",
      message: expect.stringContaining("can't reach its engine: No engine."),
    });
    answer = () => Response.json({ error: { code: "x", message: "Broken." } }, { status: 500 });
    const broken = await errorOf(ask(client));
    expect(broken).toMatchObject({
      code: "backend_error",
      message: expect.stringContaining("The simulator answered 500"),
    });
    if (advice !== undefined) expect(broken.hint).toContain(advice);
  });
});

describe.each(COMMANDS)("%s", (_, ask, _request, advice) => {
  test("waits its own time for an answer, then advises what to do about its unknown outcome", async () => {
    const never = Promise.withResolvers<Response>();
    answer = () => never.promise;
    expect(await errorOf(ask(hasty))).toMatchObject({
      code: "timeout",
      message: expect.stringContaining("within 30 ms"),
      hint: expect.stringContaining(advice),
    });
    never.resolve(new Response());
  });

  test.each([400, 409])("is refused by a %d with its code and its reason", async (status) => {
    answer = () => Response.json({ error: { code: "stopping", message: "It stops." } }, { status });
    expect(await ask(client)).toEqual({ kind: "rejected", code: "stopping", message: "It stops." });
    answer = () => new Response("<h1>", { status });
    expect(await ask(client)).toMatchObject({ kind: "rejected", code: String(status) });
  });
});

test("reads wait as long as any other question, and a refusal of one is an error", async () => {
  answer = () => Response.json({ ...SPOT, more: 1 });
  expect(await hasty.spot(0)).toMatchObject(SPOT as never);
  answer = () => Response.json({ error: { code: "invalid_payload", message: "hours" } }, { status: 400 });
  expect(await errorOf(hasty.spot(999))).toMatchObject({ code: "backend_error" });
});
