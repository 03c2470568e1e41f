// What a report shows of a run, summed up from the rows of its tape as they come. The same rows give the same digest, whether
// they come from a run or from files, and whatever the order of the tables is.
//
// Memory: some hundred points for each contract of the time in which it was quoted, two sums for each hour, and some dozen
// looks at the books; so it is bounded for a run of any length, besides the number of contracts.

import { KILOWATTS_PER_MEGAWATT } from "../../engine/market/units.ts";
import { HOUR_MS } from "../../protocol/time-units.ts";
import { isCongested } from "../spot/hourly-prices.ts";
import type { SpotRegime } from "../spot/spot-prices.ts";
import type { Cell, TableName, TapeRows } from "../tape/tables.ts";
import type { NodeCalendars } from "../spot/node-calendars.ts";
import { BookLooks } from "./book-looks.ts";
import { ProfitDigest } from "./profit-digest.ts";
import type { ShownEvent } from "./spot-charts.ts";
import { SpotSamples } from "./spot-samples.ts";
import { TimeBuckets } from "./time-buckets.ts";

/** Prices in cents/MWh. Undefined: nothing changed in the bucket; null: the side is empty. The last values of the bucket. */
export interface PriceBucket {
  bid?: number | null;
  ask?: number | null;
  forecast?: number;
  /** Of trades. */
  low?: number;
  high?: number;
}

export interface ContractDigest {
  readonly id: string;
  /** Whether an order rested in its book at some time. */
  hasQuotes: boolean;
  trades: number;
  /** kW, so that sums are exact. */
  volume: number;
  readonly prices: TimeBuckets<PriceBucket>;
  /** Time with two sides, in milliseconds, and the spread summed over it. */
  twoSidedMs: number;
  spreadMs: number;
}

interface HourDigest {
  /** kW, by the side of the aggressor. */
  bought: number;
  sold: number;
}

interface DigestOptions {
  readonly start: number;
  readonly timezone: string;
  /** Absent: all nodes are in that time zone. */
  readonly calendars?: NodeCalendars;
  /** The nodes with spot prices. */
  readonly nodes: readonly string[];
  /** Times at which books are shown; null: at the beginning, in the middle and at the end. */
  readonly bookTimes: readonly number[] | null;
}

interface Quote {
  readonly time: number;
  readonly spread: number;
}

const BUCKET_MS = 15_000;
const SPOT_MS = 300_000;
const MOST_BUCKETS = 384;
const MOST_EVENTS = 200;

export class RunDigest implements TapeRows {
  readonly contracts = new Map<string, ContractDigest>();
  /** By the hours since the start. */
  readonly hours: HourDigest[] = [];
  readonly spot: SpotSamples;
  readonly events: ShownEvent[] = [];
  readonly books: BookLooks;
  readonly profits: ProfitDigest;
  readonly #lastQuotes = new Map<string, Quote>();
  /** When the buckets of all contracts are widened next: those of delivered contracts don't grow by themselves. */
  #widenAt: number;
  /** The latest price of the first node. */
  #firstNode = { time: NaN, cents: 0 };
  /** Nodes of two time zones have no line between them (market-spot.ts). */
  readonly #isOneGrid: boolean;

  constructor(private readonly options: DigestOptions) {
    const { start, nodes, timezone, calendars, bookTimes } = options;
    this.spot = new SpotSamples(start, SPOT_MS, nodes, timezone, calendars);
    this.#isOneGrid = calendars === undefined || new Set(nodes.map((node) => calendars.at(node))).size < 2;
    this.books = new BookLooks(start, bookTimes);
    this.profits = new ProfitDigest(timezone);
    this.#widenAt = start + BUCKET_MS * MOST_BUCKETS;
  }

