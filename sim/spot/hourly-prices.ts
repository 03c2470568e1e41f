// The hourly prices of two nodes, one hour at a time: the model of docs/spot-model.md, without the price lifts of
// events and without the steps within the hour.
//
// The random numbers of an hour are drawn an hour ahead, and those of a day a day ahead, because the market learns of
// them little by little (news.ts).
//
// Every hour draws the same number of random numbers. So two runs of one seed that differ by an
// event converge again after the event. One draw decides the regimes of both nodes, so they are equal unless an event
// affects one node alone. Cost: two uniform and three normal numbers an hour, three normal numbers a day, at most three
// exponentials, no allocation.

import type { SeededRandom } from "../random/seeded-random.ts";
import { type DayDraws, type HourDraws, type Noise, noiseIn } from "./innovations.ts";
import { LocalCalendar } from "./local-calendar.ts";
import { type PriceTables, priceTables } from "./price-tables.ts";
import { BASE, type Hazards, nextRegime, NO_HAZARDS, type RegimeCode, SPIKE } from "./regimes.ts";
import { DROP_RATIO, SPIKE_RATIO, type SpotParameters } from "./spot-parameters.ts";

export const UNCONGESTED = 0;
export const UP = 1;

/** Largest difference of the nodes' prices at which the line counts as uncongested, in cents/MWh. */
const CONGESTION_CENTS = 100;

/** The random numbers that the model draws. */
export type SpotRandom = Pick<SeededRandom, "next" | "normal">;

export class HourlyPrices {
  readonly tables: PriceTables;
  readonly #calendar: LocalCalendar;
  readonly #transitions: Float64Array;
  readonly #noise: Noise;
  /** Logs that make the mean of the tightness's factors on chances 1, and the mean square of the turbulence's. */
  readonly #centre: { readonly spikes: number; readonly drops: number; readonly turbulence: number };

  /** The hour of the prices below; NaN before the first. */
  time = NaN;
  firstCents = 0;
  secondCents = 0;
  /** The normal price of this hour at both nodes, in cents/MWh. */
  normalCents = 0;

  // The state from which forecasts start.
  firstRegime: RegimeCode = BASE;
  secondRegime: RegimeCode = BASE;
  /** 0 none, 1 up, 2 down: the second node's price relative to the first. */
  congestion = UNCONGESTED;
  /** Log deviation of the slow level from its seasonal mean, and the corresponding factor. */
  levelLog = 0;
  levelFactor = 1;
  /** Standard normal: how tight the day is. */
  tightness: number;
  /** Standard normal: how much base prices move on this day. */
  turbulence: number;
  /** Log ratio of base prices, without the day's part. */
  baseLog: number;
  /** What spikes and drops add to the ratio now, at each node. */
  firstExcess = 0;
  secondExcess = 0;
  /** Second node less first, in normal prices. */
  spread = 0;
  /** Standard normal: sizes of a spike, a drop and a spread; they evolve even while there is none. */
  spikeSize = 0;
  dropSize = 0;
  spreadSize = 0;
  /** The random numbers of the next hour and of the next day. */
  readonly nextHour: HourDraws;
  readonly nextDay: DayDraws;
  readonly #catchUp: number;
  #spikesToday = 1;
  #dropsToday = 1;
  #baseToday = 0;
  #spikeSizeToday = 0;
  #baseNoise = 0;

  constructor(readonly parameters: SpotParameters, private readonly random: SpotRandom, timezone: string) {
    this.tables = priceTables(parameters);
    this.#calendar = new LocalCalendar(timezone);
    this.#transitions = Float64Array.from(parameters.spread.transitions.flat());
    this.#noise = noiseIn(parameters);
    const { day, turbulence } = parameters;
    this.#centre = { spikes: day.spikes ** 2 / 2, drops: day.drops ** 2 / 2, turbulence: turbulence.sd ** 2 };
    this.#catchUp = 1 - parameters.jumpMemory;
    this.tightness = random.normal();
    this.turbulence = random.normal();
    this.baseLog = parameters.base.sd * random.normal();
    this.nextDay = { level: random.normal(), tightness: random.normal(), turbulence: random.normal() };
    this.nextHour = {
      regime: random.next(),
      base: random.normal(),
      size: random.normal(),
      spread: random.normal(),
      congestion: random.next(),
    };
  }

