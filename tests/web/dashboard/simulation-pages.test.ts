// The pages of the simulation and of spot prices. reading.ts explains the notation.

import { describe, expect, test } from "bun:test";
import { type FunctionComponent, h } from "preact";
import type { SimulationResult, SpotResult } from "../../../web/contract/tool-results.ts";
import type { PageProps } from "../../../web/dashboard/pages/page.ts";
import { Refusal, settle, show } from "../support/browser.ts";
import { openDashboard, type State } from "../support/dashboard.ts";
import { NOON } from "../support/market.ts";
import { update } from "../updates.ts";

const dashboard = await openDashboard();
const { answers, applyUpdates, inState, lastSent, sent } = dashboard;
const { default: SimulationPage } = await import("../../../web/dashboard/pages/simulation.tsx");
const { default: Spot } = await import("../../../web/dashboard/pages/spot.tsx");
const { ConfirmDialog } = await import("../../../web/dashboard/operation/confirm-dialog.tsx");
const { confirmation } = await import("../../../web/dashboard/operation/confirmation.ts");

const page = (content: FunctionComponent<PageProps>) =>
  show(h("div", {}, h(content, { argument: "" }), h(ConfirmDialog, {})));
const FROZEN = { frozen: { reason: "drill", since: null } } satisfies Partial<State>;

const STATUS: SimulationResult = {
  status: "running",
  preset: "calm",
  seed: 7,
  speed: 1,
  startedAt: NOON,
  simulatedTime: NOON,
  totals: {
    personas: 50,
    connected: 50,
    workingOrders: 1_234,
    orders: 0,
    cancels: 0,
    rejected: 0,
    trades: 0,
    volumeMw: 0,
  },
  metrics: {},
  strategies: [],
  count: 1,
  total: 1,
  cursor: null,
  personas: [{
    id: "P",
    entityId: "CEDAR",
    strategy: "zip",
    workingOrders: 0,
    orders: 0,
    trades: 0,
    profitAndLoss: 0,
  }],
};

