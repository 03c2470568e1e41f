// From what was asked for to what a run needs: personas, contracts, spot prices and events, and the users it goes by. The
// same request and market give the same personas and the same spot prices; what they come to depends on the engine's clock.

import type { SimulationPreset, StartSimulationRequest } from "../../protocol/index.ts";
import { Assignments } from "../personas/assignments.ts";
import { createPersonas, populationFaults } from "../personas/create-personas.ts";
import { LiquidityProfile } from "../personas/liquidity-profile.ts";
import { type PersonaGroup, PRESETS } from "../personas/presets.ts";
import { RunMetrics } from "../personas/run-metrics.ts";
import { SpotSchedule } from "../personas/spot-schedule.ts";
import { spotNodes } from "../spot/market-spot.ts";
import { type MarketFacts, publishingUser, tradingUsers, watchingUser } from "./market-facts.ts";
import { spotPricesOf } from "./market-spot.ts";
import { SimulatedClock } from "./simulated-clock.ts";
import type { SimulationPlan } from "./live-run.ts";
import { SimulatorRefusal } from "./simulator-refusal.ts";

export interface RunSettings {
  readonly preset: SimulationPreset;
  /** Null: the preset's. */
  readonly personas: StartSimulationRequest["personas"] | null;
  readonly seed: number;
  readonly speed: number;
}

/**
 * `mark`: what the ids of orders and requests begin with; `now`: milliseconds since the epoch. Throws SimulatorRefusal,
 * naming every fault.
 */
export function planRun(settings: RunSettings, facts: MarketFacts, mark: string, now: () => number): SimulationPlan {
  const { seed, speed } = settings;
  const preset = PRESETS[settings.preset];
  const groups: readonly PersonaGroup[] = settings.personas ?? preset.personas;
  const traders = tradingUsers(facts);
  const faults = populationFaults(groups, traders);
  if (faults.length > 0) throw new SimulatorRefusal("invalid_payload", faults.join("; "));
  const watchingUserId = watchingUser(facts);
  if (watchingUserId === null) {
    throw new SimulatorRefusal(
      "invalid_payload",
      "no user of the market holds Market.View, to watch it for the personas",
    );
  }
  const clock = new SimulatedClock(speed, now);
  const prices = spotPricesOf(facts, seed, clock.startedAt);
  const profile = new LiquidityProfile(prices.nodes, preset.contractsPerProduct);
  const assignments = new Assignments();
  return {
    mark,
    profile,
    metrics: new RunMetrics(assignments),
    nodes: spotNodes(facts),
    personas: createPersonas({ users: traders, groups, settings: preset, profile, assignments, seed }),
    products: facts.products,
    clock,
    prices,
    spotEvents: new SpotSchedule(prices, preset.spotEvents, clock.startedAt),
    watchingUserId,
    publishingUserId: publishingUser(facts),
  };
}
