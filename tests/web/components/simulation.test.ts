// What a person reads of a simulation: personas, strategies, spot prices. reading.ts explains the notation.

import { describe, expect, test } from "bun:test";
import { h } from "preact";
import { PersonaTable } from "../../../web/components/persona-table.tsx";
import { Simulation } from "../../../web/components/simulation.tsx";
import { SpotPrices } from "../../../web/components/spot-prices.tsx";
import type { PersonaRow, SimulationResult, SpotNode, SpotResult } from "../../../web/contract/tool-results.ts";
import { openBrowser, settle, show } from "../support/browser.ts";

openBrowser();

const persona = (id: string, profitAndLoss: number, more: Partial<PersonaRow> = {}): PersonaRow => (
  {
    id,
    entityId: `E-${id}`,
    strategy: "zip",
    workingOrders: 2,
    orders: 1_000,
    trades: 3,
    profitAndLoss,
    ...more,
  }
);

describe("personas", () => {
  test("have their figures, and what is out of the ordinary", async () => {
    const personas = [
      persona("A", 50, { state: "trading" }),
      persona("B", -100, { state: "joining" as never }),
      persona("C", 1, { fault: "threw", stoppedUntil: "2026-11-23T10:00:00Z", state: "trading" }),
      persona("D", 0, { stoppedUntil: "2026-11-23T10:00:00Z" }),
    ];
    const page = await show(h(PersonaTable, { personas, entityAddress: (id: string) => `#/entities/${id}` }));
    expect(page.text).toBe(
      `<Persona> | <Strategy> | <Entity> | <Orders> | <Open> | <Trades> | <Profit, $ ↓>
A | zip | [E-A](#/entities/E-A) | 1,000 | 2 | 3 | ‹gain›▭25% ‹up›▲ +50.00
C ‹danger›faulty: threw | zip | [E-C](#/entities/E-C) | 1,000 | 2 | 3 | ‹gain›▭0.5% ‹up›▲ +1.00
D ‹warning›stopped by losses | zip | [E-D](#/entities/E-D) | 1,000 | 2 | 3 | ‹gain›▭0% ‹none›0.00
B ‹neutral›joining | zip | [E-B](#/entities/E-B) | 1,000 | 2 | 3 | ‹loss›▭50% ‹down›▼ −100.00`,
    );
    expect((await show(h(PersonaTable, { personas: [] }))).text).toBe("No personas");
  });

  test("come in pages of 25, and the last page is not passed", async () => {
    const personas = Array.from({ length: 51 }, (_, index) => persona(`P${index}`, 100 - index));
    const page = await show(h(PersonaTable, { personas }));
    const shown = () => [page.all("tr").length - 1, page.text.split("\n").at(-1)];
    expect(shown()).toEqual([25, "1 to 25 of 51 <Previous> <Next> <Show all>"]);
    await page.click("Previous");
    expect(shown()[1]).toStartWith("1 to 25");
    await page.click("Next");
    await page.click("Next");
    await page.click("Next");
    expect(shown()).toEqual([1, "51 to 51 of 51 <Previous> <Next> <Show all>"]);
    await page.click("Previous");
    expect(shown()).toEqual([25, "26 to 50 of 51 <Previous> <Next> <Show all>"]);
    await page.click("Next");
    await page.redraw(h(PersonaTable, { personas: personas.slice(0, 49) }));
    expect(shown()).toEqual([24, "26 to 49 of 49 <Previous> <Next> <Show all>"]);
    await page.redraw(h(PersonaTable, { personas: personas.slice(0, 25) }));
    expect(page.all("tr").length - 1).toBe(25);
    expect(page.text).not.toContain("Next");
    await page.redraw(h(PersonaTable, { personas }));
    await page.click("Show all");
    expect([page.all("tr").length - 1, page.text.includes("Next")]).toEqual([51, false]);
  });
});

