// The tools of the sim pack with a scripted control API over HTTP: what they send, and how they report answers, refusals and
// lost answers. tests/e2e/simulation-tools.test.ts has a real simulator.

import { beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createRuntime } from "../../core/runtime.ts";
import { configurationFor } from "../core/support/services.ts";
import { column, Desk, list, part, Seat, text } from "./support/desk.ts";
import { PROGRAM } from "./support/packs.ts";
import { MAX_PERSONAS, PERSONA_STRATEGIES } from "../../protocol/index.ts";
import { EVENT, ScriptedSimulator, SPOT, STATUS } from "./support/scripted-simulator.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

let simulator: ScriptedSimulator;
let seat: Seat;

beforeEach(async () => {
  simulator = new ScriptedSimulator();
  seat = await seatAt(simulator.url);
});

async function seatAt(url: string, environment: Record<string, string> = {}): Promise<Seat> {
  const configuration = configurationFor({ MKT_SIM_URL: url, MKT_BEARER_TOKEN: "hush", ...environment });
  return new Seat(await createRuntime(configuration, PROGRAM));
}

const { personas: PERSONAS, failure: _failure, ...SUMMARY } = STATUS;

const COMMANDS: readonly [string, Record<string, unknown>][] = [
  ["mkt_sim_start", {}],
  ["mkt_sim_stop", {}],
  ["mkt_sim_trigger_event", { type: "heat_wave" }],
];
const READERS = ["mkt_sim_status", "mkt_sim_get_spot_prices"];

describe("mkt_sim_start", () => {
  test("sends its input as the acting user, with the token, and gives the state of the simulation", async () => {
    const input = { preset: "calm", personas: [{ strategy: "zip", count: 3, entityId: "alpha" }], seed: 7, speed: 10 };
    expect(await seat.ok("mkt_sim_start", input)).toEqual({
      status: "success",
      message: "The simulation is running; personas: 3, preset calm, speed 10.",
      userId: "user-1",
      changed: true,
      simulation: SUMMARY,
    });
    expect(simulator.requests).toEqual([
      { line: "POST /api/sim/start", userId: "user-1", authorization: "Bearer hush", body: input },
    ]);
  });

  test("sends no defaults: the simulator chooses", async () => {
    await seat.ok("mkt_sim_start");
    expect(simulator.requests[0]?.body).toEqual({});
  });

  test("says that the simulation runs already", async () => {
    simulator.replies(() => Response.json({ ...STATUS, changed: false }));
    expect(await seat.ok("mkt_sim_start")).toMatchObject({
      changed: false,
      message: "The simulation was running already; personas: 3, preset calm, speed 10.",
    });
  });

  // Only the simulator knows the strategies from files that it was started with.
  test("tells what the simulator says of an unknown strategy", async () => {
    const said = 'personas[0].strategy: no such strategy "psychic"; use one of zic, zip, mine';
    simulator.refuses(400, "invalid_payload", said);
    const error = await seat.failure("mkt_sim_start", { personas: [{ strategy: "psychic", count: 1 }] });
    expect(error).toMatchObject({ status: "rejected", message: expect.stringContaining(said) });
  });

  test.each([
    ["already_running", "mkt_sim_stop"],
    ["stopping", "mkt_sim_status"],
  ])("tells %s as rejected, with what to do", async (code, advice) => {
    simulator.refuses(409, code, "Not now.");
    const { isError, value } = await seat.call("mkt_sim_start");
    expect(isError).toBe(true);
    expect(value).toEqual({
      status: "rejected",
      message: "Rejected; nothing was changed.",
      userId: "user-1",
      changed: null,
      simulation: null,
      reason: code,
      error: { code: "rejected", message: "Not now.", hint: expect.stringContaining(advice) },
    });
  });
});

test("mkt_sim_stop reports what it ended", async () => {
  expect(await seat.ok("mkt_sim_stop")).toEqual({
    status: "success",
    message: "Stopped; orders cancelled: 6, personas disconnected: 3.",
    userId: "user-1",
    changed: true,
    ordersCancelled: 6,
    personasDisconnected: 3,
    simulation: { ...SUMMARY, status: "stopped" },
  });
});

test("mkt_sim_stop says that nothing was running", async () => {
  const stopped = { ...STATUS, status: "stopped", changed: false, ordersCancelled: 0, personasDisconnected: 0 };
  simulator.replies(() => Response.json(stopped));
  expect(await seat.ok("mkt_sim_stop")).toMatchObject({
    message: "No simulation was running.",
    changed: false,
    ordersCancelled: 0,
    personasDisconnected: 0,
    simulation: { status: "stopped" },
  });
});

