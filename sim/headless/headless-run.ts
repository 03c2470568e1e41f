// A headless simulation as discrete events, at full speed. Personas wake up at the simulated times that their pace gives
// and trade on the exchange; spot prices move every five minutes. A step is one wake-up.
//
// There is no clock, no I/O, and no randomness besides the seed: the same market, start, experiment, spot prices and number of
// steps give the same run, byte for byte.
//
// Invariants: in each contract the positions of all personas sum to zero, and so does the cash of all personas.

import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import { Exchange } from "../../engine/embedded/exchange.ts";
import type { EngineFacts } from "../../engine/embedded/fact-recorder.ts";
import type { ReadonlyContract } from "../../engine/embedded/read-only.ts";
import type { Venue } from "../../engine/embedded/venue.ts";
import type { ContractBook, Persona, Trader } from "../personas/persona.ts";
import { type Mark, markOf, type RunMetrics } from "../personas/run-metrics.ts";
import type { TradedContract } from "../personas/traded-contract.ts";
import type { PopulationSettings } from "../population/create-personas.ts";
import { Population } from "../population/population.ts";
import { SeededRandom } from "../random/seeded-random.ts";
import type { SpotEvent, SpotPoint, SpotPrices } from "../spot/spot-prices.ts";
import type { ObservedBook, ObservedMarket, RunObserver } from "../tape/run-observer.ts";
import { ContractTable } from "./contract-table.ts";
import { firstDue, type OutsideMarket, type OutsideTrader } from "./outside-trader.ts";
import { PersonaTrading } from "./persona-trading.ts";
import { WakeQueue } from "./wake-queue.ts";

interface HeadlessRunOptions {
  readonly definition: MarketDefinition;
  /** Simulated, in milliseconds since the epoch. */
  readonly startTime: number;
  readonly seed: number;
  readonly experiment: PopulationSettings;
  /** As of the start; the run advances them. */
  readonly spot: SpotPrices;
  /** Null: nobody observes the run. */
  readonly observer?: RunObserver | null;
  /** Where everybody trades; default: an Exchange of its own. */
  readonly venue?: Venue;
  /** Who stands for a user whose orders no persona sends; default: there is no such user. */
  readonly strangers?: (userId: string) => Trader;
  /** Makes the traders whose decisions come from outside. They count as personas, but the run stops when one is `due`. */
  readonly outside?: (market: OutsideMarket) => readonly OutsideTrader[];
}

/** Between two points of the spot prices. */
const SPOT_POINT_MS = 5 * 60_000;

export class HeadlessRun implements ObservedMarket {
  readonly timezone: string;
  readonly #population: Population;
  readonly #spot: SpotPrices;
  readonly #exchange: Venue;
  readonly #contracts = new ContractTable();
  readonly #trading: PersonaTrading;
  readonly #queue: WakeQueue;
  readonly #startTime: number;
  readonly #observer: RunObserver | null;
  readonly #outside: OutsideTrader[] = [];
  #due: OutsideTrader | null = null;
  #nextSpotTime: number;
  #nextDeadline: number;
  #steps = 0;

