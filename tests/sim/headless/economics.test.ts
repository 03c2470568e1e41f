// What a run's report says about trading results, physical results, surplus and stops.

import { describe, expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import type { HeadlessReport } from "../../../sim/headless/headless-report.ts";
import { headlessReportText } from "../../../sim/headless/headless-report-text.ts";
import { HeadlessRun } from "../../../sim/headless/headless-run.ts";
import type { PopulationSettings } from "../../../sim/population/create-personas.ts";
import { headlessReport } from "../../../sim/headless/headless-report.ts";
import { BUILT_IN_AS_OF } from "../../../sim/experiment/start-time.ts";
import { DayPackage } from "../../../sim/personas/day-package.ts";
import { type ExactInteger, sumOf } from "../../../engine/market/exact-integer.ts";
import { marketSpotProcess } from "../../../sim/spot/market-spot.ts";
import { SIMULATION_PRESETS } from "../../../protocol/index.ts";
import { STRATEGIES } from "../../../sim/strategies/registry.ts";
import { size } from "../../support/sizes.ts";

const STEPS = size(1_500, 200_000);
const HOUR = 3_600_000;
const BUILT_IN = builtInMarket();

function runOf(experiment: PopulationSettings, seed: number) {
  const spot = marketSpotProcess(BUILT_IN, seed, BUILT_IN_AS_OF);
  const run = new HeadlessRun({ definition: BUILT_IN, startTime: BUILT_IN_AS_OF, seed, experiment, spot });
  const report = (): HeadlessReport =>
    headlessReport(run, spot, { experiment: "test", seed, startTime: BUILT_IN_AS_OF, nodes: spot.nodes });
  return { run, spot, report };
}

const sumOfResults = (results: readonly ExactInteger[]) => results.reduce((sum, result) => sumOf(sum, result), 0);
const hasAssignments = (strategy: string) => STRATEGIES[strategy as keyof typeof STRATEGIES].sides === "one";

describe.each([...SIMULATION_PRESETS])("a report under %s", (name) => {
  test.each(size([1], [1, 2]))(
    "has trading results that sum to zero, beside physical results and surplus (seed %d)",
    (seed) => {
      const { run, report } = runOf(presetExperiment(name), seed);
      run.advance(STEPS);
      const trading = run.personas.map(({ account }) => account.profitAndLoss((contract) => run.markPrice(contract)));
      expect(sumOfResults(trading)).toBe(0);
      const { personas, totals } = report();
      for (const { strategy, tradingResult, profitAndLoss, physicalResult, surplus, lossLimit } of personas) {
        expect(tradingResult).toBe(profitAndLoss);
        expect(physicalResult === null).toBe(strategy !== "generator" && strategy !== "retailer");
        expect(surplus === null).toBe(!hasAssignments(strategy));
        expect(lossLimit ?? 0).toBeGreaterThan(0);
      }
      const sum = (amount: (persona: (typeof personas)[number]) => number | null) =>
        personas.reduce((total, persona) => total + (amount(persona) ?? 0), 0);
      expect(totals.physicalResult).toBeCloseTo(sum(({ physicalResult }) => physicalResult), 1);
      expect(totals.surplus).toBeCloseTo(sum(({ surplus }) => surplus), 1);
      expect(totals.surplus).toBeGreaterThan(0);
      expect(totals.stoppedForLosses).toBe(sum(({ stoppedForLosses }) => stoppedForLosses));
    },
  );
});

describe("units and loads of a run", () => {
  test("earn and pay what the spot prices of the ended hours say", () => {
    const tariff = 4_000;
    const generator = { capacityMw: 100, heatRate: [10, 10], fuelPrice: 200, variableCost: 0 };
    const personas = [
      { strategy: "generator" as const, count: 2, parameters: { ...generator, horizonHours: 24, buyBackPremium: 2 } },
      {
        strategy: "retailer" as const,
        count: 2,
        parameters: { loadMw: [50, 50], tariff, forecastError: 0, firstShare: 0, firstPremium: 0, lastPremium: 0 },
      },
    ];
    const { run, spot, report } = runOf({ ...presetExperiment("calm"), personas }, 3);
    run.advanceTo(BUILT_IN_AS_OF + 24 * HOUR, Infinity);
    const hours = spot.history(25).filter(({ time }) => time >= BUILT_IN_AS_OF && time < BUILT_IN_AS_OF + 24 * HOUR);
    const earned = (node: string) =>
      hours.filter((point) => point.node === node)
        .reduce((sum, { priceCents }) => sum + Math.max(0, priceCents - 2_000) * 100 / 100, 0);
    expect(hours).toHaveLength(48);
    const results = report().personas.map(({ physicalResult }) => physicalResult);
    expect(results[0]).toBeCloseTo(earned("NORTH"), 4);
    expect(results[1]).toBeCloseTo(earned("WEST"), 4);
    expect(results[2]).not.toBe(0);
  });
});

describe("arbitrageurs", () => {
  test("trade the base of a day against its hours, and close the legs", () => {
    const { trading, ...calm } = presetExperiment("calm");
    const pace = { kind: "exponential" as const, meanMs: size(2_000, 5_000) };
    const paces = { ...trading.paces, arbitrageur: pace };
    const { run } = runOf({ ...calm, trading: { ...trading, paces } }, 2);
    let [packages, openLegs] = [0, 0];
    for (const hours of size([1, 2, 3], [3, 4, 5, 6, 7, 8, 9, 10])) {
      run.advanceTo(BUILT_IN_AS_OF + hours * HOUR, Infinity);
      for (const { account } of run.personas.filter(({ strategy }) => strategy === "arbitrageur")) {
        for (const base of run.contracts.filter(({ type }) => type === "base")) {
          const legs = DayPackage.of(base, { matching: (isWanted) => run.contracts.filter(isWanted) })?.hours ?? [];
          const position = account.position(base);
          if (position !== 0) packages += 1;
          openLegs += legs.filter((hour) => account.position(hour) !== -position).length / 24;
        }
      }
    }
    expect(packages).toBeGreaterThan(1);
    expect(openLegs).toBeLessThan(packages / 2);
  });
});

describe("the text of a report", () => {
  test("has the results of each strategy, and a dash for what it has not", () => {
    const { run, report } = runOf(presetExperiment("stress"), 1);
    run.advance(2_000);
    const text = headlessReportText(report());
    expect(text).toMatch(/P&L \$ +physical \$ +surplus \$ +stops/);
    expect(text).toMatch(/generator +4 .* -?\d+ +-?\d+ +- +0$/m);
    expect(text).toMatch(/zic +8 .* -?\d+ +- +\d+ +0$/m);
  });
});
