// The market of one episode: a whole engine in this process, personas that trade in it, and spot prices. Nothing here has a
// clock, a timer or a socket: market time passes only if the caller says so. The same options and the same calls at the same
// times give the same messages and answers, byte for byte.
//
// Personas act in a fixed order: by the time of their wake-up, and within an instant by the order in which they were created.

import { hundredths } from "../../common/rounding.ts";
import type { EngineRequest, Execution } from "../../engine/api/market-engine.ts";
import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import { EmbeddedEngine } from "../../engine/embedded/embedded-engine.ts";
import { EngineVenue } from "../../engine/embedded/engine-venue.ts";
import { HeadlessRun } from "../../sim/headless/headless-run.ts";
import { publishingUser } from "../../sim/live/market-facts.ts";
import { spotPricesOf } from "../../sim/live/spot-report.ts";
import type { Trader } from "../../sim/personas/persona.ts";
import type { PopulationSettings } from "../../sim/population/create-personas.ts";
import { spotNodes } from "../../sim/spot/market-spot.ts";
import type { SpotPrices } from "../../sim/spot/spot-prices.ts";
import { SpotPublisher } from "./spot-publisher.ts";

interface WorldOptions {
  /** No persona trades for the entity of an agent: it is not simulated. */
  readonly definition: MarketDefinition;
  readonly experiment: PopulationSettings;
  readonly seed: number;
  /** Market time of the start, in milliseconds since the epoch. Books are empty then. */
  readonly startTime: number;
}

const ENGINE_ID = "arena";
/** What the ids of the personas' requests begin with. */
const PERSONAS = "persona-";
const CENTS = 100;
/** Between two looks at whether it is enough. */
const STEPS_AT_ONCE = 5_000;

export class World {
  readonly engine: EmbeddedEngine;
  readonly definition: MarketDefinition;
  readonly spot: SpotPrices;
  readonly #run: HeadlessRun;

  /** Throws RangeError if the market and the experiment have `populationFaults`, or if nobody may publish spot prices. */
  constructor({ definition, experiment, seed, startTime }: WorldOptions) {
    const userId = publishingUser(definition);
    if (userId === null) throw new RangeError("no user of the market holds Spot.Publish");
    this.definition = definition;
    const engine = this.engine = new EmbeddedEngine({ definition, engineId: ENGINE_ID, startTime, secret: null });
    this.spot = spotPricesOf(definition, seed, startTime);
    this.#run = new HeadlessRun({
      definition,
      startTime,
      seed,
      experiment,
      spot: this.spot,
      venue: new EngineVenue(engine, PERSONAS),
      strangers: (user) => strangerNamed(user),
      observer: new SpotPublisher({ engine, userId, nodes: spotNodes(definition) }),
    });
  }

  /** Market time, in milliseconds since the epoch. */
  get now(): number {
    return this.engine.now;
  }

  /** The best forecast of a contract's value, in cents/MWh; undefined if the contract is not in the market. */
  forecastOf(contractId: string): number | undefined {
    const contract = this.#run.contracts.find(({ id }) => id === contractId);
    return contract && this.#run.bestForecast(contract);
  }

  /**
   * What an entity has won until now, in dollars, with what it holds before delivery at the best forecast of its value, which
   * anybody could make of what is known. Undefined if there is no such entity.
   */
  resultOf(entityId: string): number | undefined {
    const report = this.engine.positions(entityId);
    if (report === undefined) return undefined;
    const beyondMarks = report.positions.map(({ contractId, netEnergy, mark, markSource }) => {
      const forecast = markSource === "spot" ? undefined : this.forecastOf(contractId);
      return forecast === undefined ? 0 : netEnergy * (forecast - mark) / CENTS;
    });
    return hundredths(beyondMarks.reduce((sum, dollars) => sum + dollars, report.totals.profit));
  }

  /** Executes a request of a user who is no persona, and tells the personas what it has done. */
  execute(request: EngineRequest): Execution {
    const execution = this.engine.execute(request);
    this.#run.happened(this.engine.takeFacts());
    return execution;
  }

  /** Lets market time pass up to `time`, or until a persona has acted and it `isEnough`. */
  advanceTo(time: number, isEnough: (() => boolean) | null = null): void {
    while (!this.#run.advanceTo(time, isEnough === null ? STEPS_AT_ONCE : 1)) {
      if (isEnough?.() === true) return;
    }
  }
}

/** The engine keeps their orders and positions; nothing else needs to know them. */
function strangerNamed(id: string): Trader {
  return { id, assignmentOf: () => null, onFill: () => {}, onClosed: () => {} };
}
