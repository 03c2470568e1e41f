// What the market knows of the next hour and the next day. HourlyPrices draws their random numbers ahead; the market
// learns of each number little by little, at every 5-minute step.
//
// A standard normal number z is the end of a Brownian path r, with r(0) = 0 and r(1) = z. After a share f of the
// period's news the market knows r(f). Given that, z is normal with mean r(f) and variance 1 - f, so each forecast is a
// martingale. A uniform number u becomes a normal one first: z has the chance u of a smaller value.
//
// The share that a step adds is its news intensity over the sum for the period: an hour, or a local day. The intensity
// is a log-autoregression in steps, so much news is followed by much news (the clustering of volatility), times a factor of
// the local hour: most news comes in working hours.
//
// Cost: 8 normal numbers a step, and 288 with as many exponentials a day.

import { HOUR_MS } from "../../protocol/time-units.ts";
import { BUSY_HOURS } from "./busy-hours.ts";
import { normalQuantile } from "../random/normal-distribution.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import type { HourlyPrices } from "./hourly-prices.ts";
import { type DayDraws, type HourDraws, noiseOf } from "./innovations.ts";
import { STEPS } from "./hour-steps.ts";
import { LocalCalendar } from "./local-calendar.ts";

/**
 * The log of the intensity: its standard deviation and its memory of one step. They are chosen so that the size of the
 * changes of a forecast has an autocorrelation of about .25 after 5 minutes and of .15 after an hour.
 */
const INTENSITY_SD = 1.15;
const INTENSITY_MEMORY = 0.97;

/** Half of the resolution of a uniform number, so that 0 has a finite normal value. */
const HALF_UNIT = 2 ** -33;

/** What is known of a period's draws: means of normal numbers with variance 1 - share. */
type Known<Name extends string> = Readonly<Record<Name | "share", number>>;
export type HourNews = Known<keyof HourDraws>;
export type DayNews = Known<keyof DayDraws>;

export const NO_HOUR_NEWS: HourNews = { share: 0, regime: 0, base: 0, size: 0, spread: 0, congestion: 0 };
export const NO_DAY_NEWS: DayNews = { share: 0, level: 0, tightness: 0, turbulence: 0 };

export class News {
  readonly #calendar: LocalCalendar;
  readonly #hour = new PartlyKnown(["regime", "base", "size", "spread", "congestion"]);
  readonly #day = new PartlyKnown(["level", "tightness", "turbulence"]);
  #hourTime = NaN;
  /** The local day that contains the present: the time of its first hour, and cumulative intensities of its steps. */
  #dayStart = NaN;
  #intensities: readonly number[] = [];
  #logIntensity = 0;

  constructor(private readonly prices: HourlyPrices, private readonly random: SeededRandom, timezone: string) {
    this.#calendar = new LocalCalendar(timezone);
    this.#logIntensity = INTENSITY_SD * random.normal();
  }

  get hour(): HourNews {
    return this.#hour.known;
  }

  get day(): DayNews {
    return this.#day.known;
  }

  /** Advances to a time within the hour of the prices. */
  moveTo(time: number): void {
    const { time: hourTime } = this.prices;
    if (hourTime !== this.#hourTime) this.#beginHour(hourTime);
    const stepsBefore = (hourTime - this.#dayStart) / HOUR_MS * STEPS;
    const step = stepsBefore + Math.floor((time - hourTime) / HOUR_MS * STEPS);
    const before = this.#intensities[stepsBefore]!;
    const now = this.#intensities[step]!;
    this.#hour.learn((now - before) / (this.#intensities[stepsBefore + STEPS]! - before), this.random);
    this.#day.learn(now / this.#intensities.at(-1)!, this.random);
  }

  #beginHour(time: number): void {
    const { nextHour, nextDay } = this.prices;
    this.#hourTime = time;
    const { base, size, spread } = nextHour;
    const [regime, congestion] = [normalOf(nextHour.regime), normalOf(nextHour.congestion)];
    this.#hour.begin({ regime, base, size, spread, congestion });
    const { day } = this.#calendar;
    this.#calendar.moveTo(time);
    if (this.#calendar.day === day) return;
    this.#day.begin({ ...nextDay });
    this.#drawIntensities(time);
  }

  #drawIntensities(time: number): void {
    const isToday = (at: number) => {
      this.#calendar.moveTo(at);
      return this.#calendar.day === today;
    };
    const today = this.#calendar.day;
    let [start, end] = [time, time + HOUR_MS];
    while (isToday(start - HOUR_MS)) start -= HOUR_MS;
    while (isToday(end)) end += HOUR_MS;
    this.#calendar.moveTo(time);
    this.#dayStart = start;
    let sum = 0;
    this.#intensities = [
      0,
      ...Array.from({ length: (end - start) / HOUR_MS * STEPS }, (_, step) => {
        this.#calendar.moveTo(start + Math.floor(step / STEPS) * HOUR_MS);
        return sum += this.#nextIntensity() * BUSY_HOURS[this.#calendar.hour]!;
      }),
    ];
    this.#calendar.moveTo(time);
  }

  #nextIntensity(): number {
    const noise = INTENSITY_SD * noiseOf(INTENSITY_MEMORY);
    this.#logIntensity = INTENSITY_MEMORY * this.#logIntensity + noise * this.random.normal();
    return Math.exp(this.#logIntensity);
  }
}

function normalOf(uniform: number): number {
  return normalQuantile(uniform + HALF_UNIT);
}

/** The draws of one period, and what is known of them. */
class PartlyKnown<Name extends string> {
  readonly known = { share: 0 } as Record<Name | "share", number>;
  #draws: Readonly<Record<Name, number>> | null = null;

  constructor(private readonly names: readonly Name[]) {}

  /** Nothing is known yet of these draws. */
  begin(draws: Readonly<Record<Name, number>>): void {
    this.#draws = draws;
    this.known.share = 0;
    for (const name of this.names) this.known[name] = 0;
  }

  /** Moves each path on to the share `share`, by its distribution given its present value and its end. */
  learn(share: number, random: SeededRandom): void {
    const { known } = this;
    const moved = share - known.share;
    if (this.#draws === null || !(moved > 0)) return;
    const drift = moved / (1 - known.share);
    const sd = Math.sqrt(moved * Math.max(0, 1 - drift));
    for (const name of this.names) {
      known[name] += drift * (this.#draws[name] - known[name]) + sd * random.normal();
    }
    known.share = share;
  }
}
