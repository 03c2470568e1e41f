// Whole simulations of the built-in market, and of markets with a schedule and with scarce credit.

import { describe, expect, test } from "bun:test";
import { SIMULATION_PRESETS, type SimulationPreset } from "../../../protocol/index.ts";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import { type ExactInteger, sumOf } from "../../../engine/market/exact-integer.ts";
import { WEEKDAYS } from "../../../engine/market/session-schedule.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { BUILT_IN_AS_OF, startTimeOf } from "../../../sim/experiment/start-time.ts";
import type { HeadlessRun } from "../../../sim/headless/headless-run.ts";
import { simulate } from "../../../sim/headless/simulate.ts";
import { STRATEGIES } from "../../../sim/strategies/registry.ts";
import { size } from "../../support/sizes.ts";
import { BUILT_IN, HOUR, runOf, seldomRevised } from "./support.ts";

const STEPS = size(1_200, 300_000);
const PRESET_STEPS = size(1_100, 300_000);
/** The least ratio of one preset's mean spread to a calmer one's. In a short run all spreads are alike at first. */
const WIDER = size(1.15, 1.25);

/** Over days: everybody acts and learns seldom. */
function slow(preset: SimulationPreset, meanMs = size(2 * HOUR, HOUR / 4)) {
  const { trading, ...experiment } = seldomRevised(presetExperiment(preset), size(HOUR, HOUR / 30));
  const pace = { kind: "exponential" as const, meanMs };
  return { ...experiment, trading: { ...trading, pace, paces: {} } };
}

/** The number of trades after this many simulated hours, reached in parts of `steps` steps. */
function tradesBy(run: HeadlessRun, hours: number, steps: number): number {
  while (run.time < BUILT_IN_AS_OF + hours * HOUR) run.advance(steps);
  return run.metrics.trades;
}

function sumOver(run: HeadlessRun, amount: (persona: HeadlessRun["personas"][number]) => ExactInteger): ExactInteger {
  return run.personas.reduce((sum, persona) => sumOf(sum, amount(persona)), 0 as ExactInteger);
}

