// What is known of the value of contracts: the best forecast of each, made anew with every 5-minute step of the spot prices,
// and its versions of the last hours. Personas see it late and with errors, through their PrivateForecasts. Only metrics,
// marks and tapes read the best forecast itself.
//
// Contracts of one delivery day have a group, whatever their node and product; so have contracts for one longer delivery. An
// error of opinion about a group concerns all its contracts.
//
// Prices are cents/MWh, times milliseconds since the epoch. Cost: one expected price for each contract and step.

import { HOUR_MS } from "../../protocol/time-units.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import type { NodeCalendars } from "../spot/node-calendars.ts";
import type { SpotPrices } from "../spot/spot-prices.ts";
import type { ForecastContract, ForecastEntry, ForecastSource } from "./forecast-source.ts";
import { NewsPath } from "./news-path.ts";
import { PrivateForecasts } from "./private-forecasts.ts";
import type { ForecastSkill } from "./settings.ts";

const STEP_MS = HOUR_MS / 12;
/** Four hours. */
const VERSIONS_KEPT = 48;
/** A day of 25 hours is the longest delivery that counts as one of a day. */
const LONGEST_DAY_MS = 25 * HOUR_MS;

export class BestForecasts implements ForecastSource {
  readonly #entries = new Map<number, ForecastEntry>();
  /** Those whose delivery has not begun. */
  readonly #traded = new Map<number, ForecastEntry>();
  readonly #groups = new Map<string, { readonly place: number; members: number }>();
  readonly #freeSlots: number[] = [];
  readonly #freeGroups: number[] = [];
  #slots = 0;
  #groupPlaces = 0;
  readonly #forecasters: PrivateForecasts[] = [];
  readonly #startTime: number;
  readonly #path: NewsPath;
  /** Number of the latest step. */
  #step: number;
  /** Of the spot prices: those that the forecasts know. */
  #announcements: number;

  /** `calendars`: those of the delivery days. `random`: the run's own, for the path of its news. */
  constructor(
    private readonly spot: SpotPrices,
    private readonly calendars: NodeCalendars,
    time: number,
    random: SeededRandom,
  ) {
    this.#path = new NewsPath(VERSIONS_KEPT, random);
    this.#startTime = time;
    this.#step = Math.floor(time / STEP_MS);
    this.#announcements = spot.announcements;
  }

  /** Nobody reads private forecasts from now on: none is revised any more. */
  dismissForecasters(): void {
    this.#forecasters.length = 0;
  }

  /** The contracts whose delivery has not begun, in the order of listing. */
  get traded(): Iterable<ForecastEntry> {
    return this.#traded.values();
  }

