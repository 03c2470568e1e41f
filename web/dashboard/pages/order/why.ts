// Why an open order doesn't trade: in sentences, in figures, and with what would change it. Pure, and made only of what the
// acting user was given: the order with its `blockedBy`, the book, the market's state and the queue of held orders. What these
// don't tell is said to be unknown.
//
// Four things keep an order from trading, and they come together: the market does not match now; nobody offers at its price;
// it may not trade with whoever does; others go before it.

import type { OrderBlock } from "../../../../protocol/index.ts";
import { count, NONE, price, quantity } from "../../../components/format.ts";
import { time } from "../../../components/time-format.ts";
import { type Book, BOOK_DEPTH, type Market } from "../../../contract/market.ts";
import type { OrderResult } from "../../../contract/tool-results.ts";
import { type BlockRow, blockRows, subjectOf, type Viewer } from "./blocks.ts";
import { type Place, placeOf, type Reach, reachOf } from "./place.ts";

type OpenOrder = Pick<
  OrderResult,
  "id" | "entityId" | "side" | "price" | "remainingQuantity" | "status" | "blockedBy"
>;

/** The QUEUE module of the order's contract. */
export interface HeldQueue {
  readonly length: number;
  /** The first hundred held orders, in the order in which they are released. */
  readonly orderIds: readonly string[];
}

export interface WhyGiven {
  /** An open one. */
  readonly order: OpenOrder;
  /** Undefined: not known yet. */
  readonly book: Pick<Book, "bids" | "asks"> | undefined;
  readonly market: Omit<Market, "id" | "code" | "nodes" | "close" | "haltReason"> | undefined;
  /** Null: not known. */
  readonly queue: HeldQueue | null;
  readonly viewer: Viewer;
}

interface Figure {
  readonly label: string;
  readonly value: string;
  readonly note: string | null;
}

export interface Why {
  /** What weighs most comes first. */
  readonly sentences: readonly string[];
  readonly figures: readonly Figure[];
  /** Whoever's orders the price reaches, and what keeps the two from trading. */
  readonly blocks: readonly BlockRow[];
  /** `blocks` may lack some: a list has at most 30 reasons, of 20 entities. */
  readonly mayHaveMore: boolean;
  readonly remedies: readonly string[];
  /** Whether the price reaches orders of the other side, as the book is now. */
  readonly isReaching: boolean;
}

/** As `blockedBy` is cut (plugins/toolkit/order-blocks.ts, engine/modules/order-blocks.ts). */
const MAX_BLOCKS = 30;
const MAX_COUNTERPARTIES = 20;

/** The words for one side of the book. */
const SIDES = {
  BUY: { own: "buy", other: "sell", best: "ask", worse: "below", better: "higher" },
  SELL: { own: "sell", other: "buy", best: "bid", worse: "above", better: "lower" },
} as const;

export function whyNotTraded(given: WhyGiven): Why {
  const { order, book, market, viewer } = given;
  const reach = book === undefined ? null : reachOf(order, book);
  const place = book === undefined ? null : placeOf(order, book);
  const blocks = blocksOf(order);
  const names = new Set(blocks.map(({ counterpartyId }) => counterpartyId));
  const isPaused = market !== undefined && stateOf(market) !== "open";
  const pause = market !== undefined && isPaused ? pauseOf(market, viewer) : null;
  const held = order.status === "held" ? heldOf(given) : null;
  return {
    sentences: [pause?.sentence, held?.sentence, ...priceSentences(order, reach, isPaused)].filter(isText)
      .concat(isPaused ? [] : placeSentence(reach, place)),
    figures: [...reachFigures(order, reach), ...(held === null ? [] : [held.figure]), ...placeFigures(order, place)],
    blocks: blockRows(blocks, order.entityId, viewer),
    mayHaveMore: blocks.length > 0 &&
      (blocks.length >= MAX_BLOCKS || names.size >= MAX_COUNTERPARTIES || reach?.mayReachMore === true),
    // A closed market changes no order.
    remedies: [pause?.remedy, pause?.isClosed === true ? null : priceRemedy(order, reach)].filter(isText),
    isReaching: (reach?.reached ?? 0) > 0,
  };
}