describe("a simulation", () => {
  const STATUS: SimulationResult = {
    status: "running",
    preset: "calm",
    seed: 7,
    speed: 60,
    startedAt: "2026-11-23T10:00:00.000Z",
    simulatedTime: "2026-11-24T13:20:00.000Z",
    totals: {
      personas: 3,
      connected: 2,
      workingOrders: 40,
      orders: 1_234,
      cancels: 56,
      rejected: 7,
      trades: 89,
      volumeMw: 12.5,
    },
    metrics: { meanSpread: 1.25, twoSidedBooks: null, smithsAlpha: null, allocativeEfficiency: 98 },
    reasons: { twoSidedBooks: "no book was seen" },
    strategies: [
      { strategy: "zip", personas: 2, workingOrders: 4, orders: 6, trades: 8, profitAndLoss: -50 },
      { strategy: "aa", personas: 1, workingOrders: 5, orders: 7, trades: 9, profitAndLoss: 100 },
    ],
    count: 3,
    total: 3,
    cursor: null,
    personas: [persona("A", 50), persona("B", -100), persona("C", 100, { strategy: "aa" })],
  };
  const simulation = (change: Partial<SimulationResult>) =>
    show(h(Simulation, { status: { ...STATUS, ...change }, timezone: "America/Edmonton" }));

  test("has its state, figures with units, strategies and personas", async () => {
    expect((await simulation({})).text).toBe(
      `State: ‹good›running / 2 of 3 personas connected
Preset: calm / seed 7
Speed of market time: 60×
Market time: Nov 24, 06:20:00 / 1 d 3 h simulated
Trades: 89
Orders: 1,234 / 40 open
Cancelled: 56 / 7 refused
Mean spread, %: 1.25
Two-sided books, %: –
Smith's alpha, %: –
Efficiency, %: 98
Two-sided books is unknown: no book was seen.
Strategies
<Strategy> | <Personas> | <Orders> | <Open> | <Trades> | <Profit, $ ↓> | <Per persona, $>
<aa> | 1 | 7 | 5 | 9 | ‹gain›▭50% ‹up›▲ +100.00 | ‹up›▲ +100.00
<zip> | 2 | 6 | 4 | 8 | ‹loss›▭25% ‹down›▼ −50.00 | ‹down›▼ −25.00
Personas
<Persona> | <Strategy> | <Entity> | <Orders> | <Open> | <Trades> | <Profit, $ ↓>
C | aa | E-C | 1,000 | 2 | 3 | ‹gain›▭50% ‹up›▲ +100.00
A | zip | E-A | 1,000 | 2 | 3 | ‹gain›▭25% ‹up›▲ +50.00
B | zip | E-B | 1,000 | 2 | 3 | ‹loss›▭50% ‹down›▼ −100.00`,
    );
  });

  test.each<[change: Partial<SimulationResult>, expected: string]>([
    [{ status: "starting" }, "State: ‹info›starting"],
    [{ status: "stopping" }, "State: ‹warning›stopping"],
    [{ status: "stopped" }, "State: ‹neutral›stopped"],
    [{ seed: null, preset: null }, "Preset: – / seed unknown"],
    [{ speed: 0 }, "Speed of market time: in lockstep"],
    [{ speed: null }, "Speed of market time: –"],
    [{ simulatedTime: null }, "Market time: –\n"],
    [{ simulatedTime: "2026-11-23T10:04:59Z" }, "/ 4 min simulated"],
    [{ simulatedTime: "2026-11-23T13:20:00Z" }, "/ 3 h 20 min simulated"],
    [{ failure: "disk full" }, "‹danger›The run failed or ended by itself disk full"],
    [{ nothingToTrade: "no contract" }, "‹warning›Nobody can trade no contract"],
    [{ total: 200 }, "3 of 200 personas are shown."],
    [{ startedAt: null }, "No simulation has run yet"],
  ])("says of a change: %#", async (change, expected) => {
    expect(`${(await simulation(change)).text}\n`).toContain(expected);
  });

  test("shows the personas of the strategy that is chosen, until it is chosen again", async () => {
    const page = await simulation({});
    await page.click("zip");
    expect(page.text).toContain("> <zip ✓> | 2");
    expect(page.text).toContain("Personas of zip");
    expect(page.text).not.toContain("E-C");
    await page.click("zip");
    expect(page.text).toContain("E-C");
  });

  test("orders strategies by the profit of one persona if asked", async () => {
    const strategies = STATUS.strategies.map((row) => ({ ...row, profitAndLoss: row.personas === 2 ? 120 : 100 }));
    const page = await simulation({ strategies });
    const first = () => page.readingOf(page.all("tr")[1]!).slice(0, 5);
    expect(first()).toBe("<zip>");
    await page.click("Per persona, $");
    expect(first()).toBe("<aa> ");
  });
});