  constructor(options: HeadlessRunOptions) {
    const { definition, startTime, seed, experiment, spot, observer = null, outside = () => [] } = options;
    const { venue = new Exchange(definition, startTime), strangers } = options;
    this.#observer = observer;
    this.timezone = definition.markets[0]?.timezone ?? "UTC";
    this.#startTime = this.#nextSpotTime = startTime;
    this.#spot = spot;
    const population = new Population({ market: definition, settings: experiment, seed, spot, startTime });
    this.#population = population;
    const { personas, forecasts, entityOrders } = population;
    this.#queue = new WakeQueue(personas.length);
    this.#exchange = venue;
    this.#nextDeadline = this.#exchange.nextDeadline;
    for (const state of this.#exchange.contracts) this.#list(state, startTime);
    personas.forEach((persona, index) => this.#queue.add(index, startTime + persona.nextDelayMs(startTime)));
    const skill = experiment.information.others;
    this.#outside.push(...outside({
      startTime,
      entityOrders,
      forecaster: (id) => forecasts.forecaster(skill, new SeededRandom(seed).fork("outside").fork(id)),
    }));
    population.join(this.#outside);
    this.#trading = new PersonaTrading({
      population,
      startTime,
      exchange: this.#exchange,
      contracts: this.#contracts,
      observer,
      ...(strangers && { strangers }),
    });
  }

  get personas(): readonly Persona[] {
    return this.#population.personas;
  }

  get metrics(): RunMetrics {
    return this.#population.metrics;
  }

  /** Simulated, in milliseconds since the epoch. */
  get time(): number {
    return this.#trading.time;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Number of commands that have reached the exchange. */
  get messages(): number {
    return this.#exchange.commands;
  }

  /** Number of orders that rest on the exchange. */
  get openOrders(): number {
    return this.#exchange.openOrders;
  }

  /** All contracts of the market now, in the order of listing. */
  get contracts(): TradedContract[] {
    return [...this.#population.contracts];
  }

  /** The contracts that personas trade now, nearest delivery first. */
  get tradedNow(): readonly TradedContract[] {
    return this.#population.profile.at(this.time);
  }

  /** The outside trader for whose wake-up the run has stopped; null if it has not. */
  get due(): OutsideTrader | null {
    return this.#due;
  }

  /** Stops earlier if an outside trader is due. */
  advance(steps: number): void {
    for (let count = 0; count < steps && !this.#stopsBefore(Infinity); count++) this.#step();
  }

  /**
   * Advances to a time, through everything that happens before it, but not more than a number of steps. Stops earlier if an
   * outside trader is due. Returns whether it has reached the time.
   */
  advanceTo(time: number, steps: number): boolean {
    for (let count = 0; count < steps && !this.#stopsBefore(time); count++) {
      if (this.#queue.nextTime >= time) {
        this.#advanceSpotTo(time);
        this.#advanceMarketTo(time);
        return true;
      }
      this.#step();
    }
    return false;
  }

  /**
   * Advances to a time, through spot prices and deadlines, while no persona wakes up or learns anything. The run can't go on
   * after that. The observer is told spot prices, and no points.
   */
  settle(time: number): void {
    this.#population.forecasts.dismissForecasters();
    for (; this.#nextSpotTime <= time; this.#nextSpotTime += SPOT_POINT_MS) {
      this.#advanceMarketTo(this.#nextSpotTime);
      const { points } = this.#population.advanceSpotTo(this.#nextSpotTime);
      this.#observer?.onSpot(points);
    }
    this.#advanceMarketTo(time);
    this.#population.spotMoved(time);
  }

  /** Reports to the personas what a user who is none of them has done just now. */
  happened(facts: EngineFacts): void {
    this.#trading.happened(facts);
  }

  /** Tells the observer, once, that nothing more will happen. */
  end(): void {
    this.#observer?.onEnd(this);
  }

  /** Shows an outside trader the market, and carries out what it wants now. */
  carryOut(trader: OutsideTrader): void {
    this.#trading.wake(this.personas.indexOf(trader));
  }

  bookOf(contract: TradedContract): ObservedBook {
    return this.#contracts.stateOf(contract).book;
  }

  bestForecast(contract: TradedContract): number {
    return this.#population.forecasts.best(contract);
  }

  book(contract: TradedContract): ContractBook {
    return this.#contracts.book(contract);
  }

  /** The price at which positions in a contract are valued now. */
  markPrice(contract: TradedContract): number {
    return this.markOf(contract).price;
  }

  /** The same, with what it rests on. */
  markOf(contract: TradedContract): Mark {
    return markOf(this.book(contract), this.bestForecast(contract), contract.deliveryStart <= this.time);
  }

  /** If an outside trader is due before a time and before every persona, advances to its wake-up: the run stops there. */
  #stopsBefore(time: number): boolean {
    this.#due = null;
    if (this.#outside.length === 0) return false;
    const first = firstDue(this.#outside);
    if (first === null || first.nextTime >= time || first.nextTime > this.#queue.nextTime) return false;
    this.#advanceSpotTo(first.nextTime);
    this.#advanceMarketTo(first.nextTime);
    this.#due = first;
    this.#steps += 1;
    return true;
  }

  #step(): void {
    const wakeTime = this.#queue.nextTime;
    this.#advanceSpotTo(wakeTime);
    this.#advanceMarketTo(wakeTime);
    const index = this.#queue.take();
    this.#queue.add(index, wakeTime + this.#trading.wake(index));
    this.#steps += 1;
  }

  /** Advances spot prices through every point up to a time. */
  #advanceSpotTo(time: number): void {
    for (; this.#nextSpotTime <= time; this.#nextSpotTime += SPOT_POINT_MS) {
      this.#advanceMarketTo(this.#nextSpotTime);
      const { events, points } = this.#population.advanceSpotTo(this.#nextSpotTime);
      this.#population.spotMoved(this.#nextSpotTime);
      // Books are empty at the start.
      if (this.#nextSpotTime > this.#startTime) this.#sampleBooks();
      this.#observe(events, points);
    }
  }

  #observe(events: readonly SpotEvent[], points: readonly SpotPoint[]): void {
    const observer = this.#observer;
    if (observer === null) return;
    for (const event of events) observer.onEvent(event);
    // The first point is the spot model's own beginning.
    observer.onSpot(points.length > 0 ? points : this.#spot.nodes.map((node) => this.#spot.current(node)));
    observer.onPoint(this);
  }

  #sampleBooks(): void {
    this.#population.sampleBooks(
      this.time,
      (contract) => this.#exchange.isOpen(this.#contracts.stateOf(contract)),
      (contract) => this.book(contract),
    );
  }

  #advanceMarketTo(time: number): void {
    this.#trading.time = time;
    while (this.#nextDeadline <= time) {
      const { changes, expired, trades } = this.#exchange.processDeadline();
      this.#nextDeadline = this.#exchange.nextDeadline;
      this.#trading.expired(expired);
      this.#trading.matched(trades);
      for (const { kind, contractId } of changes) {
        if (kind === "listed") this.#list(this.#exchange.contract(contractId), this.time);
        else if (kind === "expired") this.#population.started(contractId, this.time);
        else this.#remove(contractId);
      }
    }
    this.#exchange.moveTo(time);
  }

  #list(state: ReadonlyContract, time: number): void {
    const contract = this.#contracts.add(state);
    this.#population.listed(contract, time, state.expired);
    for (const trader of this.#outside) trader.onListed(contract);
  }

  #remove(id: string): void {
    const contract = this.#population.contract(id);
    if (contract !== undefined) {
      this.#observer?.onRemoval(this, contract);
      this.#contracts.remove(contract);
    }
    this.#population.removed(id, this.time);
  }
}
