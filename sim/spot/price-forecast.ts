// Expected prices over a delivery. For the next three weeks it forecasts hour by hour from the current state, the news
// and the events. After that it uses seasonal prices, scaled by the expected deviation of the slow level, by fuel shocks
// (the other effects of events have worn off by then), and by the tightness of days: the ratio of the last near week to
// its seasonal price tends to 1 as fast as tightness is forgotten.
//
// The hourly curve is computed on the first call after a 5-minute step, in about 0.1 ms. The cost of a call grows with
// the number of days between the end of that curve and the end of the delivery, and with the hours of incomplete days.

import { HOUR_MS } from "../../protocol/time-units.ts";
import type { KnownEvent } from "./event-course.ts";
import { type Effects, effectsOn, NO_EFFECTS } from "./event-effects.ts";
import type { HourlyPrices } from "./hourly-prices.ts";
import { noiseOf } from "./innovations.ts";
import { LocalCalendar, PEAK_END, PEAK_START } from "./local-calendar.ts";
import type { News } from "./news.ts";
import { RatioForecast } from "./ratio-forecast.ts";
import { type SeasonalPrices, seasonalPrices } from "./seasonal-prices.ts";
import type { DeliveryShape } from "./spot-prices.ts";

const NEAR_HOURS = 21 * 24;
const DAY_HOURS = 24;
const WEEK_HOURS = 7 * DAY_HOURS;
const MAX_DELIVERY_YEARS = 50;
const MAX_DELIVERY_MS = MAX_DELIVERY_YEARS * 366 * DAY_HOURS * HOUR_MS;

/** Cumulative sums of prices over the hours after now: all hours, and peak hours. */
interface NearCurve {
  readonly all: Float64Array;
  readonly peak: Float64Array;
}

/** A sum of prices over all hours, or over peak hours only. */
class DeliveryTotal {
  readonly isPeak: boolean;
  sum = 0;
  hours = 0;

  constructor(shape: DeliveryShape) {
    this.isPeak = shape === "peak";
  }

  add(price: number, hours: number, isPeak: boolean): void {
    if (isPeak || !this.isPeak) this.addSum(price * hours, hours);
  }

  addSum(sum: number, hours: number): void {
    this.sum += sum;
    this.hours += hours;
  }
}

export class PriceForecast {
  #events: readonly KnownEvent[] = [];
  readonly #calendar: LocalCalendar;
  readonly #seasonal: SeasonalPrices;
  /** By node; computed again if they are out of date. */
  readonly #curves = [newCurve(), newCurve()] as const;
  #isCurrent = false;
  /** Cumulative number of peak hours after now. */
  readonly #peakHours = new Float64Array(NEAR_HOURS + 1);
  /** By node: the expected price of the last near week over its seasonal price. */
  #lastWeek: readonly [number, number] = [1, 1];
  /** The chance that the line is free after the near curve. */
  #freeChance = 1;
  #today = 0;

  constructor(
    private readonly nodes: readonly [string, string],
    private readonly prices: HourlyPrices,
    private readonly news: News,
    timezone: string,
  ) {
    this.#calendar = new LocalCalendar(timezone);
    this.#seasonal = seasonalPrices(prices.parameters, prices.tables);
  }