  /** A contract is listed. Its forecasts of the last hours are taken to be today's. */
  add(contract: ForecastContract, time: number): void {
    if (this.#entries.has(contract.index) || !this.spot.nodes.includes(contract.node)) return;
    for (const forecaster of this.#forecasters) forecaster.advanceTo(time);
    const versions = new Float64Array(VERSIONS_KEPT).fill(this.#expectedPrice(contract));
    const slot = this.#freeSlots.pop() ?? this.#slots++;
    const { group, isNewGroup } = this.#join(contract);
    const entry: ForecastEntry = { contract, slot, group, versions, isTraded: true };
    this.#entries.set(contract.index, entry);
    this.#traded.set(contract.index, entry);
    for (const forecaster of this.#forecasters) forecaster.listed(entry, { isNewGroup });
  }

  /** Delivery of a contract has begun: personas no longer revise their forecasts of it. */
  started({ index }: ForecastContract, time: number): void {
    const entry = this.#traded.get(index);
    if (entry === undefined) return;
    for (const forecaster of this.#forecasters) forecaster.advanceTo(time);
    entry.isTraded = false;
    this.#traded.delete(index);
  }

  /** A contract has left the market. Does nothing for an unknown contract. */
  remove(contract: ForecastContract, time: number): void {
    const entry = this.#entries.get(contract.index);
    if (entry === undefined) return;
    this.started(contract, time);
    this.#entries.delete(contract.index);
    this.#freeSlots.push(entry.slot);
    const key = this.#groupKey(contract);
    const group = this.#groups.get(key);
    if (group === undefined || --group.members > 0) return;
    this.#groups.delete(key);
    this.#freeGroups.push(group.place);
  }

  /** Call it whenever spot prices have moved or an event has been triggered. */
  spotMoved(time: number): void {
    this.#hearAnnouncements(time);
    const from = this.#step;
    this.#step = Math.floor(time / STEP_MS);
    const first = Math.max(Math.min(from + 1, this.#step), this.#step - VERSIONS_KEPT + 1);
    for (const { contract, versions } of this.#entries.values()) {
      // An hour after its end its price is known, and stays.
      if (contract.deliveryEnd + HOUR_MS < time) continue;
      const price = this.#expectedPrice(contract);
      if (contract.deliveryEnd <= time) versions.fill(price);
      for (let step = first; step <= this.#step; step++) versions[step % VERSIONS_KEPT] = price;
    }
  }

  /**
   * What is said of events is heard by everybody at once: it moves all versions, and the forecasts of all personas, as if it
   * had always been known.
   */
  #hearAnnouncements(time: number): void {
    if (this.#announcements === this.spot.announcements) return;
    this.#announcements = this.spot.announcements;
    for (const forecaster of this.#forecasters) forecaster.advanceTo(time);
    const waiting = [...this.#entries.values()].filter(({ contract }) => contract.deliveryEnd > time);
    const before = waiting.map(({ contract: { node, deliveryStart, deliveryEnd, shape } }) =>
      this.spot.priceBeforeAnnouncements(node, deliveryStart, deliveryEnd, shape)
    );
    for (const [at, { contract, versions }] of waiting.entries()) {
      const jump = this.#expectedPrice(contract) - before[at]!;
      for (let place = 0; place < VERSIONS_KEPT; place++) versions[place]! += jump;
    }
    for (const forecaster of this.#forecasters) forecaster.announced();
  }

  /** The best forecast: the mean spot price expected over the delivery. Throws for an unknown contract. */
  best(contract: ForecastContract): number {
    return this.entry(contract).versions[this.#step % VERSIONS_KEPT]!;
  }

  /**
   * The best forecast as the public knows it at a time, at most four hours ago; older ones are taken to be the oldest known.
   * The news of a step becomes public on its way to the next step (NewsPath).
   */
  publicAt({ versions }: ForecastEntry, time: number): number {
    const oldest = this.#step - VERSIONS_KEPT + 2;
    const step = Math.min(this.#step, Math.max(oldest, Math.floor(time / STEP_MS)));
    const share = Math.min(1, Math.max(0, time / STEP_MS - step));
    const before = versions[(step - 1) % VERSIONS_KEPT]!;
    return before + this.#path.publicPart(step, share) * (versions[step % VERSIONS_KEPT]! - before);
  }

  entry({ index }: ForecastContract): ForecastEntry {
    const entry = this.#entries.get(index);
    if (entry === undefined) throw new Error(`no forecast of contract ${index}`);
    return entry;
  }

  has({ index }: ForecastContract): boolean {
    return this.#entries.has(index);
  }

  /** Adds somebody with forecasts of their own. */
  forecaster(skill: ForecastSkill, random: SeededRandom): PrivateForecasts {
    const forecaster = new PrivateForecasts(this, skill, random, this.#startTime);
    this.#forecasters.push(forecaster);
    const groups = new Set<number>();
    for (const entry of this.#entries.values()) {
      forecaster.listed(entry, { isNewGroup: !groups.has(entry.group) });
      groups.add(entry.group);
    }
    return forecaster;
  }

  #expectedPrice({ node, deliveryStart, deliveryEnd, shape }: ForecastContract): number {
    return this.spot.expectedPrice(node, deliveryStart, deliveryEnd, shape);
  }

  #join(contract: ForecastContract): { readonly group: number; readonly isNewGroup: boolean } {
    const key = this.#groupKey(contract);
    const group = this.#groups.get(key);
    if (group !== undefined) {
      group.members += 1;
      return { group: group.place, isNewGroup: false };
    }
    const place = this.#freeGroups.pop() ?? this.#groupPlaces++;
    this.#groups.set(key, { place, members: 1 });
    return { group: place, isNewGroup: true };
  }

  #groupKey({ node, deliveryStart, deliveryEnd }: ForecastContract): string {
    if (deliveryEnd - deliveryStart > LONGEST_DAY_MS) return `${deliveryStart} ${deliveryEnd}`;
    const calendar = this.calendars.at(node);
    calendar.moveTo(deliveryStart);
    return `day ${calendar.day}`;
  }
}
