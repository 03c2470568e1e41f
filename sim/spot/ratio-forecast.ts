// Expected ratios of price to normal price at both nodes, hour by hour from a state of the model. Each part of the
// model has a mean in closed form, and the parts are added. The market's price limits are ignored, an error of less
// than a percent.

import { NormalForecast } from "./normal-forecast.ts";
import { UNCONGESTED, UP } from "./hourly-prices.ts";
import type { PriceTables } from "./price-tables.ts";
import { RegimeForecast } from "./regime-forecast.ts";
import { DROP, type Hazards, type RegimeCode, SPIKE } from "./regimes.ts";
import { DROP_RATIO, SPIKE_RATIO, type SpotParameters } from "./spot-parameters.ts";

/** The part of a state that ratios depend on. */
interface RatioState {
  readonly firstRegime: RegimeCode;
  readonly secondRegime: RegimeCode;
  readonly firstExcess: number;
  readonly secondExcess: number;
  readonly congestion: number;
  readonly spread: number;
  /** Null if unknown. */
  readonly tightness: number | null;
  readonly baseLog: number | null;
  readonly spikeSize: number | null;
  readonly dropSize: number | null;
  readonly spreadSize: number | null;
}

interface NodeForecast {
  readonly regimes: RegimeForecast;
  excess: number;
}

export class RatioForecast {
  readonly #parameters: SpotParameters;
  readonly #nodes: readonly [NodeForecast, NodeForecast];
  readonly #tightness: NormalForecast;
  readonly #base: NormalForecast;
  readonly #spikeSize: NormalForecast;
  readonly #dropSize: NormalForecast;
  readonly #spreadSize: NormalForecast;
  /** Probabilities of none, up and down. */
  #congestion: readonly [number, number, number];
  #spread: number;

  /** Expected ratios of the current hour. */
  first = NaN;
  second = NaN;

  constructor(parameters: SpotParameters, tables: PriceTables, state: RatioState) {
    const { base, spike, drop, spread, day } = parameters;
    const node = (regime: RegimeCode, excess: number) => ({
      regimes: new RegimeForecast(parameters, tables, regime === SPIKE ? 1 : 0, regime === DROP ? 1 : 0),
      excess,
    });
    this.#parameters = parameters;
    this.#nodes = [node(state.firstRegime, state.firstExcess), node(state.secondRegime, state.secondExcess)];
    this.#tightness = new NormalForecast(state.tightness, day.memory);
    this.#base = new NormalForecast(state.baseLog === null ? null : state.baseLog / base.sd, base.memory);
    this.#spikeSize = new NormalForecast(state.spikeSize, spike.sizeMemory);
    this.#dropSize = new NormalForecast(state.dropSize, drop.sizeMemory);
    this.#spreadSize = new NormalForecast(state.spreadSize, spread.sizeMemory);
    this.#congestion = [UNCONGESTED, UP, UP + 1].map((each) => each === state.congestion ? 1 : 0) as [
      number,
      number,
      number,
    ];
    this.#spread = state.spread;
    for (const { regimes } of this.#nodes) regimes.beginDay(this.#tightness);
  }

  /** Advances to the next hour. `slot`: its index in the tables; `beginsDay`: whether a local day begins with it. */
  step(slot: number, beginsDay: boolean, first: Hazards, second: Hazards): void {
    const { base, spike, drop, jumpMemory, day } = this.#parameters;
    if (beginsDay) {
      this.#tightness.step();
      for (const { regimes } of this.#nodes) regimes.beginDay(this.#tightness);
    }
    this.#base.step();
    this.#spikeSize.step();
    this.#dropSize.step();
    this.#stepSpread();
    const spikeJump = SPIKE_RATIO - 1 + this.#spikeSize.meanOfExponential(spike.sizeLogMean, spike.sizeLogSd);
    const dropJump = DROP_RATIO - 1 - this.#dropSize.meanOfExponential(drop.sizeLogMean, drop.sizeLogSd);
    const [one, other] = this.#nodes;
    for (const [node, hazards] of [[one, first], [other, second]] as const) {
      node.regimes.step(slot, hazards.spikes, hazards.drops);
      const jump = node.regimes.spikeChance * spikeJump + node.regimes.dropChance * dropJump;
      node.excess += (1 - jumpMemory) * (jump - node.excess);
    }
    const usual = this.#base.meanOfExponential(0, base.sd) * this.#tightness.meanOfExponential(0, day.price);
    this.first = usual + one.excess;
    this.second = usual + other.excess + this.#spread;
  }

  #stepSpread(): void {
    const { spread, jumpMemory } = this.#parameters;
    this.#spreadSize.step();
    const before = this.#congestion;
    const chanceOf = (state: 0 | 1 | 2) =>
      spread.transitions.reduce((sum, row, from) => sum + before[from as 0 | 1 | 2] * row[state], 0);
    this.#congestion = [chanceOf(0), chanceOf(1), chanceOf(2)];
    const jump = this.#congestion[1] * this.#spreadSize.meanOfExponential(spread.upLogMean, spread.sizeLogSd) -
      this.#congestion[2] * this.#spreadSize.meanOfExponential(spread.downLogMean, spread.sizeLogSd);
    this.#spread += (1 - jumpMemory) * (jump - this.#spread);
  }
}