  /** Call it after every step and every change of what is known of events. */
  invalidate(events: readonly KnownEvent[]): void {
    this.#events = events;
    this.#isCurrent = false;
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
    const total = new DeliveryTotal(shape);
    if (!this.#isCurrent) this.#makeCurves();
    const near = this.#curves;
    const now = this.prices.time;
    const nearEnd = now + (NEAR_HOURS + 1) * HOUR_MS;
    for (let time = start; time < Math.min(end, now + HOUR_MS); time += HOUR_MS) {
      this.#calendar.moveTo(time);
      total.add(past(time) ?? this.#seasonal.hours[node][this.#calendar.slot]!, 1, this.#calendar.isPeak);
    }
    this.#addNear(total, near[node], Math.max(start, now + HOUR_MS), Math.min(end, nearEnd));
    this.#addFar(total, node, Math.max(start, nearEnd), end);
    return total.hours > 0 ? total.sum / total.hours : this.meanPrice(node, from, until, "base", past);
  }

  #addNear(total: DeliveryTotal, { all, peak }: NearCurve, from: number, until: number): void {
    if (from >= until) return;
    const before = (from - this.prices.time) / HOUR_MS - 1;
    const last = (until - this.prices.time) / HOUR_MS - 1;
    const sums = total.isPeak ? peak : all;
    const hours = total.isPeak ? this.#peakHours[last]! - this.#peakHours[before]! : last - before;
    total.addSum(sums[last]! - sums[before]!, hours);
  }

  #addFar(total: DeliveryTotal, node: 0 | 1, from: number, until: number): void {
    const { hours, days, peaks } = this.#seasonal;
    const calendar = this.#calendar;
    let time = from;
    while (time < until) {
      calendar.moveTo(time);
      const { level: fuel } = this.#effectsOn(node, time, this.#freeChance);
      const daysAhead = calendar.day - this.#today;
      const level = this.#levelAfter(daysAhead) * fuel * this.#tightnessAfter(daysAhead, node);
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
    if (days <= 0) return this.prices.levelFactor;
    const { sd, dailyMemory } = this.prices.parameters.level;
    const { level, share } = this.news.day;
    const noise = noiseOf(dailyMemory) * sd;
    const kept = dailyMemory ** (days - 1);
    const mean = kept * (dailyMemory * this.prices.levelLog + noise * level);
    return Math.exp(mean + (sd ** 2 * (1 - kept ** 2) + (kept * noise) ** 2 * (1 - share)) / 2);
  }

  /** Expected factor of the days' tightness after the near curve. */
  #tightnessAfter(days: number, node: 0 | 1): number {
    const sinceLastWeek = days - (NEAR_HOURS - WEEK_HOURS / 2) / DAY_HOURS;
    return 1 + (this.#lastWeek[node] - 1) * this.prices.parameters.day.memory ** sinceLastWeek;
  }

  #makeCurves(): void {
    const prices = this.prices;
    const calendar = this.#calendar;
    const curves = this.#curves;
    const ratios = new RatioForecast(prices.parameters, prices.tables, prices, this.news.hour, this.news.day);
    calendar.moveTo(prices.time);
    this.#today = calendar.day;
    let level = prices.levelFactor;
    let [firstUsual, secondUsual] = [0, 0];
    for (let hour = 1; hour <= NEAR_HOURS; hour++) {
      const time = prices.time + hour * HOUR_MS;
      const day = calendar.day;
      calendar.moveTo(time);
      const { slot, isPeak } = calendar;
      // Spikes and drops begin by the state of the line an hour before; lifts act by its present state.
      const before = ratios.freeChance;
      const hazards = this.#effectsOn(0, time, before).hazards;
      const secondHazards = this.#effectsOn(1, time, before).hazards;
      const beginsDay = calendar.day !== day;
      if (beginsDay) level = this.#levelAfter(calendar.day - this.#today);
      const normal = prices.tables.normalCents[slot]! * level;
      ratios.step(slot, beginsDay, hazards, secondHazards, normal);
      const [first, second] = [
        this.#effectsOn(0, time, ratios.freeChance),
        this.#effectsOn(1, time, ratios.freeChance),
      ];
      this.#peakHours[hour] = this.#peakHours[hour - 1]! + (isPeak ? 1 : 0);
      accumulate(curves[0], hour, this.#limited(normal * first.level * (ratios.first + first.lift)), isPeak);
      accumulate(curves[1], hour, this.#limited(normal * second.level * (ratios.second + second.lift)), isPeak);
      if (hour <= NEAR_HOURS - WEEK_HOURS) continue;
      firstUsual += this.#seasonal.hours[0][slot]! * level * first.level;
      secondUsual += this.#seasonal.hours[1][slot]! * level * second.level;
    }
    this.#lastWeek = [lastWeekOf(curves[0]) / firstUsual, lastWeekOf(curves[1]) / secondUsual];
    this.#freeChance = ratios.freeChance;
    this.#isCurrent = true;
  }

  /** The expected effects at a time, where the calendar is. */
  #effectsOn(node: 0 | 1, time: number, freeChance: number): Effects {
    if (this.#events.length === 0) return NO_EFFECTS;
    return effectsOn(node, this.nodes, this.#events, { time, localHour: this.#calendar.hour, freeChance });
  }

  #limited(price: number): number {
    const { minimumPriceCents, maximumPriceCents } = this.prices.parameters;
    return Math.min(maximumPriceCents, Math.max(minimumPriceCents, price));
  }
}

function newCurve(): NearCurve {
  return { all: new Float64Array(NEAR_HOURS + 1), peak: new Float64Array(NEAR_HOURS + 1) };
}

function lastWeekOf({ all }: NearCurve): number {
  return all[NEAR_HOURS]! - all[NEAR_HOURS - WEEK_HOURS]!;
}

function accumulate({ all, peak }: NearCurve, hour: number, price: number, isPeak: boolean): void {
  all[hour] = all[hour - 1]! + price;
  peak[hour] = peak[hour - 1]! + (isPeak ? price : 0);
}