/** Positions in each contract, cash and trading results sum to zero over all personas. */
function expectConserved(run: HeadlessRun): void {
  const positions = new Map<string, number>();
  for (const { contract, position } of run.personas.flatMap(({ account }) => [...account.holdings])) {
    positions.set(contract.id, (positions.get(contract.id) ?? 0) + position);
  }
  expect([...new Set(positions.values())]).toEqual([0]);
  expect(sumOver(run, ({ account }) => account.cash)).toBe(0);
  expect(sumOver(run, ({ account }) => account.profitAndLoss((contract) => run.markPrice(contract)))).toBe(0);
  expect(sumOver(run, ({ account }) => account.volume)).toBe(2 * run.metrics.volume);
  expect(sumOver(run, ({ workingOrders }) => workingOrders)).toBe(run.openOrders);
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

/**
 * In the built-in market any two entities may trade, so a locked or crossed book could only come from orders of one entity.
 */
function expectNotCrossed(run: HeadlessRun): void {
  for (const contract of run.tradedNow) {
    const { bestBid, bestAsk } = run.book(contract);
    if (bestBid === null || bestAsk === null || bestBid < bestAsk) continue;
    expect({ time: run.time, contract: contract.id, bestBid, bestAsk }).toBeNull();
  }
}

describe.each([...SIMULATION_PRESETS])("a run under %s", (name) => {
  test.each(size([2], [1, 2]))(
    "trades, has no action refused, no locked or crossed book, is conserved, and keeps all limits (seed %d)",
    (seed) => {
      const { run, report } = runOf(presetExperiment(name), seed);
      for (let step = 1; step <= STEPS; step++) {
        run.advance(1);
        expectNotCrossed(run);
        if (step % (STEPS / 20) === 0) expectWithinLimits(run);
        if (step % (STEPS / 4) === 0) expectConserved(run);
      }
      expect(run.metrics.trades).toBeGreaterThan(size(50, 100));
      expect(sumOver(run, ({ counts }) => counts.rejected)).toBe(0);
      expectFullReport(report());
    },
  );
});

/** Has trading results beside physical results and surplus, each in its column, and their totals. */
function expectFullReport({ personas, totals }: ReturnType<ReturnType<typeof runOf>["report"]>): void {
  for (const { strategy, tradingResult, profitAndLoss, physicalResult, surplus, lossLimit } of personas) {
    expect(tradingResult).toBe(profitAndLoss);
    expect(physicalResult === null).toBe(strategy !== "generator" && strategy !== "retailer");
    expect(surplus === null).toBe(STRATEGIES[strategy as keyof typeof STRATEGIES].sides !== "one");
    expect(lossLimit ?? 0).toBeGreaterThan(0);
  }
  const sum = (amount: (persona: (typeof personas)[number]) => number | null) =>
    personas.reduce((total, persona) => total + (amount(persona) ?? 0), 0);
  expect(totals.physicalResult).toBeCloseTo(sum(({ physicalResult }) => physicalResult), 1);
  expect(totals.surplus).toBeCloseTo(sum(({ surplus }) => surplus), 1);
  expect(totals.surplus).toBeGreaterThan(0);
  expect(totals.stoppedForLosses).toBe(sum(({ stoppedForLosses }) => stoppedForLosses));
}

describe("the presets", () => {
  test.each(size([1], [1, 2, 3]))("in calm, the front contracts are two-sided (seed %d)", (seed) => {
    const { run } = runOf(presetExperiment("calm"), seed);
    run.advance(size(1_000, 150_000));
    const books = run.tradedNow.map((contract) => ({ id: contract.id, ...run.book(contract) }));
    expect(books.length).toBeGreaterThan(10);
    expect(books.filter(({ bestBid, bestAsk }) => bestBid === null || bestAsk === null)).toEqual([]);
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
  const experiment = size(slow("calm", HOUR / 100), presetExperiment("calm"));
  const efficiencies = [1].flatMap((seed) => {
    const { metrics } = simulate({ definition: BUILT_IN, experiment: { ...experiment, seed, hours: size(3, 12) } });
    return metrics.allocativeEfficiency ?? [];
  });
  expect(efficiencies.length).toBeGreaterThan(0);
  expect(Math.max(...efficiencies)).toBeLessThanOrEqual(100);
  expect(efficiencies.reduce((sum, each) => sum + each, 0) / efficiencies.length).toBeGreaterThan(40);
});

describe("one seed", () => {
  test("gives the same run for any partition of its steps", () => {
    const [whole, parts] = [1, 2].map(() => runOf(presetExperiment("calm"), 4)) as [Ran, Ran];
    whole.run.advance(1_000);
    for (let count = 0; count < 20; count++) parts.run.advance(50);
    expect(parts.run.time).toBe(whole.run.time);
    expect(parts.report()).toEqual(whole.report());
    const forecasts = whole.run.tradedNow.map((contract) => Math.round(whole.run.bestForecast(contract)));
    expect(whole.report().books.map(({ forecast }) => forecast)).toEqual(forecasts);
    expect(new Set(forecasts).size).toBeGreaterThan(10);
  });

  test.each(size([0.5, 1.25], [0.5, 1, 2.25]))("gives the same run for %d hours and for as many steps", (hours) => {
    const experiment = { ...presetExperiment("thin"), seed: 3 };
    const byHours = simulate({ experiment: { ...experiment, hours }, definition: BUILT_IN });
    expect(Date.parse(byHours.endedAt) - Date.parse(byHours.startedAt)).toBe(hours * HOUR);
    const bySteps = simulate({ experiment: { ...experiment, steps: byHours.steps }, definition: BUILT_IN });
    const { orders, changes, trades, volumeMw } = byHours.totals;
    expect(bySteps).toMatchObject({ steps: byHours.steps, totals: { orders, changes, trades, volumeMw } });
    expect(Date.parse(bySteps.endedAt)).toBeLessThanOrEqual(Date.parse(byHours.endedAt));
    expect(bySteps.personas.map(({ cash }) => cash)).toEqual(byHours.personas.map(({ cash }) => cash));
  });
});

type Ran = ReturnType<typeof runOf>;

describe("the clock of a run", () => {
  test("starts a day before the first delivery, or at the next opening of the market", () => {
    expect(startTimeOf(BUILT_IN)).toBe(BUILT_IN_AS_OF);
    expect(new Date(startTimeOf(WITH_SCHEDULE)).toISOString()).toBe("2026-03-02T15:00:00.000Z");
  });

  test("closes the market overnight, trading resumes at the next opening, and contracts go to delivery without orders", () => {
    const { run } = runOf(slow("thin"), 1, WITH_SCHEDULE);
    const front = run.tradedNow.map(({ id }) => id).filter((id) => id.includes("DA-"));
    const atClose = tradesBy(run, 17.2, 1);
    const overnight = tradesBy(run, 32.5, 1);
    expect(atClose).toBeGreaterThan(0);
    expect(overnight).toBe(atClose);
    expect(tradesBy(run, 41, 20)).toBeGreaterThan(overnight);
    expect(sumOver(run, ({ counts }) => counts.rejected)).toBe(0);
    tradesBy(run, size(58, 60), 20);
    const later = run.tradedNow.map(({ id }) => id);
    expect(front.length).toBeGreaterThan(0);
    expect(later.length).toBeGreaterThan(0);
    expect(front.filter((id) => later.includes(id))).toEqual([]);
    for (const contract of run.contracts.filter(({ deliveryStart }) => deliveryStart <= run.time)) {
      expect(run.book(contract)).toMatchObject({ bestBid: null, bestAsk: null });
    }
    expectConserved(run);
  });
});

describe("scarce credit", () => {
  const withCredit = (megawatts: number): MarketDefinition => {
    const limits = [{ limitType: "mw" as const, scope: "total" as const, limit: megawatts, marginPercent: 100 }];
    return { ...BUILT_IN, creditDefaults: { limits, documentation: "docs_in_place" } };
  };

  test("ends the trading, and is never exceeded", () => {
    const limit = size(1, 5);
    const { run } = runOf(seldomRevised(presetExperiment("calm"), HOUR), 1, withCredit(limit));
    run.advance(size(3_000, 50_000));
    const entities = new Set(run.personas.map(({ entityId }) => entityId)).size;
    const allCredit = limit * 1000 * entities * (entities - 1) / 2;
    expect(run.metrics.volume).toBeLessThanOrEqual(allCredit);
    expect(run.metrics.volume).toBeGreaterThan(allCredit / 2);
    const { trades } = run.metrics;
    run.advance(size(1_000, 20_000));
    expect(run.metrics.trades - trades).toBeLessThan(trades / 20);
    expectConserved(run);
  });

  test.each(size([2], [2, 4, 6]))("is released as deliveries end, and resting orders then trade (seed %d)", (seed) => {
    const { trading, ...volatile } = slow("volatile");
    const { run } = runOf({ ...volatile, trading: { ...trading, contractsPerProduct: 24 } }, seed, withCredit(1));
    const beforeDelivery = tradesBy(run, 24, 50);
    expect(tradesBy(run, size(36, 50), 50)).toBeGreaterThan(beforeDelivery);
    expectConserved(run);
  });
});

/** 09:00 to 17:00 in Chicago, on weekdays. */
const schedule = { days: WEEKDAYS.slice(0, 5), preopen: "08:30", open: "09:00", close: "17:00" };
const WITH_SCHEDULE: MarketDefinition = {
  ...BUILT_IN,
  markets: BUILT_IN.markets.map((market) => ({ ...market, schedule })),
};
