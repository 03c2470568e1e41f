// What the market was at an earlier time, from orders, events and the present: books, last prices, positions, spot prices.
// Events are newest first, and all that there were after the time.

import { BUY, SELL, type Side } from "../../../../protocol/sides.ts";
import { type Book, BOOK_DEPTH, type Level } from "../../../contract/market.ts";
import type { OpenOrder, PastEvent, PastStart } from "../../../contract/past.ts";
import type { SpotNode } from "../../../contract/tool-results.ts";
import { amount, text } from "../event-words.ts";
import { toKilowatts } from "./orders-then.ts";

type BookThen = Pick<Book, "bids" | "asks">;

/** By contract; one without orders in its book has none. */
export function booksThen(orders: readonly OpenOrder[]): Map<string, BookThen> {
  const inBook = Map.groupBy(orders.filter(({ isHeld }) => !isHeld), ({ contractId }) => contractId);
  return new Map([...inBook].map(([id, own]) => [id, { bids: levelsOf(own, BUY), asks: levelsOf(own, SELL) }]));
}

function levelsOf(orders: readonly OpenOrder[], side: Side): Level[] {
  const prices = Map.groupBy(orders.filter((order) => order.side === side), ({ price }) => price);
  return [...prices].sort(([a], [b]) => side === BUY ? b - a : a - b).slice(0, BOOK_DEPTH).map(([price, same]) => ({
    price,
    volume: toKilowatts(same.reduce((sum, { quantity }) => sum + quantity, 0)),
    orderCount: same.length,
  }));
}

/** The status of a market; null: it is not known so far back. */
export function statusThen(
  at: number,
  marketId: string,
  { statuses, changes, isCut }: Pick<PastStart, "statuses" | "changes" | "isCut">,
): string | null {
  const own = changes.filter(({ moduleId, details }) => moduleId === marketId && text(details, "status") !== null);
  const before = own.find(({ time }) => Date.parse(time) <= at);
  if (before !== undefined) return text(before.details, "status");
  if (isCut && at < Date.parse(changes.at(-1)!.time)) return null;
  const first = own.at(-1);
  return first === undefined ? statuses[marketId] ?? null : text(first.details, "previousStatus");
}

/** MW that an entity has bought of a contract, less what it has sold, by contract: zero if there is none, null if unknown. */
export type Nets = ReadonlyMap<string, number | null>;

/** MW; null: unknown. */
export function netIn(nets: Nets | null, contractId: string): number | null {
  return nets === null ? null : nets.has(contractId) ? nets.get(contractId)! : 0;
}

/** What the positions of an entity were: those of now, without the fills after `at`. */
export function netsThen(at: number, now: Nets, ofEntity: string, events: readonly PastEvent[]): Nets {
  const then = new Map(now);
  for (const { event, entityId, time, details } of events) {
    if (Date.parse(time) <= at) break;
    const contractId = text(details, "contractId");
    if (event !== "orderFilled" || entityId !== ofEntity || contractId === null) continue;
    const net = netIn(then, contractId);
    const filled = (text(details, "side") === "BUY" ? 1 : -1) * (amount(details, "fillQuantity") ?? 0);
    if (net !== null) then.set(contractId, toKilowatts(net - filled));
  }
  return then;
}

/**
 * The prices of the last trades, cents/MWh: of the newest fill up to `at`, or of now if there was none since. Null: unknown,
 * because the contract has traded since, and the events don't reach back to a trade before. One that had not traded has none.
 */
export function lastPricesThen(
  at: number,
  now: Readonly<Record<string, number>>,
  events: readonly PastEvent[],
): Map<string, number | null> {
  const found = new Map<string, number>();
  const traded = new Set<string>();
  for (const { event, time, details } of events) {
    const contractId = text(details, "contractId");
    if (event !== "orderFilled" || contractId === null || found.has(contractId)) continue;
    if (Date.parse(time) > at) traded.add(contractId);
    else found.set(contractId, amount(details, "fillPrice")!);
  }
  const ids = new Set([...Object.keys(now), ...traded, ...found.keys()]);
  return new Map([...ids].map((id) => [id, found.get(id) ?? (traded.has(id) ? null : now[id] ?? null)]));
}

/** The newest known spot price of a node up to a time. Null: it is older than those that are known. */
export function spotThen(at: number, { history, ...now }: SpotNode) {
  return [...history, now].findLast(({ time }) => Date.parse(time) <= at) ?? null;
}
