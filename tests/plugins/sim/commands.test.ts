// What the commands to the simulator pass on, and what they say of each answer.

import { describe, expect, jest, test } from "bun:test";
import type { z } from "zod";
import * as progress from "../../../core/tools/progress.ts";
import simulation from "../../../plugins/sim/simulation.ts";
import * as personaProgress from "../../../plugins/sim/persona-progress.ts";
import spot from "../../../plugins/sim/spot.ts";
import { ownSignal } from "../../support/own-signal.ts";
import { replaced } from "../../support/replaced.ts";

const [start, stop] = simulation;
const [getSpotPrices, trigger] = spot;
const RUN = { status: "running", preset: "calm", speed: 60, totals: { personas: 3 }, metrics: {}, personas: [{}] };

/** A context whose simulator gives this answer to everything. */
function contextWith(answer: object) {
  const signal = ownSignal();
  const asked = jest.fn((..._all: unknown[]) => Promise.resolve(answer));
  const all = (name: string) => (...given: unknown[]) => asked(name, ...given);
  const simulator = { start: all("start"), stop: all("stop"), spot: all("spot"), trigger: all("trigger") };
  const context = {
    signal,
    simulator,
    progress: progress.noProgress,
    configuration: { backend: { confirmTimeoutMs: 1, userId: "u" } },
    pubsub: { session: null },
  };
  return { context: context as never, asked: asked.mock.calls, signal };
}
const ok = (result: object) => ({ kind: "ok", result });
const refused = { kind: "rejected", code: "not_running", message: "No." };

describe.each(
  [
    ["mkt_sim_start", start!, "starting", [{ seed: 5 }], { changed: null, simulation: null }],
    ["mkt_sim_stop", stop!, "stopping", [], {
      changed: null,
      ordersCancelled: null,
      personasDisconnected: null,
      simulation: null,
    }],
  ] as const,
)("%s", (name, tool, state, request, failed) => {
  test("is asked with the call's signal, and reports how many personas are done", async () => {
    const { context, asked, signal } = contextWith(ok({ changed: true, ...RUN }));
    const reported = replaced(personaProgress, "withPersonaProgress", (work) => work);
    const answer = await tool.handler((request[0] ?? {}) as never, context) as Record<string, unknown>;
    expect(asked).toEqual([[name.slice("mkt_sim_".length), ...request, signal]]);
    expect<unknown>(reported.map(([, of, given]) => [of, given === context])).toEqual([[state, true]]);
    expect(answer).toMatchObject({ status: "success", userId: "u", changed: true });
    expect(answer["simulation"]).toMatchObject({ preset: "calm", totals: { personas: 3 } });
    expect(answer["simulation"]).not.toHaveProperty("personas");
    expect(answer["simulation"]).not.toHaveProperty("changed");
  });

  test("that is refused has none of its own fields", async () => {
    const answer = await tool.handler({} as never, contextWith(refused).context);
    expect(answer).toMatchObject({ status: "rejected", userId: "u", ...failed });
    expect(tool.requires).toEqual({ permissions: ["Market.Operate"] });
  });
});

test.each([
  [true, "The simulation is running; personas: 3, preset calm, speed 60."],
  [false, "The simulation was running already; personas: 3, preset calm, speed 60."],
])("a start that changed something: %p is told so", async (changed, message) => {
  expect(await start!.handler({} as never, contextWith(ok({ changed, ...RUN })).context)).toMatchObject({
    changed,
    message,
  });
});

test.each([
  [true, "Stopped; orders cancelled: 4, personas disconnected: 2."],
  [false, "No simulation was running."],
])("a stop that changed something: %p is told so", async (changed, message) => {
  const result = { changed, ordersCancelled: 4, personasDisconnected: 2, ...RUN };
  const answer = await stop!.handler({} as never, contextWith(ok(result)).context);
  expect(answer).toMatchObject({ changed, message, ordersCancelled: 4, personasDisconnected: 2 });
});

test("only what lessens risk is allowed while frozen, and each command says whether it may be repeated", () => {
  expect([start!, stop!, trigger!].map(({ allowedWhenFrozen = false, annotations }) => [
    allowedWhenFrozen,
    annotations.destructiveHint,
    annotations.idempotentHint,
  ])).toEqual([[false, false, true], [true, true, true], [false, false, false]]);
});

describe("spot prices", () => {
  const point = (time: string, price: number) => ({ time, price, regime: "normal", secret: 1 });
  const node = (name: string, price: number) => ({
    node: name,
    ...point("t2", price),
    history: [point("t1", price - 1)],
  });
  const shown = (name: string, price: number) => ({
    node: name,
    time: "t2",
    price,
    regime: "normal",
    history: [{ time: "t1", price: price - 1, regime: "normal" }],
  });
  const answer = {
    status: "running",
    nodes: [node("NORTH", 10), node("SOUTH", -20)],
    congested: true,
    events: [{ id: 1 }],
  };

  test("of the asked hours are shown for both nodes, or for the named one in any case", async () => {
    const { context, asked, signal } = contextWith(answer);
    const waits = replaced(progress, "reportWait", (work) => work);
    const get = (given: object) => Promise.resolve(getSpotPrices!.handler({ hours: 7, ...given } as never, context));
    const rest = { status: "running", congested: true, events: [{ id: 1 }] };
    expect<unknown>(await get({})).toEqual({ ...rest, nodes: [shown("NORTH", 10), shown("SOUTH", -20)] });
    expect(asked).toEqual([["spot", 7, signal]]);
    expect(waits.map(([, of, wait]) => [of === context, wait])).toEqual([
      [true, { what: "Waits for the simulator's answer" }],
    ]);
    for (const name of ["SOUTH", " south ", "South"]) {
      expect<unknown>(await get({ node: name })).toEqual({ ...rest, nodes: [shown("SOUTH", -20)] });
    }
    await expect(get({ node: "SUOTH" })).rejects.toMatchObject({
      code: "not_found",
      message: 'There is no price node "SUOTH".',
      hint: expect.stringMatching(/SOUTH.*Give one of NORTH, SOUTH, or leave node out for both\.$/),
    });
  });

  test("are those of a day if no hours are given, and of 0 to 168 hours", () => {
    const input = getSpotPrices!.input as unknown as z.ZodType<{ hours: number }>;
    expect(input.parse({}).hours).toBe(24);
    const accepted = [0, 168, -1, 169, 1.5].map((hours) => input.safeParse({ hours }).success);
    expect(accepted).toEqual([true, true, false, false, false]);
    expect(getSpotPrices!.requires).toBeUndefined();
  });
});

test.each([[null, "both nodes"], ["NORTH", "node NORTH"]])("an event on %p acts on %s", async (node, where) => {
  const event = { type: "heatwave", node, endsAt: "2030-06-01T18:00:00.000Z", startedAt: "other" };
  const { context, asked, signal } = contextWith(ok({ event }));
  const waits = replaced(progress, "reportWait", (work) => work);
  const request = { type: "heatwave", size: 2 };
  expect<unknown>(await trigger!.handler(request as never, context)).toEqual({
    userId: "u",
    status: "success",
    message: `heatwave acts on ${where}, as expected until 2030-06-01T18:00:00.000Z.`,
    event,
  });
  expect([asked, waits.length]).toEqual([[["trigger", request, signal]], 1]);
  expect(await trigger!.handler(request as never, contextWith(refused).context)).toMatchObject({
    status: "rejected",
    event: null,
  });
});
