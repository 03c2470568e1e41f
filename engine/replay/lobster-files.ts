// The rows of LOBSTER's two files (docs/replay.md). A message has six columns, a book row four for each level. All
// values but the time are whole numbers. An invalid row gives a fault that names the column and the reason; values are
// never adjusted.
//
// Messages: time (s after midnight), type, order id, size, price, direction. Book: ask price, ask size, bid price, bid
// size for each level, best first. An empty level has the price EMPTY_ASK_PRICE or EMPTY_BID_PRICE and the size 0.

import { BUY, SELL, type Side } from "../market/order-book.ts";

export const SUBMISSION = 1;
export const PARTIAL_CANCEL = 2;
export const CANCEL = 3;
export const VISIBLE_EXECUTION = 4;
const HALT = 7;

const EMPTY_ASK_PRICE = 9_999_999_999;
const EMPTY_BID_PRICE = -9_999_999_999;

export interface Message {
  /** From SUBMISSION to HALT. */
  readonly type: number;
  readonly orderId: number;
  /** Above 0 for messages about visible orders: types 1 to 4. */
  readonly size: number;
  readonly price: number;
  /** Side of the message's order; for an execution, of the resting order. */
  readonly side: Side;
}

export interface Level {
  readonly price: number;
  readonly size: number;
}

/** The levels shown on each side, best first; index 0 the bids, 1 the asks. */
export type BookRow = readonly [bids: readonly Level[], asks: readonly Level[]];

/** The fault of an invalid row. */
export class RowFault {
  constructor(readonly what: string) {}
}

export function parseMessage(line: string): Message | RowFault {
  const columns = line.split(",");
  if (columns.length !== 6) return new RowFault(`columns: ${columns.length} instead of 6`);
  const [time = "", ...rest] = columns;
  if (!/^\d+(\.\d+)?$/.test(time)) return new RowFault(`time: ${quoted(time)} is not a number of seconds`);
  const numbers = rest.map(wholeNumber);
  const wrong = numbers.findIndex((number) => Number.isNaN(number));
  if (wrong >= 0) return new RowFault(`${MESSAGE_COLUMNS[wrong]}: ${quoted(rest[wrong] ?? "")} is not a whole number`);
  const [type = 0, orderId = 0, size = 0, price = 0, direction = 0] = numbers;
  if (type < SUBMISSION || type > HALT) return new RowFault(`type: ${type} is none of 1 to 7`);
  if (type <= VISIBLE_EXECUTION ? size <= 0 : size < 0) return new RowFault(`size: ${size} is too small`);
  if (direction !== 1 && direction !== -1) {
    return new RowFault(`direction: ${direction} is neither 1 (buy) nor -1 (sell)`);
  }
  return { type, orderId, size, price, side: direction === 1 ? BUY : SELL };
}

const MESSAGE_COLUMNS = ["type", "order id", "size", "price", "direction"];

/** `levels`: levels in a row, including empty ones. */
export function parseBookRow(line: string, levels: number): BookRow | RowFault {
  const columns = line.split(",");
  if (columns.length !== 4 * levels) {
    return new RowFault(`columns: ${columns.length} instead of ${4 * levels} (--levels ${levels})`);
  }
  const numbers = columns.map(wholeNumber);
  const wrong = numbers.findIndex((number) => Number.isNaN(number));
  if (wrong >= 0) return new RowFault(`column ${wrong + 1}: ${quoted(columns[wrong] ?? "")} is not a whole number`);
  const bids = sideOf(numbers, BUY);
  if (bids instanceof RowFault) return bids;
  const asks = sideOf(numbers, SELL);
  return asks instanceof RowFault ? asks : [bids, asks];
}

function sideOf(numbers: readonly number[], side: Side): Level[] | RowFault {
  const [name, emptyPrice, offset] = side === BUY ? ["bid", EMPTY_BID_PRICE, 2] as const : ["ask", EMPTY_ASK_PRICE, 0];
  const levels: Level[] = [];
  for (let at = offset; at < numbers.length; at += 4) {
    const level = { price: numbers[at] ?? 0, size: numbers[at + 1] ?? 0 };
    if (level.price === emptyPrice && level.size === 0) continue;
    const which = `${name} level ${(at - offset) / 4 + 1}`;
    if (level.size <= 0) return new RowFault(`${which}: size ${level.size}`);
    const best = levels.length === (at - offset) / 4 ? levels.at(-1) : null;
    if (best === null) return new RowFault(`${which}: below an empty level`);
    if (best !== undefined && !isWorse(side, level.price, best.price)) {
      return new RowFault(`${which}: price ${level.price} is not worse than the level before it`);
    }
    levels.push(level);
  }
  return levels;
}

/** Whether `price` is worse than `than` for a resting order of `side`. */
export function isWorse(side: Side, price: number, than: number): boolean {
  return side === BUY ? price < than : price > than;
}

/** A book row as text, padded with empty levels. */
export function formatBookRow([bids, asks]: BookRow, levels: number): string {
  const columns: number[] = [];
  for (let index = 0; index < levels; index++) {
    const ask = asks[index] ?? { price: EMPTY_ASK_PRICE, size: 0 };
    const bid = bids[index] ?? { price: EMPTY_BID_PRICE, size: 0 };
    columns.push(ask.price, ask.size, bid.price, bid.size);
  }
  return columns.join(",");
}

/** NaN if the text is not a whole number that is exact in arithmetic. */
function wholeNumber(text: string): number {
  const number = /^-?\d+$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(number) ? number : NaN;
}

/** The found text, shortened and on one line. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}...` : text);
}
