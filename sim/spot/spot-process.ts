// Simulated spot prices, every 5 minutes: the hours of HourlyPrices, the steps within them, and the effects of events.
// The same seed with the same events at the same times gives the same prices.
//
// Cost: about 1 us for the points of 5 minutes.

import { HOUR_MS } from "../../protocol/time-units.ts";
import { SeededRandom } from "../random/seeded-random.ts";
import { SPOT_PARAMETERS } from "./built-in-parameters.ts";
import { type Effects, effectsOn, fuelFactorAt, NO_EFFECTS } from "./event-effects.ts";
import type { EventCourse, KnownEvent } from "./event-course.ts";
import { HourlyPrices, isCongested, UNCONGESTED } from "./hourly-prices.ts";
import { HourHistory, type Pair, type PastHour } from "./hour-history.ts";
import { HourSteps, STEPS } from "./hour-steps.ts";
import { LocalCalendar } from "./local-calendar.ts";
import { MarketEvents } from "./market-events.ts";
import { News } from "./news.ts";
import { PriceForecast } from "./price-forecast.ts";
import { regimeOf, REGIMES } from "./regimes.ts";
import type { SpotParameters } from "./spot-parameters.ts";
import type {
  ActiveSpotEvent,
  DeliveryShape,
  SpotEvent,
  SpotEventRequest,
  SpotPoint,
  SpotPrices,
} from "./spot-prices.ts";

export const STEP_MS = HOUR_MS / STEPS;
/** Longest advance in one call, in hours. */
const MAX_HOURS = 100_000;

export interface SpotProcessOptions {
  readonly seed: number;
  /** Milliseconds since the epoch; the first points are those of the 5 minutes that contain it. */
  readonly startTime: number;
  readonly timezone: string;
  /** Two different names. */
  readonly nodes: readonly [string, string];
  readonly parameters?: SpotParameters;
}

export class SpotProcess implements SpotPrices {
  readonly nodes: readonly [string, string];
  readonly #prices: HourlyPrices;
  readonly #steps: HourSteps;
  readonly #stepCents = [new Float64Array(STEPS), new Float64Array(STEPS)] as const;
  readonly #calendar: LocalCalendar;
  readonly #news: News;
  readonly #forecast: PriceForecast;
  /** As if the last announcements of this step had not been made. */
  readonly #earlierForecast: PriceForecast;
  readonly #history = new HourHistory();
  readonly #events: MarketEvents;
  #known: readonly KnownEvent[] = [];
  /** What was known of events before the last announcements of this step; null if there were none. */
  #knownBefore: readonly KnownEvent[] | null = null;
  #announcements = 0;
  #vintage = 0;
  /** Time of the latest points. */
  #time: number;
  #current: readonly [SpotPoint, SpotPoint];

