// A tape as typed columns, grouped by contract. Of each file only the columns that facts need are read.
//
// Times are milliseconds since the epoch, prices cents/MWh, quantities MW. Rows stay in the order of the file, which is that
// of time.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { MarketDefinition } from "../../sim/definition/market-definition.ts";
import { contractsBetween, type TapeContract } from "./contracts.ts";
import { readColumns } from "./csv-columns.ts";
import type { NameColumn } from "./csv-fields.ts";
import { type MarketMinutes, marketMinutes } from "./market-minutes.ts";

/** The top of a contract's book: a row for each change. An empty side is NaN. */
export interface Quotes {
  readonly times: Float64Array;
  readonly bids: Float64Array;
  readonly asks: Float64Array;
}

export interface Trades {
  readonly times: Float64Array;
  readonly prices: Float64Array;
  readonly quantities: Float64Array;
  /** 1 if the buyer was the aggressor, otherwise -1. */
  readonly signs: Float64Array;
  readonly buyers: readonly string[];
  readonly sellers: readonly string[];
}

export interface PriceSeries {
  readonly times: Float64Array;
  readonly prices: Float64Array;
}

/** What personas held at some times: a row for each position, or one for a persona without positions. */
export interface Positions {
  readonly length: number;
  readonly time: Float64Array;
  readonly persona: NameColumn;
  /** An empty name if the persona held nothing. */
  readonly contractId: NameColumn;
  readonly positionMw: Float64Array;
  /** Of the persona, in each of its rows: dollars. */
  readonly cash: Float64Array;
}

export interface Tape {
  readonly definition: MarketDefinition;
  /** In the order of listing; also contracts without trades. */
  readonly contracts: ReadonlyMap<string, TapeContract>;
  readonly minutes: MarketMinutes;
  readonly trades: ReadonlyMap<string, Trades>;
  readonly quotes: ReadonlyMap<string, Quotes>;
  /** Of all orders, changes and cancels. */
  readonly messageTimes: Float64Array;
  /** By node; a price for each 5 minutes that begin at its time. */
  readonly spot: ReadonlyMap<string, PriceSeries>;
  readonly positions: Positions;
  /** By contract, then by forecaster: `best`, and the ids of personas. */
  readonly forecasts: ReadonlyMap<string, ReadonlyMap<string, PriceSeries>>;
}

/** The forecaster whose forecasts are the expectation of the spot model. */
export const BEST = "best";
const POSITION_COLUMNS = {
  time: "time",
  persona: "name",
  contractId: "name",
  positionMw: "number",
  cash: "number",
} as const;

/** The tape in a directory, as CSV files. `start`, `end`: of the run. `definition`: of its market. */
export function readTape(directory: string, definition: MarketDefinition, start: number, end: number): Tape {
  return {
    definition,
    contracts: contractsBetween(definition, start, end),
    minutes: marketMinutes(definition, start, end),
    trades: tradesIn(directory),
    quotes: quotesIn(directory),
    messageTimes: readColumns(join(directory, "orders.csv"), { time: "time" }).time,
    spot: spotIn(directory),
    positions: readColumns(join(directory, "positions.csv"), POSITION_COLUMNS),
    forecasts: forecastsIn(directory),
  };
}

function tradesIn(directory: string): Map<string, Trades> {
  const rows = readColumns(join(directory, "trades.csv"), {
    time: "time",
    contractId: "name",
    price: "number",
    quantity: "number",
    aggressorSide: "name",
    buyer: "name",
    seller: "name",
  });
  const signs = rows.aggressorSide.names.map((side) => side === "BUY" ? 1 : -1);
  return grouped(rows.contractId, (places) => ({
    times: picked(rows.time, places),
    prices: picked(rows.price, places),
    quantities: picked(rows.quantity, places),
    signs: Float64Array.from(places, (place) => signs[rows.aggressorSide.codes[place]!]!),
    buyers: namesAt(rows.buyer, places),
    sellers: namesAt(rows.seller, places),
  }));
}

function quotesIn(directory: string): Map<string, Quotes> {
  const rows = readColumns(join(directory, "quotes.csv"), {
    time: "time",
    contractId: "name",
    bestBid: "number",
    bestAsk: "number",
  });
  return grouped(rows.contractId, (places) => ({
    times: picked(rows.time, places),
    bids: picked(rows.bestBid, places),
    asks: picked(rows.bestAsk, places),
  }));
}

function spotIn(directory: string): Map<string, PriceSeries> {
  const rows = readColumns(join(directory, "spot.csv"), { time: "time", node: "name", price: "number" });
  return grouped(rows.node, (places) => ({ times: picked(rows.time, places), prices: picked(rows.price, places) }));
}

/** Empty if the tape has no forecasts. */
function forecastsIn(directory: string): Map<string, Map<string, PriceSeries>> {
  const path = join(directory, "forecasts.csv");
  if (!existsSync(path)) return new Map();
  const rows = readColumns(path, { time: "time", contractId: "name", forecaster: "name", price: "number" });
  return grouped(rows.contractId, (places) => {
    const codes = Int32Array.from(places, (place) => rows.forecaster.codes[place]!);
    return grouped({ codes, names: rows.forecaster.names }, (own) => {
      const both = own.map((place) => places[place]!);
      return { times: picked(rows.time, both), prices: picked(rows.price, both) };
    });
  });
}

/** A value for each name, from the places of its rows. */
function grouped<Value>({ codes, names }: NameColumn, of: (places: Uint32Array) => Value): Map<string, Value> {
  const counts = new Uint32Array(names.length);
  for (const code of codes) counts[code]! += 1;
  const groups = Array.from(counts, (count) => new Uint32Array(count));
  counts.fill(0);
  codes.forEach((code, place) => groups[code]![counts[code]!++] = place);
  return new Map(names.flatMap((name, code): [string, Value][] => {
    const places = groups[code]!;
    return places.length === 0 ? [] : [[name, of(places)]];
  }));
}

function picked(values: Float64Array, places: Uint32Array): Float64Array {
  return Float64Array.from(places, (place) => values[place]!);
}

function namesAt({ codes, names }: NameColumn, places: Uint32Array): string[] {
  return Array.from(places, (place) => names[codes[place]!]!);
}
