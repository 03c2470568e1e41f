// Whole simulations of the built-in market, and of markets with a schedule and with scarce credit: conservation,
// presets, and determinism.

import { describe, expect, test } from "bun:test";
import { SIMULATION_PRESETS, type SimulationPreset } from "../../../protocol/index.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { HeadlessRun } from "../../../sim/headless/headless-run.ts";
import type { PopulationSettings } from "../../../sim/population/create-personas.ts";
import { simulate } from "../../../sim/headless/simulate.ts";
import { BUILT_IN_AS_OF, startTimeOf } from "../../../sim/experiment/start-time.ts";
import { type ExactInteger, sumOf } from "../../../engine/market/exact-integer.ts";
import { WEEKDAYS } from "../../../engine/market/session-schedule.ts";
import { SpotProcess } from "../../../sim/spot/spot-process.ts";
import { size } from "../../support/sizes.ts";

const STEPS = size(2_000, 300_000);
const PRESET_STEPS = size(3_000, 300_000);
/** The least ratio of one preset's mean spread to a calmer one's. In a short run all spreads are alike at first. */
const WIDER = size(1.15, 1.25);
const HOUR = 3_600_000;
/** The pace of runs over days. */
const slow = { kind: "exponential", meanMs: size(HOUR, HOUR / 4) } as const;
const BUILT_IN = builtInMarket();

function runOf(definition: MarketDefinition, experiment: PopulationSettings, seed = 1): HeadlessRun {
  const startTime = startTimeOf(definition);
  const spot = new SpotProcess({ seed, startTime, timezone: "America/Chicago", nodes: ["NORTH", "WEST"] });
  return new HeadlessRun({ definition, startTime, seed, experiment, spot });
}

/** Positions by contract, and cash, summed over all personas. */
function sums(run: HeadlessRun) {
  const positions = new Map<string, number>();
  let cash: ExactInteger = 0;
  for (const { account } of run.personas) {
    cash = sumOf(cash, account.cash);
    for (const { contract, position } of account.holdings) {
      positions.set(contract.id, (positions.get(contract.id) ?? 0) + position);
    }
  }
  return { cash, positions: [...new Set(positions.values())] };
}

/** The number of trades after this many simulated hours, reached in parts of `steps` steps. */
function tradesBy(run: HeadlessRun, hours: number, steps: number): number {
  while (run.time < startTimeOf(BUILT_IN) + hours * HOUR) run.advance(steps);
  return run.metrics.trades;
}

function expectConserved(run: HeadlessRun): void {
  expect(sums(run)).toEqual({ cash: 0, positions: [0] });
  const valued = run.personas.reduce(
    (sum, { account }) => sumOf(sum, account.profitAndLoss((contract) => run.markPrice(contract))),
    0 as ExactInteger,
  );
  expect(valued).toBe(0);
  const bought = run.personas.reduce((sum, { account }) => sum + account.volume, 0);
  expect(bought).toBe(2 * run.metrics.volume);
  expect(run.personas.reduce((sum, { workingOrders }) => sum + workingOrders, 0)).toBe(run.openOrders);
}

/** Every position, and what every persona still has open, is within the persona's limits. */
function expectWithinLimits(run: HeadlessRun): void {
  for (const { limits, account, workingOrders } of run.personas) {
    const waiting = [...account.holdings].filter(({ contract }) => contract.deliveryStart > run.time);
    const positions = waiting.map(({ position }) => Math.abs(position) / 1_000);
    expect(Math.max(0, ...positions)).toBeLessThanOrEqual(limits.contractPositionMw);
    expect(positions.reduce((sum, position) => sum + position, 0)).toBeLessThanOrEqual(limits.totalPositionMw);
    expect(workingOrders).toBeLessThanOrEqual(limits.workingOrders);
  }
}

describe.each([...SIMULATION_PRESETS])("a run under %s", (name) => {
  test.each(size([1], [1, 2]))(
    "trades, has no action refused, conserves positions and cash, and keeps every persona within its limits (seed %d)",
    (seed) => {
      const run = runOf(BUILT_IN, presetExperiment(name), seed);
      for (let part = 0; part < 20; part++) {
        run.advance(STEPS / 20);
        expectWithinLimits(run);
        if (part % 5 === 4) expectConserved(run);
      }
      expect(run.metrics.trades).toBeGreaterThan(100);
      expect(run.personas.reduce((sum, { counts }) => sum + counts.rejected, 0)).toBe(0);
    },
  );
});

describe("the presets", () => {
  test.each(size([1], [1, 2, 3]))("in calm, the front contracts are two-sided (seed %d)", (seed) => {
    const run = runOf(BUILT_IN, presetExperiment("calm"), seed);
    run.advance(size(3_000, 150_000));
    const sides = run.tradedNow.map((contract) => {
      const { bestBid, bestAsk } = run.book(contract);
      return { id: contract.id, twoSided: bestBid !== null && bestAsk !== null };
    });
    expect(sides.length).toBeGreaterThan(10);
    expect(sides.filter(({ twoSided }) => !twoSided)).toEqual([]);
  });

  test("in stress, spreads are widest, and prices further from the fundamental than in calm (means of three seeds)", () => {
    const meansOf = (name: SimulationPreset) => {
      const reports = [1, 2, 3].map((seed) =>
        simulate({ definition: BUILT_IN, experiment: { ...presetExperiment(name), seed, steps: PRESET_STEPS } }).metrics
      );
      const mean = (figure: "meanSpread" | "smithsAlpha") =>
        reports.reduce((sum, metrics) => sum + (metrics[figure] ?? NaN), 0) / 3;
      return { spread: mean("meanSpread"), alpha: mean("smithsAlpha") };
    };
    const [calm, volatile, stress] = [meansOf("calm"), meansOf("volatile"), meansOf("stress")];
    expect(stress.spread).toBeGreaterThan(WIDER * volatile.spread);
    expect(volatile.spread).toBeGreaterThan(WIDER * calm.spread);
    expect(volatile.alpha).toBeGreaterThan(calm.alpha);
    expect(stress.alpha).toBeGreaterThan(calm.alpha);
  });
});

