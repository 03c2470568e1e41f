// The figures of the spot price model (docs/spot-model.md). `log` is the natural logarithm; "normal price" is what the
// season, the hour and the weekday make usual; a ratio is a price over its normal price.

export interface SpotParameters {
  readonly level: PriceLevel;
  readonly shape: HourShape;
  readonly day: DayTightness;
  readonly base: BaseRegime;
  readonly spike: ExtremeRegime;
  readonly drop: ExtremeRegime;
  /** What is left of a spike's or drop's excess over the base after an hour of base; so it also builds up. */
  readonly jumpMemory: number;
  readonly spread: CongestionSpread;
  readonly withinHour: WithinHour;
  /** What the market's rules allow, in cents/MWh. */
  readonly minimumPriceCents: number;
  readonly maximumPriceCents: number;
}

/** The slow level: log cents/MWh = mean + cosine, sine of the year + an autoregression by the day. */
export interface PriceLevel {
  readonly logMean: number;
  readonly yearCosine: number;
  readonly yearSine: number;
  readonly sd: number;
  readonly dailyMemory: number;
}

/** Log of an hour's usual price over the level, by local hour 0 to 23. */
export interface HourShape {
  readonly log: readonly number[];
  readonly yearCosine: readonly number[];
  readonly yearSine: readonly number[];
  /** Added on Saturdays and Sundays. */
  readonly weekend: readonly number[];
}

/** How tight a day is: standard normal, remembered from day to day; what one standard deviation does. */
export interface DayTightness {
  readonly memory: number;
  /** Log of base prices. */
  readonly price: number;
  /** Log of the chance that a spike begins. */
  readonly spikes: number;
  /** Log of the chance that a drop begins. */
  readonly drops: number;
}

/** Log ratio: an autoregression by the hour. */
export interface BaseRegime {
  readonly sd: number;
  readonly memory: number;
}

/**
 * A spike has the ratio 2.5 + e^s, a drop 0.25 - e^s, where s is normal, with a memory that goes on between spells. An
 * array has one chance for each local hour.
 */
export interface ExtremeRegime {
  /** The chance that it begins, after an hour of base. */
  readonly begins: readonly number[];
  readonly stays: readonly number[];
  /** The chance to begin on a weekend, over that on a weekday. */
  readonly weekend: number;
  /** Log of the chance to begin: cosine and sine of the year. */
  readonly yearCosine: number;
  readonly yearSine: number;
  readonly sizeLogMean: number;
  readonly sizeLogSd: number;
  readonly sizeMemory: number;
}

/** Second node less first, in normal levels: a chain of none, up and down; sizes lognormal with memory. */
export interface CongestionSpread {
  /** The chance of each next state (none, up, down) after each state. */
  readonly transitions: readonly (readonly [none: number, up: number, down: number])[];
  readonly upLogMean: number;
  readonly downLogMean: number;
  readonly sizeLogSd: number;
  readonly sizeMemory: number;
}

/** Deviations of the 5-minute steps from their hour, an autoregression whose mean over the hour is taken out. */
export interface WithinHour {
  /** In normal prices. */
  readonly sd: number;
  /** In distances of the hour's price from the normal price, added to the above. */
  readonly extremeSd: number;
  readonly memory: number;
}

/** A ratio above is a spike, one below a drop. */
export const SPIKE_RATIO = 2.5;
export const DROP_RATIO = 0.25;
