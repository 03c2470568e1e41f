// Expected prices over a delivery. For the next three weeks, or as long as events act, it forecasts hour by hour from
// the current state and the news. After that it uses seasonal prices, scaled by the expected deviation of the slow level.
//
// The hourly curve is computed on the first call after a 5-minute step, in about 0.1 ms. The cost of a call grows with
// the number of days between the end of that curve and the end of the delivery, and with the hours of incomplete days.

import { type Effects, NO_EFFECTS } from "./spot-events.ts";
import { HOUR_MS, type HourlyPrices, noiseOf } from "./hourly-prices.ts";
import { LocalCalendar, PEAK_END, PEAK_START } from "./local-calendar.ts";
import type { News } from "./news.ts";
import { RatioForecast } from "./ratio-forecast.ts";
import { type SeasonalPrices, seasonalPrices } from "./seasonal-prices.ts";
import type { DeliveryShape } from "./spot-prices.ts";

const NEAR_HOURS = 21 * 24;
const DAY_HOURS = 24;
const MAX_DELIVERY_YEARS = 50;
const MAX_DELIVERY_MS = MAX_DELIVERY_YEARS * 366 * DAY_HOURS * HOUR_MS;

/** The effects of known events on a node at a future time. */
type ExpectedEffects = (node: 0 | 1, time: number) => Effects;

/** Cumulative sums of prices over the hours after now: all hours, and peak hours. */
interface NearCurve {
  readonly all: Float64Array;
  readonly peak: Float64Array;
}

export class PriceForecast {
  readonly #prices: HourlyPrices;
  readonly #news: News;
  readonly #effects: ExpectedEffects;
  #eventsUntil = -Infinity;
  readonly #calendar: LocalCalendar;
  readonly #seasonal: SeasonalPrices;
  #curves: readonly [NearCurve, NearCurve] | null = null;
  /** Cumulative number of peak hours after now. */
  #peakHours = new Float64Array(0);
  #today = 0;

  constructor(prices: HourlyPrices, news: News, effects: ExpectedEffects, timezone: string) {
    this.#prices = prices;
    this.#news = news;
    this.#effects = effects;
    this.#calendar = new LocalCalendar(timezone);
    this.#seasonal = seasonalPrices(prices.parameters, prices.tables);
  }

  /** Call it after every change of state. */
  invalidate(): void {
    this.#curves = null;
  }

  /** Call it after every change of events; the last of them ends at `time`. */
  eventsUntil(time: number): void {
    this.#eventsUntil = time;
    this.#curves = null;
  }

