// The parameters of the spot price model (docs/spot-model.md). `log` is the natural logarithm. The normal price is what
// is usual for the season, hour and weekday; a ratio is a price over its normal price.

export interface SpotParameters {
  readonly level: PriceLevel;
  readonly shape: HourShape;
  readonly day: DayTightness;
  readonly turbulence: DayTurbulence;
  readonly base: BaseRegime;
  readonly spike: ExtremeRegime;
  readonly drop: ExtremeRegime;
  /**
   * The share of a spike's or drop's excess over the base that remains after an hour of base; so an excess also builds
   * up.
   */
  readonly jumpMemory: number;
  readonly spread: CongestionSpread;
  readonly withinHour: WithinHour;
  /** The market's price limits, in cents/MWh. */
  readonly minimumPriceCents: number;
  readonly maximumPriceCents: number;
}

/** The slow level: log cents/MWh = mean + cosine and sine of the year + a daily autoregression. */
export interface PriceLevel {
  readonly logMean: number;
  readonly yearCosine: number;
  readonly yearSine: number;
  readonly sd: number;
  readonly dailyMemory: number;
}

/** Log of an hour's normal price relative to the level, by local hour 0 to 23. */
export interface HourShape {
  readonly log: readonly number[];
  readonly yearCosine: readonly number[];
  readonly yearSine: readonly number[];
  /** Added on Saturdays and Sundays. */
  readonly weekend: readonly number[];
}

/** The tightness of a day: a standard normal daily autoregression; effects are per standard deviation. */
export interface DayTightness {
  readonly memory: number;
  /** On the log of base prices. */
  readonly price: number;
  /** On the log of the probability that a spike begins. */
  readonly spikes: number;
  /** On the log of the probability that a drop begins. */
  readonly drops: number;
  /** On the log size of spikes. */
  readonly spikeSize: number;
}

/**
 * How much base prices move on a day: the factor min(most, e^(sd q - sd²)) on the deviation of each hour's innovation,
 * where q is a standard normal daily autoregression.
 */
interface DayTurbulence {
  readonly memory: number;
  readonly sd: number;
  readonly most: number;
}

/** Log ratio: an hourly autoregression. `sd`: while the factor of turbulence is 1. */
export interface BaseRegime {
  readonly sd: number;
  readonly memory: number;
}

/**
 * A spike has the ratio 2.5 + e^s, a drop 0.25 - e^s, where s is a normal autoregression that continues between spells.
 * Arrays hold one probability for each local hour.
 */
export interface ExtremeRegime {
  /** Probability that a spell begins, after an hour of base. */
  readonly begins: readonly number[];
  readonly stays: readonly number[];
  /** Probability of beginning on a weekend, relative to a weekday. */
  readonly weekend: number;
  /** On the log of the probability of beginning: cosine and sine of the year. */
  readonly yearCosine: number;
  readonly yearSine: number;
  readonly sizeLogMean: number;
  readonly sizeLogSd: number;
  readonly sizeMemory: number;
}

/** Second node less first, in normal levels: a chain of none, up and down; sizes are lognormal autoregressions. */
export interface CongestionSpread {
  /** Probability of each next state (none, up, down) after each state. */
  readonly transitions: readonly (readonly [none: number, up: number, down: number])[];
  readonly upLogMean: number;
  readonly downLogMean: number;
  readonly sizeLogSd: number;
  readonly sizeMemory: number;
}

/** Deviations of the 5-minute steps from their hour: an autoregression with its mean over the hour removed. */
interface WithinHour {
  /** In normal prices. */
  readonly sd: number;
  /** In distances of the hour's price from the normal price; added to `sd`. */
  readonly extremeSd: number;
  readonly memory: number;
}

/** A ratio above SPIKE_RATIO is a spike, one below DROP_RATIO a drop. */
export const SPIKE_RATIO = 2.5;
export const DROP_RATIO = 0.25;
