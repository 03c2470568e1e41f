// One run of the simulator: its personas, each on a connection of its own, the view of the market that they share, and the
// spot prices that they trade by.
//
// Invariants: nobody trades before everyone is connected and the view is current; after `stop` no connection of the run is
// left, whatever state it was in. It is used once.

import type { Logger } from "../../common/logger.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import { SYSTEM_TIMERS } from "../../common/timers.ts";
import type { Assignment } from "../personas/assignments.ts";
import { Forecasts } from "../personas/forecasts.ts";
import type { LiquidityProfile } from "../personas/liquidity-profile.ts";
import type { RunMetrics } from "../personas/run-metrics.ts";
import type { ContractBook, Persona, PersonaView } from "../personas/persona.ts";
import type { SpotEvent, SpotEventRequest, SpotPrices } from "../spot/spot-prices.ts";
import type { SpotSchedule } from "../personas/spot-schedule.ts";
import { type TradedContract, tradedContract, type TradedProduct } from "../personas/traded-contract.ts";
import type { EngineAccess } from "./engine-access.ts";
import { type ConnectionListener, EngineConnection } from "./engine-connection.ts";
import { LivePersona } from "./live-persona.ts";
import { MarketFeed } from "./market-feed.ts";
import { kilowatts } from "./module-state.ts";
import { SeenTrades } from "./seen-trades.ts";
import type { SeenUpdate } from "./market-updates.ts";
import type { SimulatedClock } from "./simulated-clock.ts";
import { SpotFeed } from "./spot-feed.ts";

export interface SimulationPlan {
  /** What the ids of all orders and requests of the run begin with. */
  readonly mark: string;
  readonly personas: readonly Persona[];
  /** Of the market. */
  readonly products: readonly TradedProduct[];
  readonly profile: LiquidityProfile;
  readonly metrics: RunMetrics;
  /** For which spot prices are simulated. */
  readonly nodes: readonly string[];
  readonly clock: SimulatedClock;
  readonly prices: SpotPrices;
  readonly spotEvents: SpotSchedule;
  /** Who watches the market for all personas. */
  readonly watchingUserId: string;
  /** Null: spot prices are not published. */
  readonly publishingUserId: string | null;
}

export interface RunEnd {
  readonly ordersCancelled: number;
  readonly personasDisconnected: number;
}

export class SimulationRun {
  readonly personas: readonly LivePersona[];
  readonly feed: MarketFeed;
  readonly forecasts: Forecasts;
  readonly trades: SeenTrades;
  readonly #spot: SpotFeed;
  readonly #plan: SimulationPlan;
  readonly #log: Logger;
  /** That are listed or have not left the market since. */
  readonly #contracts = new Map<string, TradedContract>();
  readonly #products: ReadonlyMap<string, TradedProduct>;
  #lastIndex = 0;
  readonly #watching: EngineConnection;
  /** Null where the watching user publishes, or nobody does. */
  readonly #publishing: EngineConnection | null;
  readonly #ready = Promise.withResolvers<void>();
  /** While a market update is delivered: the book from before it, shown in place of the book. */
  #bookBefore: ContractBook | null = null;
  #connectedPersonas = 0;
  #isOpened = false;
  #isOver = false;

