// What a run's report says about trading results and physical results.

import { describe, expect, test } from "bun:test";
import { dollarsOf } from "../../../engine/market/units.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { headlessReportText } from "../../../sim/headless/headless-report-text.ts";
import { DayPackage } from "../../../sim/personas/day-package.ts";
import type { TradedContract } from "../../../sim/personas/traded-contract.ts";
import { traitsOf } from "../../../sim/population/roles.ts";
import { LONG, size } from "../../support/sizes.ts";
import { HOUR, runOf, seldomRevised } from "./support.ts";

describe("units and loads of a run", () => {
  const ENDED = size(3, 24);

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
    const { run, spot, report, startTime } = runOf({ ...presetExperiment("calm"), personas }, 3);
    const end = startTime + ENDED * HOUR;
    run.advanceTo(end, Infinity);
    const hours = spot.history(ENDED + 1).filter(({ time }) => time >= startTime && time < end);
    const earned = (node: string) =>
      hours.filter((point) => point.node === node)
        .reduce((sum, { priceCents }) => sum + Math.max(0, priceCents - 2_000) * 100 / 100, 0);
    expect(hours).toHaveLength(2 * ENDED);
    const results = report().personas.map(({ physicalResult }) => physicalResult);
    expect(results[0]).toBeCloseTo(earned("NORTH"), 4);
    expect(results[1]).toBeCloseTo(earned("WEST"), 4);
    expect(results[2]).not.toBe(0);
  });
});

const NO_BOOK = { bestBid: null, bestAsk: null, lastPrice: null };

describe("arbitrageurs", () => {
  test("trade the base of a day against its peak and hours, and close the legs", () => {
    const { trading, personas, ...volatile } = presetExperiment("volatile");
    // Content with any gain: makers quote what fits together, so those of the usual size are rare.
    const eager = personas.map((group) =>
      group.strategy === "arbitrageur" ? { ...group, parameters: { leastPackageGain: 0 } } : group
    );
    const pace = { kind: "exponential" as const, meanMs: 1_000 };
    const paces = { ...trading.paces, arbitrageur: pace };
    const { run, startTime } = runOf({ ...volatile, personas: eager, trading: { ...trading, paces } }, 2);
    let [packages, openLegs] = [0, 0];
    for (const hours of size([0.5, 1], [3, 4, 5, 6, 7, 8, 9, 10])) {
      run.advanceTo(startTime + hours * HOUR, Infinity);
      for (const { account } of run.personas.filter(({ strategy }) => strategy === "arbitrageur")) {
        for (const base of run.contracts.filter(({ type }) => type === "base")) {
          const contracts = {
            matching: (isWanted: (contract: TradedContract) => boolean) => run.contracts.filter(isWanted),
          };
          const legs = DayPackage.of(base, contracts)?.hours ?? [];
          const inOthers = (hour: TradedContract) =>
            DayPackage.of(hour, contracts)?.view(() => NO_BOOK, (each) => account.position(each)).position ?? 0;
          if (legs.some((hour) => inOthers(hour) !== 0)) packages += 1;
          openLegs += legs.filter((hour) => account.position(hour) !== -inOthers(hour)).length / 24;
        }
      }
    }
    expect(packages).toBeGreaterThan(1);
    expect(openLegs).toBeLessThan(packages / 2);
  });
});

describe("the text of a report", () => {
  test("has the results of each strategy, and a dash for what it has not", () => {
    const { run, report } = runOf(presetExperiment("stress"));
    run.advance(1_000);
    const text = headlessReportText(report());
    expect(text).toMatch(/P&L \$ +physical \$ +surplus \$ +stops/);
    expect(text).toMatch(/generator +4 .* -?\d+ +-?\d+ +- +0$/m);
    expect(text).toMatch(/zic +8 .* -?\d+ +- +\d+ +0$/m);
  });
});

describe("momentum in stress", () => {
  const HOURS = size(5, 96);
  /** Between two looks at the results. */
  const PERIOD_HOURS = size(5, 6);
  const SEEDS = size([1], [1, 2, 3, 4, 5, 6, 7, 8]);

  /** The results of the momentum traders after each period, dollars. */
  function resultsOf(seed: number): number[][] {
    const stress = presetExperiment("stress");
    const { run, startTime } = runOf(size(seldomRevised(stress, HOUR), stress), seed);
    const traders = run.personas.filter(({ strategy }) => strategy === "momentum");
    return Array.from({ length: HOURS / PERIOD_HOURS }, (_, part) => {
      run.advanceTo(startTime + (part + 1) * PERIOD_HOURS * HOUR, Infinity);
      return traders.map(({ account }) => dollarsOf(account.profitAndLoss((contract) => run.markPrice(contract))));
    });
  }

  test(`loses less than twice its loss limit a day in ${HOURS} hours${size("", ", and gains and loses over seeds")}`, () => {
    const results = SEEDS.flatMap(resultsOf).flat();
    expect(Math.min(...results)).toBeGreaterThan(-2 * traitsOf("momentum").lossLimit * Math.ceil(HOURS / 24));
    expect(results.some((result) => result !== 0)).toBeTrue();
    if (!LONG) return;
    expect(Math.min(...results)).toBeLessThan(0);
    expect(Math.max(...results)).toBeGreaterThan(0);
  });
});
