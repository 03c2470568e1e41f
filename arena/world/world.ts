// The market of one episode: a whole engine in this process, personas that trade in it, and spot prices. Nothing here has a
// clock, a timer or a socket: market time passes only if the caller says so. The same options and the same calls at the same
// times give the same messages and answers, byte for byte.
//
// Personas act in a fixed order: by the time of their wake-up, and within an instant by the order in which they were created.

import type { EngineRequest, Execution } from "../../engine/api/market-engine.ts";
import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import { EmbeddedEngine } from "../../engine/embedded/embedded-engine.ts";
import { EngineVenue } from "../../engine/embedded/engine-venue.ts";
import type { EngineFacts } from "../../engine/embedded/fact-recorder.ts";
import type { ReadonlyOrder } from "../../engine/embedded/read-only.ts";
import { kilowattsOf } from "../../engine/market/units.ts";
import type { Side } from "../../protocol/sides.ts";
import { HeadlessRun } from "../../sim/headless/headless-run.ts";
import { publishingUser } from "../../sim/live/market-facts.ts";
import { spotPricesOf } from "../../sim/live/spot-report.ts";
import type { Trader } from "../../sim/personas/persona.ts";
import type { PopulationSettings } from "../../sim/population/create-personas.ts";
import { spotNodes } from "../../sim/spot/market-spot.ts";
import type { SpotPrices } from "../../sim/spot/spot-prices.ts";
import { observedBy } from "../../sim/tape/observers.ts";
import type { RunObserver } from "../../sim/tape/run-observer.ts";
import type { TradedContract } from "../../sim/personas/traded-contract.ts";
import { Script } from "./script.ts";
import { SpotPublisher } from "./spot-publisher.ts";
import { SpotRecord } from "./spot-record.ts";

export interface WorldOptions {
  /** No persona trades for the entity of an agent: it is not simulated. */
  readonly definition: MarketDefinition;
  readonly experiment: PopulationSettings;
  readonly seed: number;
  /** Market time of the start, in milliseconds since the epoch. Books are empty then. */
  readonly startTime: number;
  /** False: nobody reads messages and the audit trail of the engine, so it makes none. Default: true. */
  readonly isHeard?: boolean;
  /** They are told what happens, besides. */
  readonly observers?: readonly Partial<RunObserver>[];
}

const ENGINE_ID = "arena";
/** What the ids of the personas' requests begin with. */
const PERSONAS = "persona-";
/** Between two looks at whether it is enough. */
const STEPS_AT_ONCE = 5_000;
const NO_FACTS: EngineFacts = { placed: [], cancelled: [], trades: [], expired: [], changes: [] };

export class World {
  readonly engine: EmbeddedEngine;
  readonly definition: MarketDefinition;
  readonly spot: SpotPrices;
  /** What others than personas do, at times to come. */
  readonly script = new Script();
  /** Is told of each request that `execute` has carried out. */
  onRequest: (request: EngineRequest, execution: Execution) => void = () => {};
  readonly #venue: EngineVenue;
  readonly #run: HeadlessRun;
  readonly #spotRecord = new SpotRecord();
  readonly #refused = new Map<string, number>();