/** What keeps it from trading beside the market's state; that is known without asking. */
function blocksOf({ blockedBy }: OpenOrder): readonly OrderBlock[] {
  return blockedBy?.filter(({ reason }) => !reason.startsWith("market_")) ?? [];
}

function isText(text: string | null | undefined): text is string {
  return typeof text === "string";
}

function stateOf({ status, halted }: Pick<Market, "status" | "halted">): Market["status"] {
  return halted ? "halted" : status;
}

/** Of a market that is not open. */
function pauseOf(market: NonNullable<WhyGiven["market"]>, { permissions }: Viewer) {
  const { name, preopen, open, timezone } = market;
  const at = (next: string | null) => next === null ? "with the next session" : `at ${time(next, timezone, "full")}`;
  switch (stateOf(market)) {
    case "halted": {
      const who = permissions.includes("Market.Operate") ? "You may do that" : "A user with Market.Operate does that";
      return {
        isClosed: false,
        sentence: `The market ${name} is halted, so nothing trades now.`,
        remedy: `The market must be resumed. ${who}, in control, on the page Operate.`,
      };
    }
    case "preopen":
      return {
        isClosed: false,
        sentence: `The market ${name} is in preopen: it takes orders, and nothing trades yet.`,
        remedy: `Orders are matched ${at(open)}. Nothing needs to be done for that.`,
      };
    default:
      return {
        isClosed: true,
        sentence: `The market ${name} is closed, so nothing trades now.`,
        remedy: `Preopen begins ${at(preopen)}. Nothing needs to be done for that.`,
      };
  }
}

function heldOf({ order, queue }: WhyGiven): { readonly sentence: string; readonly figure: Figure } {
  const sentence =
    "The order is held: it goes into the book when orders are matched again, after those held before it.";
  const label = "Place among held orders";
  if (queue === null) return { sentence, figure: { label, value: "unknown", note: null } };
  const { orderIds, length } = queue;
  const at = orderIds.indexOf(order.id);
  if (at >= 0) return { sentence, figure: { label, value: `${count(at + 1)} of ${count(length)}`, note: null } };
  const isAfter = length > orderIds.length;
  const value = isAfter ? `after the first ${count(orderIds.length)} of ${count(length)}` : "unknown";
  return { sentence, figure: { label, value, note: null } };
}

function priceSentences(order: OpenOrder, reach: Reach | null, isPaused: boolean): string[] {
  const { own, other, best, worse } = SIDES[order.side];
  if (blocksOf(order).length > 0 || (reach !== null && reach.reached > 0)) {
    return [blockedSentence(order, reach, isPaused)];
  }
  if (reach === null) return ["What is in the book is not known yet."];
  if (reach.best === null) return [`There are no ${other} orders in the book, so nobody can meet this ${own} order.`];
  const { best: { price: cents, volume }, distance } = reach;
  return [
    `Nobody offers at its price: it is ${price(distance)} $/MWh ${worse} the best ${best}, ` +
    `${quantity(volume)} MW at ${price(cents)} $/MWh.`,
  ];
}

/** Its price reaches orders of the other side. */
function blockedSentence(order: OpenOrder, reach: Reach | null, isPaused: boolean): string {
  const { other } = SIDES[order.side];
  const named = blocksOf(order);
  const isSeen = reach !== null && reach.best !== null && reach.reached > 0;
  const what = isSeen
    ? `Its price reaches ${least(reach.mayReachMore, reach.reached)} MW of ${other} orders, from ` +
      `${price(reach.best.price)} $/MWh on`
    : `Its price reaches ${other} orders`;
  if (named.length > 0) {
    const subjects = [...new Set(named.map(subjectOf))].join("; ");
    if (!isPaused) return `${what}, but can't trade with them: ${subjects}.`;
    // While nothing is matched, the market names only reasons that the user may see.
    const whom = isSeen && blockedIn(named) < reach.reached ? `${quantity(blockedIn(named))} MW of them` : "them";
    return `${what}, and could not trade with ${whom} in an open market either: ${subjects}.`;
  }
  if (order.blockedBy === null) return `${what}. The market does not say why they don't trade; the page asks again.`;
  return isPaused
    ? `${what}. Nothing that you may see keeps them from trading once orders are matched.`
    : `${what}. Why they don't trade is not known yet; the page asks again.`;
}