describe("spot prices", () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 23, hour)).toISOString();
  const node = (name: string, price: number, regime: string, history: number[]): SpotNode => (
    {
      node: name,
      price,
      regime,
      time: at(12),
      history: history.map((each, hour) => ({ time: at(9 + hour), price: each, regime: "base" })),
    }
  );
  const SPOT: SpotResult = {
    status: "running",
    nodes: [node("NORTH", 4_673, "base", [4_000, 5_000]), node("WEST", 9_900, "spike", [4_100, -200])],
    congested: true,
    events: [{
      id: "1",
      type: "heat_wave",
      node: null,
      size: 1.5,
      startedAt: at(11),
      endsAt: at(17),
      remaining: 0.834,
    }],
  };
  const spot = (change: Partial<SpotResult>) =>
    show(h(SpotPrices, { spot: { ...SPOT, ...change }, timezone: "America/Edmonton" }));

  test("have prices, ranges and the difference in dollars, as steps, and the events that act", async () => {
    const page = await spot({});
    expect(page.text).toStartWith(
      `Market event | NORTH before, now, $/MWh | WEST before, now, $/MWh | Began | Expected end | \
Left of its effect
heat wave at both nodes, size 1.5 | 50.00 → 46.73 (−3.27) | −2.00 → 99.00 (+101.00) | Nov 23, 04:00:00 | \
Nov 23, 10:00:00 | 83 %
NORTH, $/MWh: 46.73 ‹neutral›base / 40.00 to 50.00
WEST, $/MWh: 99.00 ‹danger›spike / −2.00 to 99.00
NORTH less WEST, $/MWh: −52.27 ‹warning›congested / the line between them is full
As of: Nov 23, 05:00:00`,
    );
  });

  test("are a picture with lanes of spikes, congestion and events, which keys read out hour by hour", async () => {
    const page = await spot({});
    const lanes = page.all("spot-lane-name").map((name) => page.readingOf(name));
    expect(lanes).toEqual(["NORTH", "WEST", "congestion", "heat wave"]);
    const widths = (name: string) => page.all(name).map(({ style }) => `${style["left"]} ${style["width"]}`);
    // From 02:00, the first hour, to 10:00, the end of the event.
    expect([widths("spot-band"), widths("spot-event"), widths("spot-congestion")]).toEqual([
      ["25% 75%"],
      ["25% 75%"],
      ["12.5% 12.5%"],
    ]);
    // Two hours, then a gap up to now, and nothing that contracts say of later.
    const paths = page.all("spot-line").map((line) =>
      [...line.descendants()].map(({ attributes }) => attributes.get("d"))
    );
    expect(paths).toEqual(Array(2).fill([expect.stringMatching(/^M0 [\d.]+H125V[\d.]+H250$/), ""]));
    const area = page.all("spot-area")[0]!;
    expect(area.attributes.get("aria-label")).toContain(
      "NORTH is 46.73 dollars, from 40.00 to 50.00 in this time, regime base. WEST is 99.00 dollars, from −2.00",
    );
    const said: string[] = [];
    for (const key of ["ArrowLeft", "Home", "End", "ArrowRight", "Escape"]) {
      await settle(() => void area.dispatch({ type: "keydown", key }));
      said.push(page.all("visually-hidden").map((element) => page.readingOf(element)).join(""));
    }
    expect(said).toEqual([
      "Nov 23, 04:00: NORTH unknown, WEST unknown, heat wave",
      "Nov 23, 02:00: NORTH 40.00, WEST 41.00",
      "Nov 23, 10:00: NORTH unknown, WEST unknown in the market",
      "Nov 23, 10:00: NORTH unknown, WEST unknown in the market",
      "",
    ]);
  });

  test.each<[change: Partial<SpotResult>, has: string, hasNot: string]>([
    [{}, "congested", "stand still"],
    [{ congested: false }, "‹neutral›not congested / the line between them has room", "the line between them is full"],
    [{ status: "stopped" }, "prices stand still: the simulation is stopped", "No history"],
    [{ events: [] }, "NORTH less WEST", "Market event |"],
    [{ nodes: SPOT.nodes.slice(0, 1) }, "NORTH, $/MWh: 46.73", "less"],
    [{ nodes: [node("N", 1, "drop", [])] }, "0.01 ‹good›drop / 0.01 to 0.01", "congestion"],
    [{ nodes: [node("N", 1, "base", [])] }, "No history yet\nPrices are kept by the hour of market time.", "first run"],
    [{ nodes: [node("N", 1, "odd", [])], status: "stopped" }, "Spot prices begin with the first run", "by the hour"],
    [{ events: [{ ...SPOT.events[0]!, node: "WEST" }] }, "heat wave at WEST, size 1.5 |", "both"],
    [{ events: [{ ...SPOT.events[0]!, startedAt: at(9) }] }, "1.5 | unknown → 46.73 | unknown → 99.00", "+"],
  ])("say of a change: %#", async (change, has, hasNot) => {
    const { text } = await spot(change);
    expect(text).toContain(has);
    expect(text).not.toContain(hasNot);
  });
});
