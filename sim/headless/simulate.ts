// A whole headless simulation, from the experiment to the report.

import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import { HOUR_MS } from "../../protocol/time-units.ts";
import type { Experiment } from "../experiment/experiment.ts";
import { type CompleteExperiment, completeExperiment } from "../experiment/resolve-experiment.ts";
import { marketSpotPrices, spotNodes } from "../spot/market-spot.ts";
import type { SpotPrices } from "../spot/spot-prices.ts";
import type { RunObserver } from "../tape/run-observer.ts";
import { HeadlessRun } from "./headless-run.ts";
import { type HeadlessReport, headlessReport } from "./headless-report.ts";
import type { OutsideMarket, OutsideTrader } from "./outside-trader.ts";

export interface HeadlessOptions {
  /** What it leaves open is chosen as for `mkt simulate`. */
  readonly experiment: Experiment;
  /** The experiment's market. */
  readonly definition: MarketDefinition;
  /** Called now and then with the number of steps or hours done. */
  readonly onProgress?: (done: number) => void;
  readonly observer?: RunObserver | null;
  /** Makes the traders from outside. */
  readonly outside?: (market: OutsideMarket) => readonly OutsideTrader[];
}

const STEPS_BETWEEN_PROGRESS = 5_000;

/** A simulation without traders from outside. Throws RangeError if the market and the experiment have `populationFaults`. */
export function simulate(options: Omit<HeadlessOptions, "outside">): HeadlessReport {
  const simulation = new Simulation(options);
  for (const { id } of simulation.advance()) throw new Error(`nobody lets ${id} act`);
  return simulation.report();
}

export class Simulation {
  readonly experiment: CompleteExperiment;
  readonly run: HeadlessRun;
  readonly spot: SpotPrices;
  readonly startTime: number;
  /** Null if the run ends after a number of steps. */
  readonly endTime: number | null;
  /** The market's nodes that have spot prices. */
  readonly #nodes: readonly string[];
  readonly #onProgress: (done: number) => void;

  /** Throws RangeError if the market and the experiment have `populationFaults`. */
  constructor({ experiment, definition, onProgress = () => {}, observer, outside }: HeadlessOptions) {
    this.experiment = completeExperiment(experiment, definition);
    this.#nodes = spotNodes(definition);
    this.#onProgress = onProgress;
    const { seed, start, hours } = this.experiment;
    const startTime = this.startTime = Date.parse(start);
    this.endTime = hours === null ? null : startTime + Math.round(hours * HOUR_MS);
    const spot = this.spot = marketSpotPrices(definition, seed, startTime);
    this.run = new HeadlessRun({ definition, startTime, seed, experiment: this.experiment, spot, observer, outside });
  }

  /** Runs to the end. Yields whenever a trader from outside is due: let it act, then go on. */
  *advance(): Generator<OutsideTrader, void, undefined> {
    const { run, startTime, endTime, experiment: { steps } } = this;
    if (endTime !== null) {
      while (!run.advanceTo(endTime, STEPS_BETWEEN_PROGRESS)) {
        this.#onProgress((run.time - startTime) / HOUR_MS);
        if (run.due !== null) yield run.due;
      }
    }
    while (steps !== null && run.steps < steps) {
      run.advance(Math.min(STEPS_BETWEEN_PROGRESS, steps - run.steps));
      this.#onProgress(run.steps);
      if (run.due !== null) yield run.due;
    }
    run.end();
  }

  report(): HeadlessReport {
    const { experiment: { name, seed }, startTime } = this;
    return headlessReport(this.run, this.spot, { experiment: name, seed, startTime, nodes: this.#nodes });
  }
}