/** MW with which it can't trade, at least: one order may have several reasons. */
function blockedIn(blocks: readonly OrderBlock[]): number {
  const most = new Map<string | null, number>();
  for (const { counterpartyId, quantity } of blocks) {
    most.set(counterpartyId, Math.max(quantity, most.get(counterpartyId) ?? 0));
  }
  return [...most.values()].reduce((sum, megawatts) => sum + megawatts, 0);
}

/** Who goes before it when somebody comes to trade at its price. */
function placeSentence(reach: Reach | null, place: Place | null): string[] {
  if (place === null || reach === null || reach.reached > 0) return [];
  const { better, isBeyond, same, sameCertain } = place;
  const certain = better + sameCertain;
  const maybe = (same ?? 0) - sameCertain;
  if (isBeyond) return [`At least ${quantity(better)} MW at better prices go before it.`];
  if (same === null) return [];
  if (certain + maybe === 0) return ["It is first in the queue of its side."];
  if (certain === 0) return [`Up to ${quantity(maybe)} MW at its own price go before it.`];
  const more = maybe === 0 ? "" : `, and up to ${quantity(maybe)} MW more at its own price`;
  return [`${quantity(certain)} MW go before it${more}.`];
}

function reachFigures(order: OpenOrder, reach: Reach | null): Figure[] {
  const { other, best } = SIDES[order.side];
  const label = `To the best ${best}, $/MWh`;
  if (reach === null) return [{ label, value: NONE, note: "the book is on its way" }];
  const { best: level, distance, reached, mayReachMore, next } = reach;
  if (level === null || distance === null) return [{ label, value: NONE, note: `no ${other} orders` }];
  const note = `${best} ${price(level.price)}, ${quantity(level.volume)} MW`;
  const first = { label, value: distance > 0 ? price(distance) : "reached", note };
  if (reached === 0) return [first];
  const beyond = next === null
    ? mayReachMore ? `the book shows ${BOOK_DEPTH} prices` : "no further ones"
    : `next ${price(next.price)}, ${quantity(next.volume)} MW`;
  return [first, { label: "Reached by its price, MW", value: least(mayReachMore, reached), note: beyond }];
}

function placeFigures(order: OpenOrder, place: Place | null): Figure[] {
  if (place === null) return [];
  const { better, betterOrders, isBeyond, same, sameOrders, sameCertain } = place;
  const ahead = {
    label: "Ahead at better prices, MW",
    value: least(isBeyond, better),
    note: isBeyond ? `the book shows ${BOOK_DEPTH} prices` : orders(betterOrders),
  };
  const label = "Ahead at its own price, MW";
  if (same === null) {
    const note = isBeyond ? "the book does not show its price" : "book and order are of different moments";
    return [ahead, { label, value: "unknown", note }];
  }
  const isKnown = same === sameCertain;
  const value = isKnown ? quantity(same) : `0 to ${quantity(same)}`;
  const who = order.status === "held"
    ? orders(sameOrders)
    : `${orders(sameOrders)}; who came first, the book does not say`;
  return [ahead, { label, value, note: isKnown && sameOrders === 0 ? "no other orders" : who }];
}

/** What price would reach more. Whether these may trade with it shows only then. */
function priceRemedy(order: OpenOrder, reach: Reach | null): string | null {
  if (reach === null || reach.next === null) return null;
  const { better } = SIDES[order.side];
  const { next, enoughAt, reached } = reach;
  const more = reached > 0 ? "further " : "";
  const isEnough = enoughAt !== null && enoughAt !== next.price && reached === 0;
  const all = isEnough ? `, at ${price(enoughAt)} $/MWh all of its ${quantity(order.remainingQuantity)} MW` : "";
  return `A ${better} price: at ${price(next.price)} $/MWh it reaches ${more}${quantity(next.volume)} MW${all}, ` +
    "if documents and credit allow it. A new price costs it its place in the queue.";
}

function least(isMore: boolean, megawatts: number): string {
  return `${isMore ? "at least " : ""}${quantity(megawatts)}`;
}

function orders(number: number): string {
  return number === 0 ? "no orders" : `${count(number)} order${number === 1 ? "" : "s"}`;
}