test("mkt_sim_stop reports a refusal as rejected", async () => {
  simulator.refuses(409, "stopping", "Not now.");
  const { isError, value } = await seat.call("mkt_sim_stop");
  expect(isError).toBe(true);
  expect(value).toMatchObject({
    status: "rejected",
    reason: "stopping",
    changed: null,
    ordersCancelled: null,
    personasDisconnected: null,
    simulation: null,
    error: { code: "rejected", hint: expect.stringContaining("mkt_sim_status") },
  });
});

describe("mkt_sim_status", () => {
  const ROW = {
    entityId: "alpha",
    netPositionMw: -5,
    workingOrders: 2,
    orders: 9,
    trades: 4,
    profitAndLoss: -7.25,
  };

  test("gives the simulation, the sums of each strategy, and a row for each persona", async () => {
    expect(await seat.ok("mkt_sim_status")).toEqual({
      ...SUMMARY,
      strategies: [
        {
          strategy: "zic",
          personas: 2,
          workingOrders: 4,
          orders: 18,
          trades: 8,
          netPositionMw: -10,
          profitAndLoss: -14.5,
        },
        {
          strategy: "zip",
          personas: 1,
          workingOrders: 2,
          orders: 9,
          trades: 4,
          netPositionMw: -5,
          profitAndLoss: -7.25,
        },
      ],
      count: 3,
      total: 3,
      hasMore: false,
      cursor: null,
      personas: [
        { id: "zic-1", strategy: "zic", ...ROW },
        { id: "zip-1", strategy: "zip", ...ROW },
        { id: "zic-2", strategy: "zic", ...ROW },
      ],
    });
  });

  test("filters by strategy; totals and strategies still cover all personas", async () => {
    const value = await seat.ok("mkt_sim_status", { strategy: "zic" });
    expect(column(value, "personas", "id")).toEqual(["zic-1", "zic-2"]);
    expect(value).toMatchObject({ count: 2, total: 2, totals: { personas: 3 } });
    expect(list(value, "strategies")).toHaveLength(2);
    expect(await seat.ok("mkt_sim_status", { strategy: "ZIC" })).toEqual(value);
    expect(await seat.ok("mkt_sim_status", { strategy: "momentum" })).toMatchObject({
      count: 0,
      total: 0,
      note: "The run has no persona of this strategy.",
    });
    expect(await seat.failure("mkt_sim_status", { strategy: "momentun" })).toMatchObject({
      code: "invalid_input",
      hint: expect.stringMatching(/^Did you mean momentum\? Choose from zic, zip/),
    });
  });

  test("gives the columns in fields, or all of them, and names them if one is unknown", async () => {
    const chosen = await seat.ok("mkt_sim_status", { strategy: "zip", fields: ["state", "positions"] });
    const positions = [{ contractId: "base-1", netPositionMw: -5 }];
    expect(list(chosen, "personas")).toEqual([{ id: "zip-1", state: "trading", positions }]);
    const results = { tradingResult: -7.25, physicalResult: null, surplus: 12.5 };
    const losses = { lossLimit: 5_000_000, stoppedUntil: null, stoppedForLosses: 0 };
    const fields = [...Object.keys(results), ...Object.keys(losses)];
    expect(list(await seat.ok("mkt_sim_status", { strategy: "zip", fields }), "personas")).toEqual([
      { id: "zip-1", ...results, ...losses },
    ]);
    expect(list(await seat.ok("mkt_sim_status", { fields: ["all"] }), "personas")).toEqual([...PERSONAS]);
    expect(await seat.failure("mkt_sim_status", { fields: ["profit"] })).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining('"profit"'),
      hint: expect.stringMatching(/Did you mean profitAndLoss\? Choose from .*netPositionMw/),
    });
  });

  test("gives each persona once, page by page, also if figures change meanwhile", async () => {
    const ids: unknown[] = [];
    let cursor: unknown;
    do {
      const personas = PERSONAS.map((persona) => ({ ...persona, orders: ids.length }));
      simulator.replies(() => Response.json({ ...STATUS, personas }));
      const page = await seat.ok("mkt_sim_status", { limit: 1, cursor });
      expect(page).toMatchObject({ count: 1, total: 3, hasMore: page["cursor"] !== null });
      ids.push(...column(page, "personas", "id"));
      cursor = page["cursor"] ?? undefined;
    } while (cursor !== undefined);
    expect(ids).toEqual(["zic-1", "zip-1", "zic-2"]);
  });

  test("refuses the cursor of another run or another filter", async () => {
    const { cursor } = await seat.ok("mkt_sim_status", { limit: 1 });
    const refusal = { code: "invalid_input", message: expect.stringContaining("cursor") };
    expect(await seat.failure("mkt_sim_status", { limit: 1, cursor, strategy: "zic" })).toMatchObject(refusal);
    simulator.replies(() => Response.json({ ...STATUS, startedAt: "2030-07-02T12:00:00.000Z" }));
    expect(await seat.failure("mkt_sim_status", { limit: 1, cursor })).toMatchObject(refusal);
  });

  test("gives unknown totals, metrics and columns of a newer simulator", async () => {
    const newer = {
      ...STATUS,
      totals: { ...STATUS.totals, moods: 2 },
      metrics: {
        smithsAlpha: 45.93708396319302,
        allocativeEfficiency: null,
        mood: 0.125,
        twoSidedBooks: 1,
        meanSpread: 2,
      },
      personas: PERSONAS.map((persona) => ({ ...persona, mood: "bullish" })),
    };
    simulator.replies(() => Response.json(newer));
    const value = await seat.ok("mkt_sim_status", { fields: ["all"] });
    expect(value).toMatchObject({
      totals: { moods: 2 },
      metrics: { smithsAlpha: 45.94, allocativeEfficiency: null, mood: 0.13 },
    });
    expect(list(value, "personas")[0]).toMatchObject({ mood: "bullish" });
  });

  test("says why a metric is null, what values the positions, why nothing is traded, and why run or persona ended", async () => {
    const facts = {
      reasons: { smithsAlpha: "nothing was traded" },
      marks: { book: 2, lastTrade: 0, forecast: 1, delivery: 0 },
      bookSamples: { count: 0, until: null },
      failure: "the engine is gone",
      nothingToTrade: "no contract",
    };
    const [first, ...others] = PERSONAS;
    const personas = [{ ...first, fault: "quote: Error: no" }, ...others];
    simulator.replies(() => Response.json({ ...STATUS, ...facts, personas }));
    const status = await seat.ok("mkt_sim_status");
    expect(status).toMatchObject(facts);
    expect(column(status, "personas", "fault")).toEqual(["quote: Error: no", undefined, undefined]);
    simulator.replies(() => Response.json({ ...STATUS, reasons: {} }));
    expect(await seat.ok("mkt_sim_status")).not.toHaveProperty("reasons");
  });
});

