// Reads a tape from its directory. Of each file only the columns that facts need are read.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { MarketDefinition } from "../definition/market-definition.ts";
import { contractsBetween } from "./contracts.ts";
import { readColumns } from "./csv-columns.ts";
import type { NameColumn } from "./csv-fields.ts";
import { marketMinutes } from "./market-minutes.ts";
import type { PriceSeries, Quotes, Tape, Trades } from "./recorded-tape.ts";

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
