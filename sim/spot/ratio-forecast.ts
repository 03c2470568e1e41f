// Expected ratios of price to normal price at both nodes, hour by hour from a state of the model and from what is known
// of the next hour and the next day. Each part of the model has a mean in closed form, and the parts are added.
// Spikes and drops end at the market's price limits; the sum of the parts may exceed them slightly.
//
// Cost: about 0.1 us an hour while both nodes have the same regimes.

import { BaseForecast } from "./base-forecast.ts";
import { meanOfLimitedExponential, NormalForecast } from "./normal-forecast.ts";
import { UNCONGESTED, UP } from "./hourly-prices.ts";
import { type DayNews, type HourNews, NO_DAY_NEWS, NO_HOUR_NEWS } from "./news.ts";
import type { PriceTables } from "./price-tables.ts";
import { chanceBelow, RegimeForecast } from "./regime-forecast.ts";
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
  readonly turbulence: number | null;
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
  readonly #first: NodeForecast;
  /** The same object as the first while both nodes have the same expectation. */
  #second: NodeForecast;
  readonly #tightness: NormalForecast;
  readonly #base: BaseForecast;
  readonly #spikeSize: NormalForecast;
  readonly #dropSize: NormalForecast;
  readonly #spreadSize: NormalForecast;
  readonly #transitions: readonly number[];
  #upChance: number;
  #downChance: number;
  #spread: number;
  /** Of the next hour or day; nothing is known of the later ones. */
  #hourNews: HourNews;
  #dayNews: DayNews;

  /** Expected ratios of the current hour. */
  first = NaN;
  second = NaN;

  constructor(
    private readonly parameters: SpotParameters,
    tables: PriceTables,
    state: RatioState,
    hourNews: HourNews = NO_HOUR_NEWS,
    dayNews: DayNews = NO_DAY_NEWS,
  ) {
    const { spike, drop, spread, day } = parameters;
    const node = (regime: RegimeCode, excess: number) => ({
      regimes: new RegimeForecast(parameters, tables, regime === SPIKE ? 1 : 0, regime === DROP ? 1 : 0),
      excess,
    });
    const isSame = state.firstRegime === state.secondRegime && state.firstExcess === state.secondExcess;
    this.#hourNews = hourNews;
    this.#dayNews = dayNews;
    this.#first = node(state.firstRegime, state.firstExcess);
    this.#second = isSame ? this.#first : node(state.secondRegime, state.secondExcess);
    this.#tightness = new NormalForecast(state.tightness, day.memory);
    this.#base = new BaseForecast(parameters, state.baseLog, state.turbulence);
    this.#spikeSize = new NormalForecast(state.spikeSize, spike.sizeMemory);
    this.#dropSize = new NormalForecast(state.dropSize, drop.sizeMemory);
    this.#spreadSize = new NormalForecast(state.spreadSize, spread.sizeMemory);
    this.#transitions = spread.transitions.flat();
    this.#upChance = state.congestion === UP ? 1 : 0;
    this.#downChance = state.congestion === UNCONGESTED || state.congestion === UP ? 0 : 1;
    this.#spread = state.spread;
    this.#beginRegimes();
  }

  /**
   * Advances to the next hour. `slot`: its index in the tables; `beginsDay`: whether a local day begins with it.
   * `normalCents`: its expected normal price.
   */
  step(slot: number, beginsDay: boolean, first: Hazards, second: Hazards, normalCents: number): void {
    const news = this.#hourNews;
    if (beginsDay) this.#beginDay();
    this.#base.step(news);
    this.#spikeSize.step(news.size, news.share);
    this.#dropSize.step(news.size, news.share);
    const isSame = first.spikes === second.spikes && first.drops === second.drops;
    if (!isSame && this.#first === this.#second) {
      this.#second = { regimes: this.#first.regimes.copy(), excess: this.#first.excess };
    }
    const { minimumPriceCents, maximumPriceCents } = this.parameters;
    const usual = this.#base.ratio(this.#tightness, maximumPriceCents / normalCents);
    const least = minimumPriceCents / normalCents - usual;
    const most = maximumPriceCents / normalCents - usual;
    this.#stepSpread(news, least, most);
    this.#stepNode(this.#first, slot, first, least, most);
    if (this.#second !== this.#first) this.#stepNode(this.#second, slot, second, least, most);
    this.first = usual + this.#first.excess;
    this.second = usual + this.#second.excess + this.#spread;
    this.#hourNews = NO_HOUR_NEWS;
  }

  /** The chance that the line between the nodes is uncongested in the current hour. */
  get freeChance(): number {
    return 1 - this.#upChance - this.#downChance;
  }

  #beginDay(): void {
    this.#base.beginDay(this.#dayNews);
    this.#tightness.step(this.#dayNews.tightness, this.#dayNews.share);
    this.#dayNews = NO_DAY_NEWS;
    this.#beginRegimes();
  }

  #beginRegimes(): void {
    this.#first.regimes.beginDay(this.#tightness);
    if (this.#second !== this.#first) this.#second.regimes.beginDay(this.#tightness);
  }

  /** `least` and `most`: what a drop and a spike may add to the ratio; also below. */
  #stepNode(node: NodeForecast, slot: number, hazards: Hazards, least: number, most: number): void {
    const { regimes } = node;
    const { regime, share } = this.#hourNews;
    regimes.step(slot, hazards, regime, share);
    const jump = regimes.spikeChance * this.#spikeJump(regimes, most) + regimes.dropChance * this.#dropJump(least);
    node.excess += (1 - this.parameters.jumpMemory) * (jump - node.excess);
  }

  #spikeJump(regimes: RegimeForecast, most: number): number {
    const { spike, day } = this.parameters;
    const beyond = most - (SPIKE_RATIO - 1);
    if (beyond <= 0) return most;
    const { mean, variance } = this.#spikeSize;
    return SPIKE_RATIO - 1 + meanOfLimitedExponential(
      spike.sizeLogMean + spike.sizeLogSd * mean + day.spikeSize * regimes.spikeTightness,
      spike.sizeLogSd ** 2 * variance + day.spikeSize ** 2 * regimes.spikeTightnessVariance,
      beyond,
    );
  }

  #dropJump(least: number): number {
    const { drop } = this.parameters;
    const beyond = DROP_RATIO - 1 - least;
    if (beyond <= 0) return least;
    const { mean, variance } = this.#dropSize;
    const size = drop.sizeLogMean + drop.sizeLogSd * mean;
    return DROP_RATIO - 1 - meanOfLimitedExponential(size, drop.sizeLogSd ** 2 * variance, beyond);
  }

  #stepSpread({ spread: known, congestion, share }: HourNews, least: number, most: number): void {
    const { spread, jumpMemory } = this.parameters;
    this.#spreadSize.step(known, share);
    const chances = [1 - this.#upChance - this.#downChance, this.#upChance, this.#downChance] as const;
    // Low draws leave the line uncongested, high draws make the second node cheaper.
    let [free, down] = [0, 0];
    for (const state of [0, 1, 2] as const) {
      free += chances[state] * chanceBelow(this.#transitions[3 * state]!, congestion, share);
      down += chances[state] * chanceBelow(this.#transitions[3 * state + 2]!, -congestion, share);
    }
    this.#upChance = 1 - free - down;
    this.#downChance = down;
    const jump = this.#upChance * this.#meanSpread(spread.upLogMean, most) -
      this.#downChance * this.#meanSpread(spread.downLogMean, -least);
    this.#spread += (1 - jumpMemory) * (jump - this.#spread);
  }

  #meanSpread(logMean: number, most: number): number {
    if (most <= 0) return most;
    const { sizeLogSd } = this.parameters.spread;
    const { mean, variance } = this.#spreadSize;
    return meanOfLimitedExponential(logMean + sizeLogSd * mean, sizeLogSd ** 2 * variance, most);
  }
}