describe("mkt_sim_get_spot_prices", () => {
  test("gives both nodes with a day of history by default", async () => {
    expect(await seat.ok("mkt_sim_get_spot_prices")).toEqual(SPOT);
    await seat.ok("mkt_sim_get_spot_prices", { hours: 0 });
    expect(simulator.requests.map(({ line }) => line)).toEqual([
      "GET /api/sim/spot?hours=24",
      "GET /api/sim/spot?hours=0",
    ]);
  });

  test("filters by node, and lists the nodes if the name is unknown", async () => {
    const value = await seat.ok("mkt_sim_get_spot_prices", { node: "WEST" });
    expect(value).toEqual({ ...SPOT, nodes: SPOT.nodes.slice(1) });
    expect(await seat.ok("mkt_sim_get_spot_prices", { node: "west" })).toEqual(value);
    const error = await seat.failure("mkt_sim_get_spot_prices", { node: "EAST" });
    expect(error).toMatchObject({ code: "not_found", hint: expect.stringContaining("NORTH, WEST") });
  });

  test("refuses more than a week of history", async () => {
    expect(await seat.failure("mkt_sim_get_spot_prices", { hours: 169 })).toMatchObject({ code: "invalid_input" });
  });
});

describe("mkt_sim_trigger_event", () => {
  test("sends the event with its defaults, and gives the acting event", async () => {
    const value = await seat.ok("mkt_sim_trigger_event", { type: "heat_wave" });
    expect(value).toMatchObject({
      status: "success",
      message: "heat_wave acts on both nodes, as expected until 2030-07-02T12:00:00.000Z.",
      event: EVENT,
    });
    expect(simulator.requests[0]?.body).toEqual({ type: "heat_wave", size: 1, durationHours: 6 });
  });

  test("sends node, size and duration unchanged, and names the node in the message", async () => {
    const input = { type: "cold_snap", node: "WEST", size: 2.5, durationHours: 0.25 };
    simulator.replies(() => Response.json({ event: { ...EVENT, type: "cold_snap", node: "WEST" } }));
    expect(await seat.ok("mkt_sim_trigger_event", input)).toMatchObject({
      message: "cold_snap acts on node WEST, as expected until 2030-07-02T12:00:00.000Z.",
    });
    expect(simulator.requests[0]?.body).toEqual(input);
  });

  test("rejects an unknown node, with the simulator's message", async () => {
    simulator.refuses(400, "invalid_payload", "node: no such node; one of NORTH, WEST");
    const { value } = await seat.call("mkt_sim_trigger_event", { type: "heat_wave", node: "EAST" });
    expect(value).toMatchObject({
      status: "rejected",
      reason: "invalid_payload",
      event: null,
      error: { code: "invalid_input", message: expect.stringContaining("NORTH, WEST") },
    });
  });

  test("needs a running simulation", async () => {
    simulator.refuses(409, "not_running", "No simulation runs.");
    const { value } = await seat.call("mkt_sim_trigger_event", { type: "heat_wave" });
    expect(value).toMatchObject({
      status: "rejected",
      reason: "not_running",
      error: { hint: expect.stringContaining("mkt_sim_start") },
    });
  });
});

