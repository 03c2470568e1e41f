// What a run needs, derived from its settings: personas, spot prices and market events, and the users it connects as. The
// same settings and market give the same personas and spot prices. Trades differ, since they depend on the engine's clock.

import { presetExperiment } from "../experiment/read-experiment.ts";
import { BestForecasts } from "../information/best-forecasts.ts";
import { Activity } from "../personas/activity.ts";
import { Assignments } from "../personas/assignments.ts";
import { createPersonas, entityOrdersOf, populationFaults } from "../personas/create-personas.ts";
import type { EntityOrders } from "../personas/entity-orders.ts";
import type { Persona } from "../personas/persona.ts";
import type { TradedProduct } from "../personas/traded-contract.ts";
import { PhysicalAssets } from "../personas/physical/physical-assets.ts";
import { LiquidityProfile } from "../personas/liquidity-profile.ts";
import type { PersonaGroup } from "../personas/settings.ts";
import { MarketListeners } from "../personas/market-listeners.ts";
import { RunMetrics } from "../personas/run-metrics.ts";
import { SpotSchedule } from "../personas/spot-schedule.ts";
import type { ClockSetting } from "../../protocol/index.ts";
import type { SpotPrices } from "../spot/spot-prices.ts";
import { spotNodes } from "../spot/market-spot.ts";
import { FollowedClock, type MarketTimeSource } from "./followed-clock.ts";
import { clockUser, type MarketFacts, publishingUser, tradingUsers, watchingUser } from "./market-facts.ts";
import { spotPricesOf } from "./market-spot.ts";
import type { RunSettings } from "./run-settings.ts";
import { SimulatorRefusal } from "./simulator-refusal.ts";

export interface RunPlan {
  /** What the ids of all orders and requests of the run begin with. */
  readonly idPrefix: string;
  readonly personas: readonly Persona[];
  /** All products of the market. */
  readonly products: readonly TradedProduct[];
  readonly profile: LiquidityProfile;
  readonly assets: PhysicalAssets;
  /** By the entity's id. */
  readonly entityOrders: ReadonlyMap<string, EntityOrders>;
  readonly forecasts: BestForecasts;
  readonly listeners: MarketListeners;
  readonly metrics: RunMetrics;
  /** Price nodes for which spot prices are simulated. */
  readonly nodes: readonly string[];
  readonly clock: FollowedClock;
  /** What the speed of market time is set to; null: it stays. */
  readonly speed: number | null;
  readonly prices: SpotPrices;
  readonly spotEvents: SpotSchedule;
  /** The user who watches the market for all personas. */
  readonly watchingUserId: string;
  /** Null: spot prices are not published. */
  readonly publishingUserId: string | null;
  /** The user who sets the speed of market time. */
  readonly clockUserId: string | null;
}

/** Throws SimulatorRefusal with every fault of the settings. */
export function planRun(
  settings: RunSettings,
  facts: MarketFacts,
  idPrefix: string,
  marketTime: MarketTimeSource,
): RunPlan {
  const { seed } = settings;
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
  const clockUserId = clockUser(facts);
  const clock = new FollowedClock(marketTime);
  const prices = spotPricesOf(facts, seed, clock.startedAt);
  const profile = new LiquidityProfile(prices.nodes, trading.contractsPerProduct);
  const assignments = new Assignments();
  const nodes = spotNodes(facts);
  const timezone = facts.markets[0]?.timezone ?? "UTC";
  const assets = new PhysicalAssets({ spot: prices, nodes, timezone, startTime: clock.startedAt });
  const forecasts = new BestForecasts(prices, timezone, clock.startedAt);
  const listeners = new MarketListeners();
  const entityOrders = entityOrdersOf(market.users);
  return {
    idPrefix,
    profile,
    forecasts,
    listeners,
    metrics: new RunMetrics(assignments),
    nodes,
    assets,
    entityOrders,
    personas: createPersonas({
      market,
      groups,
      trading,
      information,
      profile,
      assignments,
      assets,
      seed,
      forecasts,
      listeners,
      entityOrders,
      activity: new Activity(timezone),
    }),
    products: facts.products,
    clock,
    speed: speedToSet(settings.speed, marketTime.setting, clockUserId),
    prices,
    spotEvents: new SpotSchedule(prices, events, clock.startedAt),
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