  /** Throws RangeError if the market and the experiment have `populationFaults`, or if nobody may publish spot prices. */
  constructor({ definition, experiment, seed, startTime, isHeard = true, observers = [] }: WorldOptions) {
    const userId = publishingUser(definition);
    if (userId === null) throw new RangeError("no user of the market holds Spot.Publish");
    this.definition = definition;
    const engine = this.engine = new EmbeddedEngine({
      definition,
      engineId: ENGINE_ID,
      startTime,
      secret: null,
      isHeard,
    });
    this.spot = spotPricesOf(definition, seed, startTime);
    this.#venue = new EngineVenue(engine, PERSONAS);
    this.#run = new HeadlessRun({
      definition,
      startTime,
      seed,
      experiment,
      spot: this.spot,
      venue: this.#venue,
      strangers: (user) => strangerNamed(user),
      observer: observedBy([
        new SpotPublisher({ engine, userId, nodes: spotNodes(definition) }),
        this.#spotRecord,
        ...observers,
      ]),
    });
  }

  /** Market time, in milliseconds since the epoch. */
  get now(): number {
    return this.engine.now;
  }

  /** All contracts of the market now, in the order of listing. */
  get contracts(): TradedContract[] {
    return this.#run.contracts;
  }

  /** The users as whom personas trade. */
  get personaUserIds(): ReadonlySet<string> {
    return new Set(this.#run.personas.map(({ userId }) => userId));
  }

  /** The best forecast of a contract's value, in cents/MWh, which anybody could make of what is known. */
  forecastOf(contract: TradedContract): number {
    return this.#run.bestForecast(contract);
  }

  /** The middle of a contract's book, in cents/MWh; null if a side is empty. */
  middleOf(contract: TradedContract): number | null {
    const { bestBid, bestAsk } = this.#run.book(contract);
    return bestBid === null || bestAsk === null ? null : (bestBid + bestAsk) / 2;
  }

  /** What a delivery is worth, in cents/MWh: the mean of its spot prices if it is over, and else the best forecast. */
  valueOf(contract: TradedContract): number {
    const { node, deliveryStart, deliveryEnd } = contract;
    const delivered = deliveryEnd <= this.now ? this.#spotRecord.mean(node, deliveryStart, deliveryEnd) : null;
    return delivered ?? this.forecastOf(contract);
  }

  /** Executes a request of a user who is no persona, and tells the personas what it has done. */
  execute(request: EngineRequest): Execution {
    const execution = this.engine.execute(request);
    const { userId } = request;
    if (execution.response?.status !== "ok") this.#refused.set(userId, this.refusedOf(userId) + 1);
    this.#run.happened(this.engine.takeFacts());
    this.onRequest(request, execution);
    return execution;
  }

  /**
   * Places an order of any user. Its ids are like those of personas' orders, so they don't tell who has sent it. Null if it is
   * refused, or if the market is not open.
   */
  place(userId: string, contractId: string, side: Side, price: number, megawatts: number): ReadonlyOrder | null {
    const kilowatts = kilowattsOf(megawatts);
    if (kilowatts === null) throw new RangeError(`${megawatts} MW are no whole number of kW`);
    const placed = this.#venue.submit(userId, this.#venue.contract(contractId), side, price, kilowatts);
    if (!placed.accepted) return null;
    const { order, trades } = placed;
    this.#run.happened({ ...NO_FACTS, placed: [order], trades });
    return order;
  }

  /** Cancels an open order, which was placed so. */
  withdraw(order: ReadonlyOrder): void {
    this.#venue.cancel(order);
    this.#run.happened({ ...NO_FACTS, cancelled: [order] });
  }

  /** How many requests of a user who is no persona were refused. */
  refusedOf(userId: string): number {
    return this.#refused.get(userId) ?? 0;
  }

  /** Lets market time pass up to `time`, in which spot prices move and nobody trades. */
  settle(time: number): void {
    this.#run.settle(time);
  }

  /** Lets market time pass up to `time`, or until somebody has acted and it `isEnough`. */
  advanceTo(time: number, isEnough: (() => boolean) | null = null): void {
    const { script } = this;
    for (;;) {
      const stop = Math.min(time, script.next);
      while (!this.#run.advanceTo(stop, isEnough === null ? STEPS_AT_ONCE : 1)) {
        if (isEnough?.() === true) return;
      }
      if (script.next > stop) return;
      script.run(stop);
      if (isEnough?.() === true) return;
    }
  }
}

/** The engine keeps their orders and positions; nothing else needs to know them. */
function strangerNamed(id: string): Trader {
  return { id, assignmentOf: () => null, onFill: () => {}, onClosed: () => {} };
}