const unfit: [string, string, Record<string, unknown>, string][] = [
  ["mkt_sim_start", "a negative count", { personas: [{ strategy: "zic", count: -1 }] }, "personas.0.count"],
  ["mkt_sim_start", "100,000 personas", { personas: [{ strategy: "zic", count: 100_000 }] }, "at most 200"],
  ["mkt_sim_start", "too many in all", {
    personas: [{ strategy: "zic", count: 150 }, { strategy: "zip", count: 51 }],
  }, "more than 200 personas in all"],
  ["mkt_sim_start", "no personas", { personas: [] }, "personas"],
  ["mkt_sim_start", "an unknown preset", { preset: "boom" }, "calm, volatile, stress, thin, credit"],
  ["mkt_sim_start", "a speed of 0", { speed: 0 }, "speed"],
  ["mkt_sim_start", "a broken seed", { seed: 1.5 }, "seed"],
  ["mkt_sim_start", "an unknown field of a persona", { personas: [{ strategy: "zic", count: 1, mood: 2 }] }, "mood"],
  ["mkt_sim_trigger_event", "an unknown type", { type: "meteor" }, "heat_wave, cold_snap"],
  ["mkt_sim_trigger_event", "a negative duration", { type: "heat_wave", durationHours: -1 }, "durationHours"],
  ["mkt_sim_trigger_event", "no size", { type: "heat_wave", size: 0 }, "size"],
  ["mkt_sim_trigger_event", "no type", {}, "type"],
];

test.each(unfit)("%s refuses %s before anything is sent, and says what is valid", async (tool, _what, input, said) => {
  const error = await seat.failure(tool, input);
  expect(error).toMatchObject({ status: "error", code: "invalid_input", message: expect.stringContaining(said) });
  expect(simulator.requests).toEqual([]);
});

describe.each([...COMMANDS, ...READERS.map((name) => [name, {}] as const)])("%s", (name, input) => {
  const refusals: [string, [number, string, string], Record<string, unknown>][] = [
    ["there is no simulator", [404, "not_found", "no route"], {
      code: "not_configured",
      hint: expect.stringContaining("MKT_SIM_URL"),
    }],
    ["the simulator can't reach its engine", [503, "engine_unavailable", "the engine at ws://127.0.0.1:1 is silent"], {
      code: "backend_unavailable",
      message: expect.stringContaining("ws://127.0.0.1:1"),
    }],
    ["the simulator refuses the user", [403, "forbidden", "user-1 lacks the permission Market.Operate"], {
      code: "forbidden",
      message: expect.stringContaining("Market.Operate"),
    }],
  ];

  test.each(refusals)("fails with code and advice if %s", async (_what, refusal, expected) => {
    simulator.refuses(...refusal);
    expect(await seat.failure(name, input)).toMatchObject(expected);
  });

  test("is backend_unavailable if nothing listens: nothing was sent", async () => {
    await simulator.breakDown();
    const error = await seat.failure(name, input);
    expect(error).toMatchObject({
      code: "backend_unavailable",
      message: expect.stringContaining(simulator.url),
      hint: expect.stringContaining("MKT_SIM_URL"),
    });
    expect(error).not.toMatchObject({ status: "timeout" });
  });

  test("follows no redirect, which would leak the token", async () => {
    simulator.replies(() => Response.redirect(`${simulator.url}/elsewhere`, 307));
    expect(await seat.failure(name, input)).toMatchObject({ code: "backend_error" });
    expect(simulator.requests).toHaveLength(1);
  });

  test("is backend_error if the answer breaks the protocol", async () => {
    simulator.replies(() => Response.json({ status: "dancing" }));
    expect(await seat.failure(name, input)).toMatchObject({ code: "backend_error" });
  });
});

