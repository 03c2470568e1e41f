// Small tapes made by hand: two days of the built-in market, with the quotes, trades and prices that a test gives.

import { contractsBetween } from "../../../sim/facts/contracts.ts";
import type { Sample } from "../../../sim/facts/figure.ts";
import { marketMinutes } from "../../../sim/facts/market-minutes.ts";
import type { Positions, Quotes, Tape, Trades } from "../../../sim/facts/recorded-tape.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** Midnight in Chicago. */
export const START = Date.parse("2026-03-02T06:00:00Z");
export const TOMORROW_BASE = "NORTH-DA-BASE-2026-03-03";
/** Delivered at noon of the first day. */
export const NOON_HOUR = "NORTH-DA-HOUR-2026-03-02-H13";

export function handMadeTape(parts: Partial<Tape>, hours = 48): Tape {
  const definition = builtInMarket();
  const end = START + hours * HOUR_MS;
  return {
    definition,
    contracts: contractsBetween(definition, START, end),
    minutes: marketMinutes(definition, START, end),
    trades: new Map(),
    quotes: new Map(),
    messageTimes: new Float64Array(),
    orders: { submits: 0, changes: 0, cancels: 0, lifetimes: new Float64Array() },
    spot: new Map(),
    forecasts: new Map(),
    positions: positionsOf([]),
    ...parts,
  };
}

/** Rows of time after the start, bid and ask. */
export function quotesOf(rows: readonly (readonly [afterMs: number, bid: number, ask: number])[]): Quotes {
  return {
    times: Float64Array.from(rows, ([after]) => START + after),
    bids: Float64Array.from(rows, ([, bid]) => bid),
    asks: Float64Array.from(rows, ([, , ask]) => ask),
  };
}

/** Rows of persona, contract, MW and cash at the start. */
export function positionsOf(rows: readonly (readonly [string, string, number, number])[]): Positions {
  const names = (place: 0 | 1) => {
    const all = [...new Set(rows.map((row) => row[place]))];
    return { codes: Int32Array.from(rows, (row) => all.indexOf(row[place])), names: all };
  };
  return {
    length: rows.length,
    time: Float64Array.from(rows, () => START),
    persona: names(0),
    contractId: names(1),
    positionMw: Float64Array.from(rows, ([, , position]) => position),
    cash: Float64Array.from(rows, ([, , , cash]) => cash),
  };
}

interface HandMadeTrade {
  readonly afterMs: number;
  readonly price?: number;
  readonly quantity?: number;
  readonly sign?: 1 | -1;
  readonly buyer?: string;
  readonly seller?: string;
}

export function tradesOf(rows: readonly HandMadeTrade[]): Trades {
  return {
    times: Float64Array.from(rows, ({ afterMs }) => START + afterMs),
    prices: Float64Array.from(rows, ({ price = 3000 }) => price),
    quantities: Float64Array.from(rows, ({ quantity = 1 }) => quantity),
    signs: Float64Array.from(rows, ({ sign = 1 }) => sign),
    buyers: rows.map(({ buyer = "zip-1" }) => buyer),
    sellers: rows.map(({ seller = "zip-2" }) => seller),
  };
}

/** The value of a figure of the whole run, or of its only contract. */
export function valueOf(samples: readonly Sample[], figure: string): number {
  const values = samples.filter((sample) => sample.figure === figure);
  if (values.length !== 1) throw new Error(`${figure} has ${values.length} samples`);
  return values[0]!.value;
}
