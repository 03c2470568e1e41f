// The five simulation tools by an official client, which starts, watches, disturbs and stops the simulator
// of an engine.

import { describe, expect, test } from "bun:test";
import { examine } from "../../cli/doctor/doctor.ts";
import { findingsAsText } from "../../cli/doctor/finding.ts";
import { httpServerHere } from "../support/in-process.ts";
import { failure, succeed } from "../support/official-client.ts";
import { startSimulatedMarket } from "../support/power-market.ts";
import { until } from "../support/until.ts";
import { list, part, type Value } from "./support/desk.ts";

/** At this speed five simulated minutes, the step of spot prices, take one second. */
const RUN = { preset: "thin", seed: 7, speed: 300 };
const OPERATOR = "operator";
const TRADER = "riverbend-trader-1";

describe("an operator", async () => {
  const engine = await startSimulatedMarket();
  const client = await engine.client(OPERATOR);

  test("says that nothing runs before the first start", async () => {
    expect(await succeed(client, "mkt_sim_status")).toMatchObject({ status: "stopped", preset: null, personas: [] });
    expect(await succeed(client, "mkt_sim_stop")).toMatchObject({ status: "success", changed: false });
    const refused = await failure(client, "mkt_sim_trigger_event", { type: "heat_wave" });
    expect(refused).toMatchObject({ status: "rejected", reason: "not_running" });
  });

  const personas = (strategy: string, count: number, more: Value = {}) => ({
    personas: [{ strategy, count, ...more }],
  });
  const unfit: [string, Value, string][] = [
    ["an unknown persona", personas("psychic", 1), "zic, zip, gvwy, shvr, aa, avellaneda-stoikov"],
    ["an unknown entity", personas("zic", 1, { entityId: "NOBODY" }), "RIVERBEND"],
  ];

  test.each(unfit)("refuses %s, names what is valid, and starts nothing", async (_what, input, said) => {
    expect(await failure(client, "mkt_sim_start", input)).toMatchObject({
      status: expect.stringMatching(/^(error|rejected)$/),
      error: { code: "invalid_input", message: expect.stringContaining(said) },
    });
    expect(await succeed(client, "mkt_sim_status")).toMatchObject({ status: "stopped" });
  });

  test("lets only operators start, stop and trigger events, and everyone read", async () => {
    const trader = await engine.client(TRADER);
    for (const [tool, input] of [["mkt_sim_start", {}], ["mkt_sim_trigger_event", { type: "cold_snap" }]] as const) {
      expect(await failure(trader, tool, input)).toMatchObject({
        status: "rejected",
        userId: TRADER,
        error: { code: "forbidden", message: expect.stringContaining("Market.Operate") },
      });
    }
    await succeed(trader, "mkt_sim_status");
    await succeed(trader, "mkt_sim_get_spot_prices");
  });

  test("starts a run in which every persona connects, and trades follow", async () => {
    const started = await succeed(client, "mkt_sim_start", RUN);
    expect(started).toMatchObject({ status: "success", changed: true, simulation: { status: "running", ...RUN } });
    const status = await until(
      () => succeed(client, "mkt_sim_status", { fields: ["all"] }),
      (value) => Number(part(value, "totals")["trades"]) > 0,
    );
    const personas = list(status, "personas");
    expect(personas.length).toBe(8);
    expect(personas.every(({ connected }) => connected === true)).toBe(true);
    expect(status).toMatchObject({ ...RUN, count: personas.length, total: personas.length, hasMore: false });
    expect(status).not.toHaveProperty("failure");
    expect(new Set(personas.map(({ entityId }) => entityId)).size).toBe(8);
    // The seed tells the future, which only an operator may know.
    const trader = await engine.client(TRADER);
    expect(await succeed(trader, "mkt_sim_status")).toMatchObject({ ...RUN, seed: null });
    const makers = await succeed(client, "mkt_sim_status", { strategy: "avellaneda-stoikov" });
    expect(new Set(list(makers, "personas").map(({ strategy }) => strategy))).toEqual(new Set(["avellaneda-stoikov"]));
  });

  test("returns hourly spot prices of both nodes and the active events", async () => {
    const before = await succeed(client, "mkt_sim_get_spot_prices", { hours: 48 });
    expect(list(before, "nodes").map(({ node }) => node)).toEqual(["NORTH", "WEST"]);
    for (const node of list(before, "nodes")) expect(list(node, "history").length).toBeGreaterThanOrEqual(47);
    const request = { type: "plant_outage", node: "NORTH", size: 2, durationHours: 4 };
    const triggered = await succeed(client, "mkt_sim_trigger_event", request);
    expect(triggered).toMatchObject({ status: "success", event: { type: "plant_outage", node: "NORTH", size: 2 } });
    const { id, startedAt, endsAt } = part(triggered, "event");
    expect(Date.parse(String(endsAt)) - Date.parse(String(startedAt))).toBe(4 * 3_600_000);
    const during = await succeed(client, "mkt_sim_get_spot_prices");
    expect(list(during, "events").map((event) => event["id"])).toContain(id);
    const refused = await failure(client, "mkt_sim_trigger_event", { type: "heat_wave", node: "EAST" });
    expect(refused).toMatchObject({
      status: "rejected",
      error: { code: "invalid_input", message: expect.stringMatching(/NORTH.*WEST/) },
    });
  });

  test("publishes spot prices as numbered events of the engine, to the buffer and to mkt_watch_book", async () => {
    await succeed(client, "mkt_connect_pubsub");
    const recent = await until(
      () => succeed(client, "mkt_get_recent_events", { category: "pricing", eventTypes: ["change.spot"] }),
      (value) => new Set(list(value, "events").map((event) => part(event, "data")["node"])).size === 2,
    );
    for (const event of list(recent, "events")) {
      expect(event).toMatchObject({
        type: "change.spot",
        category: "pricing",
        data: { node: expect.stringMatching(/^(NORTH|WEST)$/), regime: expect.stringMatching(/^(base|spike|drop)$/) },
      });
    }
    const first = Number(list(recent, "events")[0]?.["sequence"]);
    const watched = await succeed(client, "mkt_watch_book", { since: first - 1, limit: 1 });
    expect(list(watched, "events")[0]).toMatchObject({ sequence: first, type: "change.spot" });
    await succeed(client, "mkt_disconnect_pubsub");
  });

  test("stops with no simulated order working and no persona connected", async () => {
    const stopped = await succeed(client, "mkt_sim_stop");
    expect(stopped).toMatchObject({ status: "success", changed: true, simulation: { status: "stopped" } });
    expect(stopped["personasDisconnected"]).toBe(8);
    const status = await succeed(client, "mkt_sim_status");
    expect(status).toMatchObject({ status: "stopped", ...RUN, totals: { connected: 0, workingOrders: 0 } });
    const users = list(await succeed(client, "mkt_list_users"), "users");
    expect(users.filter(({ connected }) => connected === true)).toEqual([]);
    await succeed(client, "mkt_connect_pubsub");
    for (const open of ["working", "partial", "held"]) {
      expect(await succeed(client, "mkt_list_orders", { status: open })).toMatchObject({ count: 0 });
    }
    expect(await succeed(client, "mkt_sim_stop")).toMatchObject({ status: "success", changed: false });
  });

  test("mkt doctor says where the simulator is", async () => {
    const { runtime } = await httpServerHere(engine.environmentFor(OPERATOR));
    expect(findingsAsText(await examine(runtime)))
      .toMatch(/^ok +simulator +http:\/\/127\.0\.0\.1:\d+, stopped, 0 personas connected$/m);
  });
});
