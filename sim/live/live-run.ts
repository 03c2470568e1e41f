// One run of the simulator: its personas, each on a separate connection, their shared view of the market, and the spot
// prices.
//
// Invariants: no persona trades before all are connected and the view is current. `stop` ends every
// connection of the run, in any state. A LiveRun is used once.

import type { EngineClient } from "../../protocol/client/engine-client.ts";
import { reasonOf } from "../../protocol/client/engine-link.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import { SYSTEM_TIMERS } from "../../common/timers.ts";
import type { Assignment } from "../personas/assignments.ts";
import { tradedContract } from "../personas/traded-contract.ts";
import type { BestForecasts } from "../information/best-forecasts.ts";
import type { ContractBook, MarketWindow, Persona, PersonaView } from "../personas/persona.ts";
import type { SpotEvent, SpotEventRequest } from "../spot/spot-prices.ts";
import { LivePersona } from "./live-persona.ts";
import { LockstepTurns } from "./lockstep-turns.ts";
import { MarketFeed } from "./market-feed.ts";
import type { SeenUpdate } from "./market-updates.ts";
import { kilowatts } from "./module-state.ts";
import { OtherOrders } from "./other-orders.ts";
import { ObservedTrades } from "./observed-trades.ts";
import type { RunPlan } from "./run-plan.ts";
import { RunSpeed } from "./run-speed.ts";
import { SpotFeed } from "./spot-feed.ts";
import { type EngineAccess, userClient } from "./user-client.ts";

export interface RunEnd {
  readonly ordersCancelled: number;
  readonly personasDisconnected: number;
}

export class LiveRun {
  readonly personas: readonly LivePersona[];
  readonly feed: MarketFeed;
  readonly forecasts: BestForecasts;
  readonly trades: ObservedTrades;
  readonly #otherOrders: OtherOrders;
  readonly #spot: SpotFeed;
  readonly #speed: RunSpeed;
  #speedSetBack: Promise<void> = Promise.resolve();
  readonly #plan: RunPlan;
  readonly #engine: EngineAccess;
  /** Connected as the user who watches the market for all personas. */
  readonly #watching: EngineClient;
  /** Null if the watching user publishes spot prices, or nobody does. */
  readonly #publishing: EngineClient | null;
  /** Market time of the last change of the clock that the view shows. */
  #clockSeenAt: number;
  readonly #ready = Promise.withResolvers<void>();
  /** Number of personas that have connected at least once. */
  #connectedOnce = 0;
  /** Of the contracts, which are numbered as they are listed. */
  #lastIndex = 0;
  #isOpened = false;
  #isOver = false;