test("traders with limits realise most of the surplus among themselves", () => {
  const { metrics } = simulate({
    definition: BUILT_IN,
    experiment: { ...presetExperiment("calm"), ...size({ hours: 3, seed: 3 }, { hours: 12, seed: 1 }) },
  });
  expect(metrics.allocativeEfficiency ?? 0).toBeWithin(40, 100);
});

describe("one seed", () => {
  test("gives one run, and another seed gives another", () => {
    const report = (seed: number) =>
      JSON.stringify(
        simulate({ definition: BUILT_IN, experiment: { ...presetExperiment("volatile"), seed, steps: 1_000 } }),
      );
    expect(report(7)).toBe(report(7));
    expect(report(8)).not.toBe(report(7));
  });

  test("gives the same run for any partition of its steps", () => {
    const whole = runOf(BUILT_IN, presetExperiment("calm"), 4);
    whole.advance(1_500);
    const parts = runOf(BUILT_IN, presetExperiment("calm"), 4);
    for (let count = 0; count < 30; count++) parts.advance(50);
    expect(parts.time).toBe(whole.time);
    expect(parts.metrics.trades).toBe(whole.metrics.trades);
    expect(parts.personas.map(({ account }) => account.cash)).toEqual(
      whole.personas.map(({ account }) => account.cash),
    );
  });
});

describe("the clock of a run", () => {
  test("takes contracts to delivery: their orders expire, and the next contracts are traded", () => {
    const thin = presetExperiment("thin");
    const run = runOf(BUILT_IN, { ...thin, trading: { ...thin.trading, pace: slow, paces: {} } }, 3);
    const front = run.tradedNow.map(({ id }) => id);
    tradesBy(run, 60, 100);
    const later = run.tradedNow.map(({ id }) => id);
    expect(front.filter((id) => id.includes("DA-")).some((id) => later.includes(id))).toBeFalse();
    for (const contract of run.contracts.filter(({ deliveryStart }) => deliveryStart <= run.time)) {
      expect(run.book(contract)).toMatchObject({ bestBid: null, bestAsk: null });
    }
    expectConserved(run);
  });

  test("starts a day before the first delivery, or at the next opening of the market", () => {
    expect(startTimeOf(BUILT_IN)).toBe(BUILT_IN_AS_OF);
    const officeHours = withSchedule(BUILT_IN);
    expect(new Date(startTimeOf(officeHours)).toISOString()).toBe("2026-03-02T15:00:00.000Z");
  });

  test("closes the market overnight, and trading resumes at the next opening", () => {
    const run = runOf(withSchedule(BUILT_IN), presetExperiment("thin"));
    const atClose = tradesBy(run, 17.2, 20);
    const overnight = tradesBy(run, 32.5, 20);
    expect(atClose).toBeGreaterThan(0);
    expect(overnight).toBe(atClose);
    expect(tradesBy(run, 41, 20)).toBeGreaterThan(overnight);
    expect(run.personas.reduce((sum, { counts }) => sum + counts.rejected, 0)).toBe(0);
  });
});

describe("scarce credit", () => {
  const withCredit = (megawatts: number): MarketDefinition => {
    const limits = [{ limitType: "mw" as const, scope: "total" as const, limit: megawatts, marginPercent: 100 }];
    return { ...BUILT_IN, creditDefaults: { limits, documentation: "docs_in_place" } };
  };

  test("ends the trading, and is never exceeded", () => {
    const limit = size(2, 5);
    const run = runOf(withCredit(limit), presetExperiment("calm"));
    run.advance(size(9_000, 50_000));
    const entities = new Set(run.personas.map(({ entityId }) => entityId)).size;
    const allCredit = limit * 1000 * entities * (entities - 1) / 2;
    expect(run.metrics.volume).toBeLessThanOrEqual(allCredit);
    expect(run.metrics.volume).toBeGreaterThan(allCredit / 2);
    const { trades } = run.metrics;
    run.advance(size(3_000, 20_000));
    expect(run.metrics.trades - trades).toBeLessThan(trades / 20);
    expectConserved(run);
  });

  test.each(size([2], [2, 4, 6]))("is released as deliveries end, and resting orders then trade (seed %d)", (seed) => {
    const volatile = presetExperiment("volatile");
    const trading = { ...volatile.trading, pace: slow, paces: {}, contractsPerProduct: 24 };
    const run = runOf(withCredit(1), { ...volatile, trading }, seed);
    const beforeDelivery = tradesBy(run, 24, 50);
    expect(tradesBy(run, 50, 50)).toBeGreaterThan(beforeDelivery);
    expectConserved(run);
  });
});

/** 09:00 to 17:00 in Chicago, on weekdays. */
function withSchedule(definition: MarketDefinition): MarketDefinition {
  const schedule = { days: WEEKDAYS.slice(0, 5), preopen: "08:30", open: "09:00", close: "17:00" };
  return { ...definition, markets: definition.markets.map((market) => ({ ...market, schedule })) };
}