  /** `onFailure`: the run can't go on, since the engine turns one of its users away for good. */
  constructor(plan: SimulationPlan, engine: EngineAccess, private readonly onFailure: (reason: string) => void) {
    this.#plan = plan;
    this.#log = engine.log;
    this.#products = new Map(plan.products.map((product) => [product.id, product]));
    this.feed = new MarketFeed({
      marketUpdate: (update, book) => this.#publish(update, book),
      listed: (contract) => this.#list(contract),
      expired: (contractId) => this.#expire(contractId),
      removed: (contractId) => this.#remove(contractId),
      current: () => this.#openPersonas(),
      lost: (reason, isFinal) => {
        if (isFinal) this.#turnedAway(plan.watchingUserId, reason);
      },
    });
    this.#watching = this.#connection(engine, plan.watchingUserId, this.feed);
    const { publishingUserId } = plan;
    this.#publishing = publishingUserId === null || publishingUserId === plan.watchingUserId
      ? null
      : this.#connection(engine, publishingUserId, {
        state: () => {},
        began: () => {},
        ended: (reason, isFinal) => {
          if (isFinal) this.#turnedAway(publishingUserId, reason);
        },
      });
    this.forecasts = new Forecasts(plan.prices);
    this.trades = new SeenTrades((trade) => plan.metrics.onTrade(trade), engine.now);
    this.#spot = new SpotFeed({
      prices: plan.prices,
      clock: plan.clock,
      schedule: plan.spotEvents,
      connection: publishingUserId === null ? null : this.#publishing ?? this.#watching,
      nodes: plan.nodes,
      mark: plan.mark,
      log: engine.log,
      onStep: () => this.#spotMoved(),
    });
    this.personas = plan.personas.map((persona) => this.#livePersona(persona, engine));
  }

  get connectedPersonas(): number {
    return this.personas.filter(({ isConnected }) => isConnected).length;
  }

  /** Connects everyone, then lets them trade. Throws an Error of one line where that does not succeed in time. */
  async start(patienceMs: number): Promise<void> {
    const endWait = SYSTEM_TIMERS.after(patienceMs, () => {
      const { personas } = this;
      const where = this.feed.isCurrent ? `${this.connectedPersonas} of ${personas.length} personas` : "nobody";
      this.#ready.reject(new Error(`the engine let ${where} connect within ${patienceMs / 1000} s`));
    });
    this.#watching.open();
    this.#publishing?.open();
    try {
      await this.#ready.promise;
    } finally {
      endWait();
    }
    if (this.#isOver) throw stoppedWhileStarting();
    this.#spot.begin();
    for (const persona of this.personas) persona.beginTrading();
  }

  /** Lets nobody trade any more, cancels what is known to be open, and ends every connection; a start that is not over fails. */
  async stop(patienceMs: number): Promise<RunEnd> {
    this.#isOver = true;
    this.#ready.reject(stoppedWhileStarting());
    this.#spot.end();
    for (const persona of this.personas) persona.endTrading();
    const personasDisconnected = this.connectedPersonas;
    const cancelled = await Promise.all(this.personas.map((persona) => persona.leave(patienceMs)));
    await Promise.all([this.#watching.close(), this.#publishing?.close()]);
    return { personasDisconnected, ordersCancelled: cancelled.reduce((sum, count) => sum + count, 0) };
  }

  /** Makes something happen to the spot prices, at once. Throws RangeError for a request with a fault. */
  triggerSpotEvent(request: SpotEventRequest): SpotEvent {
    const event = this.#spot.trigger(request);
    this.forecasts.forget();
    return event;
  }

  #connection(engine: EngineAccess, userId: string, listener: ConnectionListener): EngineConnection {
    return new EngineConnection({ ...engine, userId, cancelOnDisconnect: false, listener });
  }

  #livePersona(persona: Persona, engine: EngineAccess): LivePersona {
    const { clock, mark } = this.#plan;
    return new LivePersona({
      ...engine,
      persona,
      view: this.#viewOf(persona),
      isViewCurrent: () => this.feed.isCurrent,
      isMarketOpen: () => this.#isMarketOpen(),
      clock,
      mark: `${mark}${persona.id}-`,
      onConnected: () => {
        this.#connectedPersonas += 1;
        if (this.#connectedPersonas === this.personas.length) this.#ready.resolve();
      },
      onFill: (fill, assignment) => this.#filled(fill, assignment),
      onTurnedAway: (reason) => this.#turnedAway(persona.userId, reason),
    });
  }

  #viewOf({ entityId }: Persona): PersonaView {
    const { feed, forecasts } = this;
    const { clock } = this.#plan;
    return {
      get time() {
        return clock.time();
      },
      get creditExhausted() {
        return feed.isCreditExhausted(entityId);
      },
      book: ({ id }) => this.#bookBefore ?? feed.book(id),
      isOpen: (contract) => feed.isOpen(contract),
      forecast: (contract) => forecasts.of(contract),
    };
  }

  /** Why nobody can trade now; null if somebody can. */
  get nothingToTrade(): string | null {
    if (!this.feed.isCurrent) return "the view of the market is not current: its connection is being restored";
    const { profile, clock } = this.#plan;
    if (profile.at(clock.time()).length === 0) {
      return "no contract is listed whose delivery begins after the simulated time, at a node with a spot price";
    }
    return this.#isMarketOpen() ? null : "no market is open";
  }

  #isMarketOpen(): boolean {
    return this.#contracts.values().some((contract) => this.feed.isOpen(contract));
  }

  #list(listed: ModuleData<"CONTRACT">): void {
    const product = this.#products.get(listed.productId);
    if (product === undefined || this.#contracts.has(listed.id)) return;
    const contract = tradedContract(++this.#lastIndex, listed, product);
    this.#contracts.set(contract.id, contract);
    this.#plan.profile.add(contract);
  }

  #expire(contractId: string): void {
    const contract = this.#contracts.get(contractId);
    if (contract === undefined) return;
    this.#plan.profile.remove(contract);
    for (const { persona } of this.personas) persona.onDelivery(contract);
  }

  #remove(contractId: string): void {
    const contract = this.#contracts.get(contractId);
    if (contract === undefined) return;
    this.#contracts.delete(contractId);
    this.#plan.profile.remove(contract);
    for (const { persona } of this.personas) persona.onRemoved(contract, () => Math.round(this.forecasts.of(contract)));
  }

  /** Once: whoever loses a connection later comes back alone. */
  #openPersonas(): void {
    if (this.#isOpened || this.#isOver) return;
    this.#isOpened = true;
    for (const persona of this.personas) persona.connect();
  }

  #publish({ contractId, ...rest }: SeenUpdate, book: ContractBook): void {
    const contract = this.#contracts.get(contractId);
    if (contract === undefined) return;
    const update = { ...rest, contract };
    this.#bookBefore = book;
    for (const persona of this.personas) persona.onMarketUpdate(update);
    this.#bookBefore = null;
  }

  #filled({ tradeId, contractId, side, price, quantity }: ModuleData<"FILL">, assignment: Assignment | null): void {
    const contract = this.#contracts.get(contractId);
    if (contract === undefined) return;
    const fundamental = this.forecasts.of(contract);
    const time = this.#plan.clock.time();
    this.trades.note({ tradeId, side, price, quantity: kilowatts(quantity), assignment, time, fundamental });
  }

  #spotMoved(): void {
    const { profile, clock, metrics } = this.#plan;
    this.forecasts.forget();
    if (!this.feed.isCurrent) return;
    for (const contract of profile.at(clock.time())) {
      metrics.onBook(this.feed.book(contract.id), this.forecasts.of(contract));
    }
  }

  #turnedAway(userId: string, reason: string): void {
    const failure = `the engine turned user ${userId} away: ${reason}`;
    this.#log.warn("{failure}", { failure });
    this.#ready.reject(new Error(failure));
    this.onFailure(failure);
  }
}

function stoppedWhileStarting(): Error {
  return new Error("it was stopped while it was starting");
}