  /** Advances to the hour that begins at `time`, in milliseconds since the epoch; it must follow the previous one. */
  step(time: number, first: Hazards = NO_HAZARDS, second: Hazards = first): void {
    const { base, spike, drop, spread } = this.parameters;
    const draws = this.nextHour;
    const random = this.random;
    const calendar = this.#calendar;
    const day = calendar.day;
    calendar.moveTo(time);
    if (calendar.day !== day) this.#beginDay();
    this.time = time;
    const slot = calendar.slot;

    // Each number is used, and the next hour's is drawn in its place: faster than drawing all of them at the end.
    this.#moveRegimes(draws.regime, slot, first, second);
    draws.regime = random.next();
    this.baseLog = base.memory * this.baseLog + this.#baseNoise * draws.base;
    draws.base = random.normal();
    this.spikeSize = spike.sizeMemory * this.spikeSize + this.#noise.spike * draws.size;
    this.dropSize = drop.sizeMemory * this.dropSize + this.#noise.drop * draws.size;
    draws.size = random.normal();
    this.spreadSize = spread.sizeMemory * this.spreadSize + this.#noise.spread * draws.spread;
    draws.spread = random.normal();
    this.#moveCongestion(draws.congestion);
    draws.congestion = random.next();

    const normal = this.tables.normalCents[slot]! * this.levelFactor;
    const usual = Math.exp(this.baseLog + this.#baseToday);
    const spell = this.firstRegime;
    const jump = this.#jump(spell, normal, usual);
    const secondJump = this.secondRegime === spell ? jump : this.#jump(this.secondRegime, normal, usual);
    this.firstExcess += this.#catchUp * (jump - this.firstExcess);
    this.secondExcess += this.#catchUp * (secondJump - this.secondExcess);
    this.normalCents = normal;
    this.firstCents = this.#cents(normal * (usual + this.firstExcess));
    this.spread += this.#catchUp * (this.#spreadJump(normal, usual) - this.spread);
    this.secondCents = this.#cents(normal * (usual + this.secondExcess + this.spread));
  }

  #beginDay(): void {
    const { level, day, turbulence } = this.parameters;
    const draws = this.nextDay;
    const noise = this.#noise;
    const centre = this.#centre;
    this.levelLog = level.dailyMemory * this.levelLog + noise.level * draws.level;
    this.levelFactor = Math.exp(this.levelLog);
    this.tightness = day.memory * this.tightness + noise.tightness * draws.tightness;
    this.#spikesToday = Math.exp(day.spikes * this.tightness - centre.spikes);
    this.#dropsToday = Math.exp(day.drops * this.tightness - centre.drops);
    this.#baseToday = day.price * this.tightness;
    this.#spikeSizeToday = day.spikeSize * this.tightness;
    this.turbulence = turbulence.memory * this.turbulence + noise.turbulence * draws.turbulence;
    const width = Math.exp(turbulence.sd * this.turbulence - centre.turbulence);
    this.#baseNoise = noise.base * Math.min(turbulence.most, width);
    draws.level = this.random.normal();
    draws.tightness = this.random.normal();
    draws.turbulence = this.random.normal();
  }

  #moveRegimes(draw: number, slot: number, first: Hazards, second: Hazards): void {
    const { spike, drop } = this.tables;
    const spikes = spike.begins[slot]! * this.#spikesToday;
    const drops = drop.begins[slot]! * this.#dropsToday;
    const spikeStays = spike.stays[slot]!;
    const dropStays = drop.stays[slot]!;
    const isSame = second === first && this.secondRegime === this.firstRegime;
    this.firstRegime = nextRegime(this.firstRegime, draw, first, spikes, drops, spikeStays, dropStays);
    this.secondRegime = isSame
      ? this.firstRegime
      : nextRegime(this.secondRegime, draw, second, spikes, drops, spikeStays, dropStays);
  }

  #moveCongestion(draw: number): void {
    const row = this.congestion * 3;
    const none = this.#transitions[row]!;
    this.congestion = draw < none ? UNCONGESTED : draw < none + this.#transitions[row + 1]! ? UP : UP + 1;
  }

  /** What a regime adds to the ratio in the long run: at most as much as the price limits allow. */
  #jump(regime: RegimeCode, normal: number, usual: number): number {
    if (regime === BASE) return 0;
    const { spike, drop, minimumPriceCents, maximumPriceCents } = this.parameters;
    if (regime === SPIKE) {
      const size = Math.exp(spike.sizeLogMean + spike.sizeLogSd * this.spikeSize + this.#spikeSizeToday);
      return Math.min(SPIKE_RATIO - 1 + size, maximumPriceCents / normal - usual);
    }
    const size = Math.exp(drop.sizeLogMean + drop.sizeLogSd * this.dropSize);
    return Math.max(DROP_RATIO - 1 - size, minimumPriceCents / normal - usual);
  }

  /** What the spread tends to in the current state of congestion: at most as much as the price limits allow. */
  #spreadJump(normal: number, usual: number): number {
    if (this.congestion === UNCONGESTED) return 0;
    const { spread, minimumPriceCents, maximumPriceCents } = this.parameters;
    const size = spread.sizeLogSd * this.spreadSize;
    return this.congestion === UP
      ? Math.min(Math.exp(spread.upLogMean + size), maximumPriceCents / normal - usual)
      : Math.max(-Math.exp(spread.downLogMean + size), minimumPriceCents / normal - usual);
  }

  #cents(price: number): number {
    const { minimumPriceCents, maximumPriceCents } = this.parameters;
    if (price > maximumPriceCents) return maximumPriceCents;
    // Math.round gives the same at four times the cost.
    return price < minimumPriceCents ? minimumPriceCents : Math.floor(price + 0.5);
  }
}

/** Whether the line between the nodes is congested: their prices differ by more than a dollar. */
export function isCongested(firstCents: number, secondCents: number): boolean {
  return Math.abs(firstCents - secondCents) > CONGESTION_CENTS;
}