  /**
   * The mean price of the hours that the delivery overlaps, in cents/MWh, not rounded. `past` gives the price of an
   * hour up to the current one, or null if unknown. A peak delivery without peak hours uses all its hours. Throws
   * RangeError if the delivery is empty or too long.
   */
  meanPrice(
    node: 0 | 1,
    from: number,
    until: number,
    shape: DeliveryShape,
    past: (time: number) => number | null,
  ): number {
    const start = Math.floor(from / HOUR_MS) * HOUR_MS;
    const end = Math.ceil(until / HOUR_MS) * HOUR_MS;
    if (!(start < end)) throw new RangeError(`a delivery must end after it begins, not from ${from} until ${until}`);
    if (end - start > MAX_DELIVERY_MS) {
      throw new RangeError(`a delivery must last at most ${MAX_DELIVERY_YEARS} years`);
    }
    const total = new Total(shape === "peak");
    const near = this.#curves ?? this.#makeCurves();
    const now = this.#prices.time;
    const nearEnd = now + near[node].all.length * HOUR_MS;
    for (let time = start; time < Math.min(end, now + HOUR_MS); time += HOUR_MS) {
      this.#calendar.moveTo(time);
      total.add(past(time) ?? this.#seasonal.hours[node][this.#calendar.slot]!, 1, this.#calendar.isPeak);
    }
    this.#addNear(total, near[node], Math.max(start, now + HOUR_MS), Math.min(end, nearEnd));
    this.#addFar(total, node, Math.max(start, nearEnd), end);
    return total.hours > 0 ? total.sum / total.hours : this.meanPrice(node, from, until, "base", past);
  }

  #addNear(total: Total, { all, peak }: NearCurve, from: number, until: number): void {
    if (from >= until) return;
    const before = (from - this.#prices.time) / HOUR_MS - 1;
    const last = (until - this.#prices.time) / HOUR_MS - 1;
    const sums = total.isPeak ? peak : all;
    const hours = total.isPeak ? this.#peakHours[last]! - this.#peakHours[before]! : last - before;
    total.addSum(sums[last]! - sums[before]!, hours);
  }

  #addFar(total: Total, node: 0 | 1, from: number, until: number): void {
    const { hours, days, peaks } = this.#seasonal;
    const calendar = this.#calendar;
    let time = from;
    while (time < until) {
      calendar.moveTo(time);
      const level = this.#levelAfter(calendar.day - this.#today);
      if (calendar.hour === 0 && time + DAY_HOURS * HOUR_MS <= until) {
        const kind = calendar.slot / DAY_HOURS;
        const peakHours = calendar.isWeekend ? 0 : PEAK_END - PEAK_START;
        if (total.isPeak) total.addSum(level * peaks[node][kind]!, peakHours);
        else total.addSum(level * days[node][kind]!, DAY_HOURS);
        time += DAY_HOURS * HOUR_MS;
      } else {
        total.add(level * hours[node][calendar.slot]!, 1, calendar.isPeak);
        time += HOUR_MS;
      }
    }
  }

  /** Expected factor of the slow level after some days. */
  #levelAfter(days: number): number {
    if (days <= 0) return this.#prices.levelFactor;
    const { sd, dailyMemory } = this.#prices.parameters.level;
    const { level, share } = this.#news.day;
    const noise = noiseOf(dailyMemory) * sd;
    const kept = dailyMemory ** (days - 1);
    const mean = kept * (dailyMemory * this.#prices.levelLog + noise * level);
    return Math.exp(mean + (sd ** 2 * (1 - kept ** 2) + (kept * noise) ** 2 * (1 - share)) / 2);
  }

  #makeCurves(): readonly [NearCurve, NearCurve] {
    const prices = this.#prices;
    const calendar = this.#calendar;
    const ending = Math.ceil((this.#eventsUntil - prices.time) / HOUR_MS) + DAY_HOURS;
    const count = Math.max(NEAR_HOURS, ending) + 1;
    const curve = () => ({ all: new Float64Array(count), peak: new Float64Array(count) });
    const curves = [curve(), curve()] as const;
    this.#peakHours = new Float64Array(count);
    const ratios = new RatioForecast(prices.parameters, prices.tables, prices, this.#news.hour, this.#news.day);
    calendar.moveTo(prices.time);
    this.#today = calendar.day;
    let level = prices.levelFactor;
    for (let hour = 1; hour < count; hour++) {
      const time = prices.time + hour * HOUR_MS;
      const day = calendar.day;
      calendar.moveTo(time);
      const acts = time < this.#eventsUntil;
      const first = acts ? this.#effects(0, time) : NO_EFFECTS;
      const second = acts ? this.#effects(1, time) : NO_EFFECTS;
      ratios.step(calendar.slot, calendar.day !== day, first.hazards, second.hazards);
      if (calendar.day !== day) level = this.#levelAfter(calendar.day - this.#today);
      const normal = prices.tables.normalCents[calendar.slot]! * level;
      const isPeak = calendar.isPeak;
      this.#peakHours[hour] = this.#peakHours[hour - 1]! + (isPeak ? 1 : 0);
      accumulate(curves[0], hour, normal * first.level * (ratios.first + first.lift), isPeak);
      accumulate(curves[1], hour, normal * second.level * (ratios.second + second.lift), isPeak);
    }
    this.#curves = curves;
    return curves;
  }
}

function accumulate({ all, peak }: NearCurve, hour: number, price: number, isPeak: boolean): void {
  all[hour] = all[hour - 1]! + price;
  peak[hour] = peak[hour - 1]! + (isPeak ? price : 0);
}

/** A sum of prices over hours; with `isPeak`, over peak hours only. */
class Total {
  sum = 0;
  hours = 0;

  constructor(readonly isPeak: boolean) {}

  add(price: number, hours: number, isPeak: boolean): void {
    if (isPeak || !this.isPeak) this.addSum(price * hours, hours);
  }

  addSum(sum: number, hours: number): void {
    this.sum += sum;
    this.hours += hours;
  }
}
