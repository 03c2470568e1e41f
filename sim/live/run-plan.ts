// What a run needs, derived from its settings: personas, spot prices and market events, and the users it connects as. The
// same settings and market give the same personas, and the same spot prices from the start on. Trades differ, since they depend
// on the engine's clock.

import type { ClockSetting } from "../../protocol/index.ts";
import { presetExperiment } from "../experiment/read-experiment.ts";
import type { TradedProduct } from "../personas/traded-contract.ts";
import { populationFaults } from "../population/create-personas.ts";
import { Population } from "../population/population.ts";
import { spotNodes } from "../spot/market-spot.ts";
import type { SpotPrices } from "../spot/spot-prices.ts";
import { FollowedClock, type MarketTimeSource } from "./followed-clock.ts";
import { clockUser, type MarketFacts, publishingUser, tradingUsers, watchingUser } from "./market-facts.ts";
import { spotPricesOf } from "./spot-report.ts";
import type { RunSettings } from "./run-settings.ts";
import { SimulatorRefusal } from "./simulator-refusal.ts";

export interface RunPlan {
  /** What the ids of all orders and requests of the run begin with. */
  readonly idPrefix: string;
  readonly population: Population;
  /** All products of the market. */
  readonly products: readonly TradedProduct[];
  /** Price nodes for which spot prices are simulated. */
  readonly nodes: readonly string[];
  readonly clock: FollowedClock;
  /** What the speed of market time is set to; null: it stays. */
  readonly speed: number | null;
  readonly prices: SpotPrices;
  /** The user who watches the market for all personas. */
  readonly watchingUserId: string;
  /** Null: spot prices are not published. */
  readonly publishingUserId: string | null;
  /** The user who sets the speed of market time. */
  readonly clockUserId: string | null;
}

/** `earlierPrices`: see spotPricesOf. Throws SimulatorRefusal with every fault of the settings. */
export function planRun(
  settings: RunSettings,
  facts: MarketFacts,
  idPrefix: string,
  marketTime: MarketTimeSource,
  earlierPrices: SpotPrices | null = null,
): RunPlan {
  const preset = presetExperiment(settings.preset);
  const experiment = { ...preset, personas: settings.personas ?? preset.personas };
  const market = { ...facts, users: tradingUsers(facts) };
  const faults = populationFaults(experiment.personas, market);
  if (faults.length > 0) throw new SimulatorRefusal("invalid_payload", faults.join("; "));
  const watchingUserId = watchingUser(facts);
  if (watchingUserId === null) {
    throw new SimulatorRefusal(
      "invalid_payload",
      "no user of the market holds Market.View, which watching it for the personas needs",
    );
  }
  const clockUserId = clockUser(facts);
  const clock = new FollowedClock(marketTime);
  const { startedAt: startTime } = clock;
  const prices = spotPricesOf(facts, settings.seed, startTime, earlierPrices);
  return {
    idPrefix,
    population: new Population({ market, settings: experiment, seed: settings.seed, spot: prices, startTime }),
    nodes: spotNodes(facts),
    products: facts.products,
    clock,
    speed: speedToSet(settings.speed, marketTime.setting, clockUserId),
    prices,
    watchingUserId,
    publishingUserId: publishingUser(facts),
    clockUserId,
  };
}

/** Null if the speed stays. Throws SimulatorRefusal if the engine's clock can't have it. */
function speedToSet(
  speed: number | null,
  setting: ClockSetting | null,
  clockUserId: string | null,
): number | null {
  if (speed === null || speed === (setting?.speed ?? 1)) return null;
  const fault = setting === null
    ? "the engine has no market clock, so its market runs in real time"
    : setting.mode === "lockstep"
    ? "market time stands still in lockstep, and clock.advance moves it"
    : clockUserId === null
    ? "no user of the market holds Spot.Publish or Market.Operate, which setting the clock needs"
    : null;
  if (fault !== null) throw new SimulatorRefusal("invalid_payload", `speed: ${fault}; leave speed out`);
  return speed;
}
