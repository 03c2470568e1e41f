// What a run needs, derived from its settings: personas, spot prices and market events, and the users it connects as. The
// same settings and market give the same personas and spot prices. Trades differ, since they depend on the engine's clock.

import { presetExperiment } from "../experiment/read-experiment.ts";
import { Assignments } from "../personas/assignments.ts";
import { createPersonas, populationFaults } from "../personas/create-personas.ts";
import type { Persona } from "../personas/persona.ts";
import type { TradedProduct } from "../personas/traded-contract.ts";
import { LiquidityProfile } from "../personas/liquidity-profile.ts";
import type { PersonaGroup } from "../personas/settings.ts";
import { RunMetrics } from "../personas/run-metrics.ts";
import { SpotSchedule } from "../personas/spot-schedule.ts";
import type { SpotPrices } from "../spot/spot-prices.ts";
import { spotNodes } from "../spot/market-spot.ts";
import { type MarketFacts, publishingUser, tradingUsers, watchingUser } from "./market-facts.ts";
import { spotPricesOf } from "./market-spot.ts";
import { SimulatedClock } from "./simulated-clock.ts";
import type { RunSettings } from "./run-settings.ts";
import { SimulatorRefusal } from "./simulator-refusal.ts";

export interface RunPlan {
  /** What the ids of all orders and requests of the run begin with. */
  readonly idPrefix: string;
  readonly personas: readonly Persona[];
  /** All products of the market. */
  readonly products: readonly TradedProduct[];
  readonly profile: LiquidityProfile;
  readonly metrics: RunMetrics;
  /** Price nodes for which spot prices are simulated. */
  readonly nodes: readonly string[];
  readonly clock: SimulatedClock;
  readonly prices: SpotPrices;
  readonly spotEvents: SpotSchedule;
  /** The user who watches the market for all personas. */
  readonly watchingUserId: string;
  /** Null: spot prices are not published. */
  readonly publishingUserId: string | null;
}

/** `now`: milliseconds since the epoch. Throws SimulatorRefusal with every fault of the settings. */
export function planRun(settings: RunSettings, facts: MarketFacts, idPrefix: string, now: () => number): RunPlan {
  const { seed, speed } = settings;
  const { information, trading, personas, events } = presetExperiment(settings.preset);
  const groups: readonly PersonaGroup[] = settings.personas ?? personas;
  const market = { users: tradingUsers(facts), entities: facts.entities };
  const faults = populationFaults(groups, market);
  if (faults.length > 0) throw new SimulatorRefusal("invalid_payload", faults.join("; "));
  const watchingUserId = watchingUser(facts);
  if (watchingUserId === null) {
    throw new SimulatorRefusal(
      "invalid_payload",
      "no user of the market holds Market.View, which watching it for the personas needs",
    );
  }
  const clock = new SimulatedClock(speed, now);
  const prices = spotPricesOf(facts, seed, clock.startedAt);
  const profile = new LiquidityProfile(prices.nodes, trading.contractsPerProduct);
  const assignments = new Assignments();
  return {
    idPrefix,
    profile,
    metrics: new RunMetrics(assignments),
    nodes: spotNodes(facts),
    personas: createPersonas({ market, groups, trading, information, profile, assignments, seed }),
    products: facts.products,
    clock,
    prices,
    spotEvents: new SpotSchedule(prices, events, clock.startedAt),
    watchingUserId,
    publishingUserId: publishingUser(facts),
  };
}