describe.each(COMMANDS)("%s without an answer", (name, input) => {
  const unknown = {
    status: "timeout",
    code: "timeout",
    message: expect.stringContaining("unknown whether the request took effect, and it may still do so"),
    hint: expect.stringMatching(/mkt_sim_(status|get_spot_prices) shows/),
  };

  test("is sent once, and says that the outcome is unknown and how to find out if the connection breaks", async () => {
    simulator.replies(async () => {
      await simulator.breakDown();
      return new Response();
    });
    expect(await seat.failure(name, input)).toMatchObject(unknown);
    expect(simulator.requests).toHaveLength(1);
  });

  test("says the same after a timeout", async () => {
    const never = Promise.withResolvers<Response>();
    simulator.replies(() => never.promise);
    const hasty = await seatAt(simulator.url, { MKT_CONFIRM_TIMEOUT_MS: "20" });
    expect(await hasty.failure(name, input)).toMatchObject(unknown);
    never.resolve(new Response());
  });

  test("says how to check for open orders if the simulator can't reach its engine", async () => {
    simulator.refuses(503, "engine_unavailable", "whether orders are open is unknown");
    expect(await seat.failure(name, input)).toMatchObject({ code: "backend_unavailable", hint: unknown.hint });
  });

  test("says after a failure of the simulator that the command may have taken effect", async () => {
    simulator.refuses(500, "internal", "the simulator failed");
    expect(await seat.failure(name, input)).toMatchObject({ ...unknown, status: "error", code: "backend_error" });
  });
});

describe("beside an engine", () => {
  test("acts as the connected user; without Market.Operate commands are refused, and reads work", async () => {
    const desk = await Desk.open();
    const alice = await desk.connected("alice", { MKT_SIM_URL: simulator.url });
    for (const [name, input] of COMMANDS) {
      const { value } = await alice.call(name, input);
      expect(value).toMatchObject({ status: "rejected", userId: "alice", error: { code: "forbidden" } });
      expect(text(part(value, "error"), "message")).toContain("Market.Operate");
    }
    expect(simulator.requests).toEqual([]);
    for (const name of READERS) await alice.ok(name);
    expect(simulator.requests.map(({ userId }) => userId)).toEqual(["alice", "alice"]);
    const olga = await desk.connected("olga", { MKT_SIM_URL: simulator.url });
    expect(await olga.ok("mkt_sim_start")).toMatchObject({ userId: "olga" });
  });
});

test("a frozen server refuses mkt_sim_start and mkt_sim_trigger_event only", async () => {
  const directory = temporaryDirectory();
  const path = join(directory, "freeze");
  await Bun.write(path, "prices look wrong");
  const frozen = await seatAt(simulator.url, { MKT_FREEZE_FILE: path });
  for (const name of ["mkt_sim_stop", ...READERS]) await frozen.ok(name);
  for (const [name, input] of COMMANDS.filter(([name]) => name !== "mkt_sim_stop")) {
    expect(await frozen.failure(name, input)).toMatchObject({ status: "rejected", code: "frozen" });
  }
  expect(simulator.requests).toHaveLength(3);
});

test("MKT_READ_ONLY offers status and spot prices only", async () => {
  const reader = await seatAt(simulator.url, { MKT_READ_ONLY: "1", MKT_PACKS: "sim" });
  expect(reader.runtime.dispatcher.catalogue.names).toEqual(READERS);
});

test("the default status of 200 personas of every strategy, with great figures, has less than 6,000 bytes", async () => {
  const personas = Array.from({ length: MAX_PERSONAS }, (_, index) => {
    const strategy = PERSONA_STRATEGIES[index % PERSONA_STRATEGIES.length] ?? "zic";
    return {
      ...PERSONAS[0],
      id: `${strategy}-${index}`,
      strategy,
      entityId: "LAKESHORE",
      workingOrders: 60,
      orders: 123_456,
      trades: 45_678,
      netPositionMw: -1000.5,
      profitAndLoss: -1_234_567.89,
      tradingResult: -1_234_567.89,
      physicalResult: -1_234_567.89,
      surplus: 1_234_567.89,
      stoppedUntil: "2030-07-02T12:00:00.000Z",
      positions: Array.from({ length: 80 }, () => ({ contractId: "NORTH-DA-BASE-2026-11-23", netPositionMw: -5 })),
    };
  });
  simulator.replies(() => Response.json({ ...STATUS, personas }));
  const status = await seat.ok("mkt_sim_status");
  expect(status).toMatchObject({ count: 15, total: MAX_PERSONAS, hasMore: true });
  expect(Buffer.byteLength(JSON.stringify(status))).toBeLessThan(6000);
});