  constructor({ seed, startTime, timezone, nodes, parameters = SPOT_PARAMETERS }: SpotProcessOptions) {
    if (nodes[0] === nodes[1]) throw new RangeError(`the two nodes must have different names, not ${nodes[0]} twice`);
    const random = new SeededRandom(seed);
    this.nodes = nodes;
    this.#prices = new HourlyPrices(parameters, random.fork("hours"), timezone);
    this.#steps = new HourSteps(parameters, random.fork("steps"));
    this.#calendar = new LocalCalendar(timezone);
    this.#news = new News(this.#prices, random.fork("news"), timezone);
    const forecast = () => new PriceForecast(nodes, this.#prices, this.#news, timezone);
    this.#forecast = forecast();
    this.#earlierForecast = forecast();
    this.#events = new MarketEvents(nodes, random.fork("events"));
    this.#time = Math.floor(startTime / STEP_MS) * STEP_MS;
    this.#beginHour(Math.floor(startTime / HOUR_MS) * HOUR_MS);
    this.#current = this.#nextPoint();
  }

  advanceTo(time: number): SpotPoint[] {
    if (!(time - this.#time <= MAX_HOURS * HOUR_MS)) {
      throw new RangeError(`prices advance by at most ${MAX_HOURS} hours at a time`);
    }
    const points: SpotPoint[] = [];
    while (this.#time + STEP_MS <= time) {
      this.#time += STEP_MS;
      this.#hearOfEvents();
      if (this.#time % HOUR_MS === 0) this.#beginHour(this.#time);
      this.#current = this.#nextPoint();
      points.push(...this.#current);
    }
    return points;
  }

  current(node: string): SpotPoint {
    return this.#current[this.#placeOf(node)];
  }

  history(hours: number): SpotPoint[] {
    return this.#history.last(hours).flatMap(({ time, prices, normals }) =>
      pointsOf(this.nodes, time, [Math.round(prices[0]), Math.round(prices[1])], normals)
    );
  }

  trigger(request: SpotEventRequest): SpotEvent {
    const course = this.#events.trigger(request, this.#time);
    this.#triggered(course);
    return course.announced;
  }

  /** An event that acts here, too, goes as it was drawn elsewhere. */
  join(course: EventCourse): void {
    this.#events.add(course);
    this.#triggered(course);
  }

  reprice(): SpotPoint[] {
    const { prices, normals } = this.#presentPrices();
    this.#history.replaceNewest(prices, normals);
    this.#current = pointsOf(this.nodes, this.#time, prices, normals);
    return [...this.#current];
  }

  get vintage(): number {
    return this.#vintage;
  }

  fuelFactor(node: string): number {
    return fuelFactorAt(this.nodes[this.#placeOf(node)], this.#known, this.#time);
  }

  get activeEvents(): readonly ActiveSpotEvent[] {
    return this.#events.activeAt(this.#time);
  }

  get announcements(): number {
    return this.#announcements;
  }

  expectedPrice(node: string, from: number, until: number, shape: DeliveryShape): number {
    const place = this.#placeOf(node);
    const past = (time: number) => this.#pastPrice(place, time, this.#known);
    return Math.round(this.#forecast.meanPrice(place, from, until, shape, past));
  }

  priceBeforeAnnouncements(node: string, from: number, until: number, shape: DeliveryShape): number {
    const known = this.#knownBefore;
    if (known === null) return this.expectedPrice(node, from, until, shape);
    const place = this.#placeOf(node);
    const past = (time: number) => this.#pastPrice(place, time, known);
    return Math.round(this.#earlierForecast.meanPrice(place, from, until, shape, past));
  }

  /** The place of the latest points in their hour, from 0. */
  get #step(): number {
    return Math.floor((this.#time - this.#prices.time) / STEP_MS);
  }

  #placeOf(node: string): 0 | 1 {
    const place = this.nodes.indexOf(node);
    if (place !== 0 && place !== 1) throw new RangeError(`unknown node ${node}`);
    return place;
  }

  /** An event was triggered. The market may learn of it later. */
  #triggered({ announcedTime }: EventCourse): void {
    if (announcedTime > this.#time) return;
    this.#knownBefore = this.#known;
    this.#known = this.#events.knownAt(this.#time);
    this.#announcements += 1;
    this.#vintage += 1;
    this.#invalidateForecasts();
  }

  /** Learns what is announced at this step. */
  #hearOfEvents(): void {
    this.#events.forget(this.#time - STEP_MS);
    const isNews = this.#events.isNewsIn(this.#time - STEP_MS, this.#time);
    this.#knownBefore = isNews ? this.#known : null;
    if (isNews) this.#announcements += 1;
    this.#known = this.#events.knownAt(this.#time);
  }

  #invalidateForecasts(): void {
    this.#forecast.invalidate(this.#known);
    this.#earlierForecast.invalidate(this.#knownBefore ?? []);
  }

  #beginHour(time: number): void {
    const [first, second] = [this.#effectsAt(0, time), this.#effectsAt(1, time)];
    this.#prices.step(time, first.hazards, second.hazards);
    this.#steps.draw();
    const { firstCents, secondCents, normalCents } = this.#prices;
    this.#steps.spread(firstCents, normalCents, this.#stepCents[0]);
    this.#steps.spread(secondCents, normalCents, this.#stepCents[1]);
    this.#history.begin(time);
  }

  /** The point of the current time; adds it to the history. */
  #nextPoint(): readonly [SpotPoint, SpotPoint] {
    this.#vintage += 1;
    this.#news.moveTo(this.#time);
    this.#invalidateForecasts();
    const { prices, normals } = this.#presentPrices();
    this.#history.add(prices, normals);
    return pointsOf(this.nodes, this.#time, prices, normals);
  }

  #presentPrices(): { readonly prices: Pair; readonly normals: Pair } {
    const step = this.#step;
    const prices: [number, number] = [0, 0];
    const normals: [number, number] = [0, 0];
    for (const node of [0, 1] as const) {
      const effects = this.#effectsAt(node, this.#time);
      prices[node] = Math.round(this.#withEffects(this.#stepCents[node][step]!, effects));
      normals[node] = this.#prices.normalCents * effects.level;
    }
    return { prices, normals };
  }

  #withEffects(cents: number, { lift, level }: Effects): number {
    if (lift === 0 && level === 1) return cents;
    const { minimumPriceCents, maximumPriceCents } = this.#prices.parameters;
    const price = (cents + lift * this.#prices.normalCents) * level;
    return Math.min(maximumPriceCents, Math.max(minimumPriceCents, price));
  }

  #effectsAt(node: 0 | 1, time: number, known = this.#known): Effects {
    if (known.length === 0) return NO_EFFECTS;
    this.#calendar.moveTo(time);
    const freeChance = this.#prices.congestion === UNCONGESTED ? 1 : 0;
    return effectsOn(node, this.nodes, known, { time, localHour: this.#calendar.hour, freeChance });
  }

  /** The price of an hour up to the current one; null if unknown. */
  #pastPrice(node: 0 | 1, time: number, known: readonly KnownEvent[]): number | null {
    const hoursAgo = (this.#prices.time - time) / HOUR_MS;
    const past = this.#history.before(hoursAgo);
    return past === null || hoursAgo > 0 ? past?.prices[node] ?? null : this.#currentHourPrice(node, past, known);
  }

  /** The price that the current hour will have if its events go on as they are now. */
  #currentHourPrice(node: 0 | 1, { prices, points }: PastHour, known: readonly KnownEvent[]): number {
    const effects = this.#effectsAt(node, this.#time, known);
    let sum = prices[node] * points;
    const next = this.#step + 1;
    for (let step = next; step < STEPS; step++) sum += this.#withEffects(this.#stepCents[node][step]!, effects);
    return sum / (points + STEPS - next);
  }
}

/** The points of both nodes at one time; `prices` and `normals` in cents/MWh. */
function pointsOf(
  nodes: readonly [string, string],
  time: number,
  prices: Pair,
  normals: Pair,
): readonly [SpotPoint, SpotPoint] {
  const congested = isCongested(prices[0], prices[1]);
  const point = (at: 0 | 1) => ({
    time,
    node: nodes[at],
    priceCents: prices[at],
    regime: REGIMES[regimeOf(prices[at], normals[at])]!,
    congested,
  });
  return [point(0), point(1)];
}