  append(table: TableName, time: number, row: readonly Cell[]): void {
    // Events may have begun before the run.
    if (table === "events") return this.#event(row);
    if (time < this.options.start) return;
    if (time >= this.#widenAt) this.#widen(time);
    if (table === "quotes") this.#quote(time, row);
    else if (table === "trades") this.#trade(time, row);
    else if (table === "depth") this.books.add(time, row);
    else if (table === "spot") this.#spot(time, row);
    else if (table === "results") this.profits.add(time, row);
    else if (table === "forecasts" && row[2] === "best") {
      this.#bucket(String(row[1]), time).forecast = Number(row[3]);
    }
  }

  /** Counts the spreads that last until the end. */
  finish(end: number): void {
    for (const [id, { time, spread }] of this.#lastQuotes) this.#countSpread(id, spread, end - time);
    this.#lastQuotes.clear();
  }

  #widen(time: number): void {
    for (const { prices } of this.contracts.values()) prices.widen(time);
    this.#widenAt = this.options.start + 2 * (time - this.options.start);
  }

  #contract(id: string): ContractDigest {
    let contract = this.contracts.get(id);
    if (contract === undefined) {
      const prices = new TimeBuckets(this.options.start, BUCKET_MS, MOST_BUCKETS, mergedPrices);
      this.contracts.set(
        id,
        contract = { id, hasQuotes: false, trades: 0, volume: 0, prices, twoSidedMs: 0, spreadMs: 0 },
      );
    }
    return contract;
  }

  #bucket(id: string, time: number): PriceBucket {
    return this.#contract(id).prices.at(time, () => ({}));
  }

  #quote(time: number, [, contractId, bid, , ask]: readonly Cell[]): void {
    const id = String(contractId);
    const bucket = this.#bucket(id, time);
    if (bid !== null || ask !== null) this.#contract(id).hasQuotes = true;
    bucket.bid = typeof bid === "number" ? bid : null;
    bucket.ask = typeof ask === "number" ? ask : null;
    const last = this.#lastQuotes.get(id);
    if (last !== undefined) this.#countSpread(id, last.spread, time - last.time);
    this.#lastQuotes.set(id, {
      time,
      spread: bucket.bid === null || bucket.ask === null ? NaN : bucket.ask - bucket.bid,
    });
  }

  #countSpread(id: string, spread: number, duration: number): void {
    if (Number.isNaN(spread)) return;
    const contract = this.#contract(id);
    contract.twoSidedMs += duration;
    contract.spreadMs += spread * duration;
  }

  #trade(time: number, [, contractId, price, megawatts, side]: readonly Cell[]): void {
    const contract = this.#contract(String(contractId));
    const kilowatts = Math.round(Number(megawatts) * KILOWATTS_PER_MEGAWATT);
    contract.trades += 1;
    contract.volume += kilowatts;
    const bucket = contract.prices.at(time, () => ({}));
    bucket.low = Math.min(bucket.low ?? Infinity, Number(price));
    bucket.high = Math.max(bucket.high ?? -Infinity, Number(price));
    const hour = this.hours[Math.floor((time - this.options.start) / HOUR_MS)] ??= { bought: 0, sold: 0 };
    if (side === "BUY") hour.bought += kilowatts;
    else hour.sold += kilowatts;
  }

  #spot(time: number, [, node, price, regime]: readonly Cell[]): void {
    const place = this.options.nodes.indexOf(String(node));
    const cents = Number(price);
    this.spot.add(place, time, cents, regime as SpotRegime);
    if (place === 0) this.#firstNode = { time, cents };
    else if (place === 1 && this.#firstNode.time === time && this.#isOneGrid) {
      this.spot.addCongestion(time, isCongested(this.#firstNode.cents, cents));
    }
  }

  #event([time, type, node, size, until]: readonly Cell[]): void {
    if (this.events.length >= MOST_EVENTS) return;
    this.events.push({
      time: Number(time),
      type: String(type),
      node: node === null || node === "" ? null : String(node),
      size: Number(size),
      until: Number(until),
    });
  }
}

function mergedPrices(earlier: PriceBucket, later: PriceBucket): PriceBucket {
  if (later.bid !== undefined) earlier.bid = later.bid;
  if (later.ask !== undefined) earlier.ask = later.ask;
  if (later.forecast !== undefined) earlier.forecast = later.forecast;
  if (later.low !== undefined) earlier.low = Math.min(earlier.low ?? Infinity, later.low);
  if (later.high !== undefined) earlier.high = Math.max(earlier.high ?? -Infinity, later.high);
  return earlier;
}
