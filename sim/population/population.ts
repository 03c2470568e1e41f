// The population of a run: its personas, and what they share: what they know, which contracts they trade, their units and
// loads, and the events that act on spot prices. It follows from the market, the experiment and the seed. Headless and live
// runs differ only in who carries out the orders, and in who moves time.

import { BestForecasts } from "../information/best-forecasts.ts";
import { Activity } from "../personas/activity.ts";
import { Assignments } from "../personas/assignments.ts";
import { EntityOrders } from "../personas/entity-orders.ts";
import { LiquidityProfile } from "../personas/liquidity-profile.ts";
import { MarketListeners } from "../personas/market-listeners.ts";
import type { ContractBook, Persona } from "../personas/persona.ts";
import { PhysicalAssets } from "../personas/physical/physical-assets.ts";
import { RunMetrics } from "../personas/run-metrics.ts";
import type { TradedContract } from "../personas/traded-contract.ts";
import { SeededRandom } from "../random/seeded-random.ts";
import { NodeCalendars } from "../spot/node-calendars.ts";
import { type PricedMarket, spotNodes } from "../spot/market-spot.ts";
import type { SpotEvent, SpotPoint, SpotPrices } from "../spot/spot-prices.ts";
import { createPersonas, type PopulationSettings } from "./create-personas.ts";
import { SpotSchedule } from "./spot-schedule.ts";
import { type Market, tradersByEntity } from "./traders.ts";

interface PopulationOptions {
  readonly market: Market & PricedMarket;
  readonly settings: PopulationSettings;
  readonly seed: number;
  /** As of the start; the population advances them. */
  readonly spot: SpotPrices;
  /** Market time, in milliseconds since the epoch. */
  readonly startTime: number;
}

export class Population {
  readonly forecasts: BestForecasts;
  readonly profile: LiquidityProfile;
  readonly listeners = new MarketListeners();
  readonly metrics: RunMetrics;
  /** The orders of each entity that may trade, by its id. */
  readonly entityOrders: ReadonlyMap<string, EntityOrders>;
  readonly #personas: Persona[];
  /** By id, in the order of listing. */
  readonly #contracts = new Map<string, TradedContract>();
  readonly #spot: SpotPrices;
  readonly #events: SpotSchedule;
  readonly #assets: PhysicalAssets;

  /** Throws RangeError with the first of the `populationFaults`. */
  constructor({ market, settings, seed, spot, startTime }: PopulationOptions) {
    // Each has its own: a calendar that goes to and fro between a time and a delivery looks up the time zone again and again.
    const calendars = () => NodeCalendars.of(market);
    const nodes = spotNodes(market);
    const activity = new Activity(calendars(), nodes);
    const assignments = new Assignments();
    this.#spot = spot;
    this.#events = new SpotSchedule(spot, settings.events, startTime);
    this.forecasts = new BestForecasts(spot, calendars(), startTime, new SeededRandom(seed).fork("news paths"));
    this.profile = new LiquidityProfile(spot.nodes, settings.trading.contractsPerProduct, activity);
    this.#assets = new PhysicalAssets({ spot, nodes, calendars: calendars(), startTime });
    this.metrics = new RunMetrics(assignments);
    this.entityOrders = new Map([...tradersByEntity(market.users).keys()].map((id) => [id, new EntityOrders()]));
    const { forecasts, profile, listeners, entityOrders } = this;
    const shared = { forecasts, profile, listeners, entityOrders, assignments, assets: this.#assets };
    this.#personas = createPersonas({ ...shared, market, settings, seed, activity });
  }

  /** In the order of the experiment, then those who have joined. */
  get personas(): readonly Persona[] {
    return this.#personas;
  }

  /** Adds traders whose decisions come from elsewhere. They are told of every trade and quote. */
  join(traders: readonly Persona[]): void {
    for (const trader of traders) this.listeners.listenToAll(trader);
    this.#personas.push(...traders);
  }

  /** All contracts of the market now, in the order of listing. */
  get contracts(): Iterable<TradedContract> {
    return this.#contracts.values();
  }

  /** Undefined if the contract is not in the market. */
  contract(id: string): TradedContract | undefined {
    return this.#contracts.get(id);
  }

  /** A contract is listed. `hasStarted`: its delivery has begun, so it is not traded. */
  listed(contract: TradedContract, time: number, hasStarted = false): void {
    this.#contracts.set(contract.id, contract);
    this.forecasts.add(contract, time);
    if (hasStarted) this.forecasts.started(contract, time);
    else this.profile.add(contract);
  }

  /** Delivery of a contract has begun. */
  started(id: string, time: number): void {
    const contract = this.#left(id);
    if (contract === undefined) return;
    for (const persona of this.#personas) persona.onDelivery(contract);
    this.forecasts.started(contract, time);
  }

  /** A contract has left the market. */
  removed(id: string, time: number): void {
    const contract = this.#left(id);
    if (contract === undefined) return;
    this.#contracts.delete(id);
    const price = () => Math.round(this.forecasts.best(contract));
    for (const persona of this.#personas) persona.onRemoved(contract, price);
    this.forecasts.remove(contract, time);
  }

  /** Advances spot prices, after triggering the events that are due. `spotMoved` must follow. */
  advanceSpotTo(time: number): { readonly events: readonly SpotEvent[]; readonly points: readonly SpotPoint[] } {
    const events = this.#events.triggerDue(time);
    return { events, points: this.#spot.advanceTo(time) };
  }

  /** Spot prices have been advanced to `time`, or an event was triggered. */
  spotMoved(time: number): void {
    this.#assets.advanceTo(time);
    this.forecasts.spotMoved(time);
  }

  /** Samples the books that are open, for the metrics. Sample times must not depend on the trading. */
  sampleBooks(
    time: number,
    isOpen: (contract: TradedContract) => boolean,
    bookOf: (contract: TradedContract) => ContractBook,
  ): void {
    for (const contract of this.profile.at(time)) {
      if (isOpen(contract)) this.metrics.onBook(time, bookOf(contract), this.forecasts.best(contract));
    }
  }

  /** The contract, which nobody trades from now on; undefined if it is not in the market. */
  #left(id: string): TradedContract | undefined {
    const contract = this.#contracts.get(id);
    if (contract === undefined) return undefined;
    this.profile.remove(contract);
    this.listeners.forget(contract);
    return contract;
  }
}