  /** `onFailure` is called if the engine refuses one of the run's users for good. */
  constructor(plan: RunPlan, engine: EngineAccess, private readonly onFailure: (reason: string) => void) {
    this.#plan = plan;
    this.#engine = engine;
    this.#speed = new RunSpeed(plan, engine);
    this.#clockSeenAt = plan.clock.startedAt;
    const { metrics, forecasts, entityOrders, personas } = plan.population;
    this.#otherOrders = new OtherOrders({
      idPrefix: plan.idPrefix,
      entityOrders,
      contractOf: (id) => plan.population.contract(id),
    });
    this.forecasts = forecasts;
    this.feed = this.#marketFeed();
    const { watchingUserId, publishingUserId } = plan;
    this.#watching = userClient(engine, { userId: watchingUserId, listener: this.feed });
    this.#publishing = publishingUserId === null || publishingUserId === watchingUserId ? null : userClient(engine, {
      userId: publishingUserId,
      listener: {
        state: () => {},
        synchronized: () => {},
        ended: (end, willRetry) => {
          if (!willRetry) this.#refused(publishingUserId, reasonOf(end));
        },
      },
    });
    this.trades = new ObservedTrades((trade) => metrics.onTrade(trade), engine.now);
    this.#spot = new SpotFeed({
      prices: plan.prices,
      clock: plan.clock,
      population: plan.population,
      client: this.#publisher,
      nodes: plan.nodes,
      idPrefix: plan.idPrefix,
      log: engine.log,
      onStep: () => this.#spotMoved(),
    });
    this.personas = personas.map((persona) => this.#livePersona(persona));
    const turns = new LockstepTurns(this.feed, this.personas, [this.#publishing ?? this.#watching, this.#watching]);
    plan.clock.beforeEach = () => turns.next();
  }

  get connectedPersonas(): number {
    return this.personas.filter(({ isConnected }) => isConnected).length;
  }

  /** Connects all personas, then lets them trade. Throws an Error of one line if that takes longer than `patienceMs`. */
  async start(patienceMs: number): Promise<void> {
    const endWait = SYSTEM_TIMERS.after(patienceMs, () => {
      const { personas } = this;
      const who = this.feed.isCurrent ? `${this.connectedPersonas} of ${personas.length} personas` : "nobody";
      this.#ready.reject(new Error(`the engine let ${who} connect within ${patienceMs / 1000} s`));
    });
    this.#watching.open();
    this.#publishing?.open();
    try {
      await this.#ready.promise;
      await this.#speed.begin();
    } finally {
      endWait();
    }
    if (this.#isOver) throw stoppedWhileStarting();
    this.#spot.begin();
    for (const persona of this.personas) persona.beginTrading();
  }

  /** Ends trading, cancels the known open orders, and ends every connection. A start that is under way fails. */
  async stop(patienceMs: number): Promise<RunEnd> {
    this.#isOver = true;
    this.#ready.reject(stoppedWhileStarting());
    this.#spot.end();
    for (const persona of this.personas) persona.endTrading();
    const personasDisconnected = this.connectedPersonas;
    this.#speedSetBack = this.#speed.end();
    const cancelled = await Promise.all(this.personas.map((persona) => persona.leave(patienceMs)));
    await Promise.all([this.#watching.close(), this.#publishing?.close()]);
    return { personasDisconnected, ordersCancelled: cancelled.reduce((sum, count) => sum + count, 0) };
  }

  /** Resolves once a stop has set the speed of market time back, or could not. */
  get speedSetBack(): Promise<void> {
    return this.#speedSetBack;
  }

  /** Whether everyone who was due at a market time, in lockstep, has acted and has been answered. */
  isSettledAt(time: number): boolean {
    return this.#clockSeenAt >= time && !this.#plan.clock.isEnding;
  }

  /** Triggers a market event, which acts on the spot prices at once. Throws RangeError if the request is invalid. */
  triggerSpotEvent(request: SpotEventRequest): SpotEvent {
    const event = this.#spot.trigger(request);
    this.#plan.population.spotMoved(this.#plan.clock.time());
    return event;
  }

  /** Why nobody can trade now; null if somebody can. */
  get nothingToTrade(): string | null {
    if (!this.feed.isCurrent) return "the view of the market is not current: its connection is being restored";
    const { population, clock } = this.#plan;
    if (population.profile.at(clock.time()).length === 0) {
      return "no contract is listed whose delivery begins after market time, at a node with a spot price";
    }
    return this.#isMarketOpen() ? null : "no market is open";
  }

  /** Who publishes; null: nobody may. */
  get #publisher(): EngineClient | null {
    return this.#plan.publishingUserId === null ? null : this.#publishing ?? this.#watching;
  }

  #marketFeed(): MarketFeed {
    return new MarketFeed({
      marketUpdate: (update, book) => this.#publish(update, book),
      listed: (contract) => this.#listed(contract),
      expired: (contractId) => this.#plan.population.started(contractId, this.#plan.clock.time()),
      removed: (contractId) => this.#plan.population.removed(contractId, this.#plan.clock.time()),
      orderChanged: (order) => {
        this.#otherOrders.changed(order);
        this.#engine.onOrder?.(order);
      },
      orderRemoved: (orderId) => this.#otherOrders.removed(orderId),
      ordersForgotten: () => this.#otherOrders.forgetAll(),
      clockChanged: (time) => {
        this.#clockSeenAt = time;
        this.#plan.clock.changed();
      },
      current: () => this.#connectPersonas(),
      refused: (reason) => this.#refused(this.#plan.watchingUserId, reason),
    });
  }

  #livePersona(persona: Persona): LivePersona {
    const { clock, idPrefix } = this.#plan;
    return new LivePersona({
      engine: this.#engine,
      persona,
      view: this.#viewOf(persona),
      isViewCurrent: () => this.feed.isCurrent,
      isMarketOpen: () => this.#isMarketOpen(),
      clock,
      idPrefix: `${idPrefix}${persona.id}-`,
      onConnected: () => {
        this.#connectedOnce += 1;
        if (this.#connectedOnce === this.personas.length) this.#ready.resolve();
      },
      onFill: (fill, assignment) => this.#filled(fill, assignment),
      onRefused: (reason) => this.#refused(persona.userId, reason),
    });
  }

  #viewOf({ entityId }: Persona): PersonaView {
    const { feed } = this;
    const { clock } = this.#plan;
    return {
      get time() {
        return clock.time();
      },
      get creditExhausted() {
        return feed.isCreditExhausted(entityId);
      },
      book: ({ id }) => feed.book(id),
      isOpen: (contract) => feed.isOpen(contract),
    };
  }

  #isMarketOpen(): boolean {
    for (const contract of this.#plan.population.contracts) if (this.feed.isOpen(contract)) return true;
    return false;
  }

  /** Called again after a reconnect of the feed; each persona restores its own connection, so once is enough. */
  #connectPersonas(): void {
    // The clock may have changed while the view was not current.
    this.#clockSeenAt = this.#plan.clock.time();
    this.#plan.clock.changed();
    if (this.#isOpened || this.#isOver) return;
    this.#isOpened = true;
    for (const persona of this.personas) persona.connect();
  }

  #listed(listed: ModuleData<"CONTRACT">): void {
    const { products, population, clock } = this.#plan;
    const product = products.find(({ id }) => id === listed.productId);
    if (product === undefined || population.contract(listed.id) !== undefined) return;
    population.listed(tradedContract(++this.#lastIndex, listed, product), clock.time());
  }

  #publish({ contractId, ...rest }: SeenUpdate, book: ContractBook): void {
    const contract = this.#plan.population.contract(contractId);
    if (contract === undefined) return;
    const { clock, population } = this.#plan;
    const window: MarketWindow = { time: clock.time(), book: () => book };
    population.listeners.publish({ ...rest, contract }, window);
  }

  #filled(
    { tradeId, contractId, side, price, quantity }: ModuleData<"FILL">,
    assignment: Assignment | null,
  ): void {
    const contract = this.#plan.population.contract(contractId);
    if (contract === undefined) return;
    const fundamental = this.forecasts.best(contract);
    this.trades.note({
      tradeId,
      side,
      price,
      quantity: kilowatts(quantity),
      assignment,
      fundamental,
    });
  }

  #spotMoved(): void {
    const { feed } = this;
    const { population, clock } = this.#plan;
    population.spotMoved(clock.time());
    if (!feed.isCurrent) return;
    population.sampleBooks(clock.time(), (contract) => feed.isOpen(contract), ({ id }) => feed.book(id));
  }

  #refused(userId: string, reason: string): void {
    const failure = `the engine refused user ${userId}: ${reason}`;
    this.#engine.log.warn("{failure}", { failure });
    this.#ready.reject(new Error(failure));
    this.onFailure(failure);
  }
}

function stoppedWhileStarting(): Error {
  return new Error("it was stopped while it was starting");
}