describe("the page of the simulation", () => {
  const simulation = (status: SimulationResult["status"], state: Partial<State> = {}) => {
    answers["mkt_sim_status"] ??= { ...STATUS, status };
    inState(state);
    return page(SimulationPage);
  };

  test.each<[name: string, status: SimulationResult["status"], state: Partial<State>, has: string[], hasNot: string]>([
    ["it runs", "running", {}, [
      "50 personas trade with 1,234 open orders.",
      "<‹danger›Stop simulation>\n",
      "<Trigger event>\n",
      "State: ‹good›running",
      "[CEDAR](#/entities/CEDAR)",
    ], "Start simulation"],
    ["it runs and the server is frozen", "running", FROZEN, [
      "<‹danger›Stop simulation>\n",
      "<Trigger event ✗> ‹reason›The server is frozen",
    ], "<Trigger event>"],
    ["it is stopping", "stopping", {}, [
      "<‹danger›Stop simulation ✗> ‹reason›It is stopping already",
      "<Trigger event ✗> ‹reason›No simulation is running",
    ], "Start"],
    ["it starts", "starting", {}, ["<‹danger›Stop simulation>\n"], "Start simulation"],
    ["it is stopped", "stopped", {}, [
      "{calm*, volatile, stress, thin, credit}",
      "<‹primary›Start simulation>\n",
      "<Trigger event ✗> ‹reason›No simulation is running",
    ], "Stop simulation"],
    ["the user may not", "stopped", { connection: { permissions: [] } }, [
      "<‹primary›Start simulation ✗> ‹reason›anna lacks Market.Operate",
    ], "Stop simulation"],
    ["somebody only looks", "running", { session: { access: "view" } }, ["State: ‹good›running"], "Stop simulation"],
  ])("if %s", async (_name, status, state, has, hasNot) => {
    const { text } = await simulation(status, state);
    for (const part of has) expect(`${text}\n`).toContain(part);
    expect(text).not.toContain(hasNot);
  });

  test("asks for all personas, and can't start what does not answer", async () => {
    await simulation("running");
    expect(lastSent()[1]).toMatchObject({ limit: 200 });
    answers["mkt_sim_status"] = () => {
      throw new Refusal(502, { code: "unreachable", message: "The simulator is away." });
    };
    const { text } = await simulation("running");
    expect(text).toContain("<‹primary›Start simulation ✗> ‹reason›The simulator does not answer");
    expect(text).toEndWith("unreachable The simulator is away.\n<Try again>");
  });

  test("starts with what was typed, which must be numbers in their ranges", async () => {
    const shown = await simulation("stopped");
    for (
      const [seed, speed, reason] of [
        ["1.5", "", "Seed must be a whole number from 0 to 4,294,967,295"],
        ["", "1001", "Speed must be a number from 0.1 to 1,000"],
      ] as const
    ) {
      await shown.type("Seed", seed);
      await shown.type("Speed of market time", speed);
      expect(shown.text).toContain(`<‹primary›Start simulation ✗> ‹reason›${reason}`);
    }
    await shown.type("Seed", "0");
    await shown.type("Speed of market time", "0.1");
    await shown.type("Preset", "stress", "change");
    answers["mkt_sim_start"] = { status: "success" };
    await shown.click("Start simulation");
    expect(shown.text).toContain("Start the simulation with preset stress");
    await settle(() => confirmation.value!.agree());
    expect(lastSent()).toEqual(["tools/mkt_sim_start", { preset: "stress", seed: 0, speed: 0.1 }, "undefined"]);
    const before = sent.length;
    await settle(() => confirmation.value!.close());
    expect(sent.slice(before).map(({ path }) => path)).toEqual(["/dashboard/tools/mkt_sim_status"]);
  });

  test("triggers an event of a size, a length and at a node, and stops", async () => {
    const shown = await simulation("running");
    for (
      const [label, text, reason] of [
        ["Size", "", "Size is missing"],
        ["Size", "5.1", "Size must be a number from 0.1 to 5"],
        ["Size", "2", null],
        ["Hours of market time", "", "Duration is missing"],
        ["Hours of market time", "0.2", "Duration must be a number from 0.25 to 720"],
        ["Hours of market time", "12", null],
      ] as const
    ) {
      await shown.type(label, text);
      expect(shown.text).toContain(reason === null ? "<Trigger event>" : `<Trigger event ✗> ‹reason›${reason}`);
    }
    answers["mkt_sim_trigger_event"] = answers["mkt_sim_stop"] = { status: "success" };
    await shown.click("Trigger event");
    expect(shown.text).toContain("Trigger a market event: heat wave");
    expect(shown.text).toContain(
      "at once at NORTH and WEST, with 2 times the typical size, expected to fade over 12 hours",
    );
    await settle(() => confirmation.value!.agree());
    expect(lastSent()[1]).toEqual({ type: "heat_wave", size: 2, durationHours: 12 });
    await settle(() => confirmation.value!.close());
    await shown.type("Node", "WEST", "change");
    await shown.type("Event", "demand_drop", "change");
    await shown.click("Trigger event");
    await settle(() => confirmation.value!.agree());
    expect(lastSent()[1]).toEqual({ type: "demand_drop", node: "WEST", size: 2, durationHours: 12 });
    await settle(() => confirmation.value!.close());
    await shown.click("Stop simulation");
    expect(shown.text).toContain("Cancels every open order of the 50 personas (1,234 when last asked)");
    await settle(() => confirmation.value!.agree());
    expect(lastSent()).toEqual(["tools/mkt_sim_stop", {}, "undefined"]);
    await settle(() => confirmation.value!.close());
  });
});

describe("the page of spot prices", () => {
  const SPOT: SpotResult = {
    status: "running",
    congested: false,
    events: [],
    nodes: [
      {
        node: "NORTH",
        price: 4_673,
        regime: "base",
        time: NOON,
        history: [{ time: NOON, price: 4_600, regime: "base" }],
      },
    ],
  };

  test("follows the market between two reads, and asks for a week if asked", async () => {
    answers["mkt_sim_get_spot_prices"] = SPOT;
    const shown = await page(Spot);
    expect(shown.text).toContain("<24 h ✓> <7 d>");
    expect(shown.text).toContain("NORTH, $/MWh: 46.73");
    const change = (type: string, price: number) =>
      settle(() =>
        applyUpdates([
          update({
            events: [{
              sequence: price,
              category: "pricing",
              type,
              time: NOON,
              data: { node: "NORTH", price, regime: "spike", time: "2026-11-23T12:00:01.000Z" },
            }],
          }),
        ])
      );
    await change("change.book", 9_000);
    expect(shown.text).toContain("NORTH, $/MWh: 46.73");
    await change("change.spot", 9_900);
    expect(shown.text).toContain("NORTH, $/MWh: 99.00 ‹danger›spike");
    await dashboard.later(15_000);
    await shown.click("7 d");
    expect([lastSent()[1], shown.text.includes("46.73")]).toEqual([{ hours: 168 }, true]);
  });

  test("says that there are no nodes, or why nothing is there", async () => {
    answers["mkt_sim_get_spot_prices"] = { ...SPOT, nodes: [] };
    expect((await page(Spot)).text).toContain(
      "No spot prices\nThe simulator has no price nodes. [Simulation](#/simulation)",
    );
    answers["mkt_sim_get_spot_prices"] = () => {
      throw new TypeError("fetch failed");
    };
    expect((await page(Spot)).text).toContain("unreachable The server can't be reached.");
  });
});
