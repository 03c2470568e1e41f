// What a persona gets by the role of its strategy.

import { afterEach, expect, spyOn, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { BestForecasts } from "../../../sim/information/best-forecasts.ts";
import { ARBITRAGE_LIMITS, DEFAULT_LIMITS, MAKER_LIMITS, ownerLimits } from "../../../sim/personas/limits.ts";
import { Population } from "../../../sim/population/population.ts";
import { traitsOf } from "../../../sim/population/roles.ts";
import { constantSpot, START } from "../personas/support.ts";

let restore = () => {};
afterEach(() => restore());

test("a persona's forecasts, limits and loss limit are those of its role, and an owner's those of its asset", () => {
  const calm = presetExperiment("calm");
  const { makers, informed, others } = calm.information;
  expect(new Set([makers, informed, others].map((skill) => JSON.stringify(skill))).size).toBe(3);
  const skills: unknown[] = [];
  const { forecaster } = BestForecasts.prototype;
  const spy = spyOn(BestForecasts.prototype, "forecaster").mockImplementation(function (this: BestForecasts, ...given) {
    skills.push(given[0]);
    return forecaster.apply(this, given);
  });
  restore = () => spy.mockRestore();
  const plants = [{ name: "mine", node: "NORTH", capacityMw: 50, cost: 2_000 }] as unknown as typeof calm.plants;
  const strategies = ["avellaneda-stoikov", "zip", "momentum", "arbitrageur", "generator", "retailer"];
  const personas = [...strategies.map((strategy) => ({ strategy, count: 1 })), {
    strategy: "generator",
    count: 1,
    asset: "mine",
  }];
  const spot = constantSpot(() => 4_000);
  const settings = { ...calm, plants, personas };
  const made = new Population({ market: builtInMarket(), settings, seed: 1, spot, startTime: START }).personas;
  expect(skills).toEqual([makers, others, others, informed, informed, others, informed]);
  expect(made.map(({ limits, economics }) => [limits, economics.lossLimit])).toEqual([
    [MAKER_LIMITS, 2_000_000],
    [DEFAULT_LIMITS, 5_000_000],
    // Its strategy has a limit of its own.
    [DEFAULT_LIMITS, 500_000],
    [ARBITRAGE_LIMITS, 1_000_000],
    [DEFAULT_LIMITS, 10_000_000],
    [DEFAULT_LIMITS, 10_000_000],
    [ownerLimits(50), 10_000_000],
  ]);
  expect(ownerLimits(50)).not.toEqual(DEFAULT_LIMITS);
});

test("who has no known strategy, as an agent, has what a taker has", () => {
  expect(traitsOf("no-such-strategy")).toEqual(traitsOf("zic"));
});
