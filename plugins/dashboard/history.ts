// What was traded: the trades in the snapshot, and candles of them (web/contract/calls.ts).
//
// While a lost connection is being restored, the buffer may have events that the snapshot lacks, so trades of both are taken.

import { ToolError } from "../../core/error.ts";
import type { RouteContext, RouteRequest } from "../../core/routes/route.ts";
import { type ModuleData } from "../../protocol/modules/registry.ts";
import { DEFAULT_INTERVAL, DEFAULT_TRADES, type History, type Sparks } from "../../web/contract/calls.ts";
import { CANDLE_INTERVALS, type CandleInterval, candlesOf } from "../../web/contract/candles.ts";
import type { Trade } from "../../web/contract/market.ts";
import { moduleMeant } from "../toolkit/lookup.ts";
import { jsonAnswer } from "./json-answer.ts";

const MAX_TRADES = 5_000;
const SPARK_PRICES = 40;
/** Of a sum of quantities, MW. */
const ROUNDING = 1e-6;

/** Throws ToolError `not_found` or `invalid_input`. */
export function history({ parameters, url }: RouteRequest, context: RouteContext): Response {
  const { snapshot, events } = context;
  const { id: contractId } = moduleMeant(snapshot, "CONTRACT", parameters["contractId"] ?? "");
  const interval = intervalOf(url.searchParams.get("interval"));
  const most = countOf(url.searchParams.get("trades"));
  const trades = tradesOf(contractId, Infinity, context);
  const answer: History = {
    contractId,
    epoch: events.epoch,
    sequence: events.latestSequence,
    trades: most === 0 ? [] : trades.slice(-most),
    interval,
    candles: candlesOf(trades, interval),
    known: trades.length,
    isComplete: isComplete(contractId, trades, context),
  };
  return jsonAnswer(answer);
}

export function sparks(context: RouteContext): Response {
  const { snapshot, events } = context;
  const { modules } = snapshot.find("CONTRACT", { where: ({ status }) => status === "listed", limit: Infinity });
  const prices = modules.map(({ id }) => [id, tradesOf(id, SPARK_PRICES, context).map(({ price }) => price)] as const);
  const answer: Sparks = {
    epoch: events.epoch,
    sequence: events.latestSequence,
    prices: Object.fromEntries(prices),
  };
  return jsonAnswer(answer);
}

/** The newest trades of the contract, oldest first. */
function tradesOf(contractId: string, limit: number, { snapshot, events, pubsub }: RouteContext): Trade[] {
  const known = snapshot.find("TRADE", { equals: { contractId }, limit }).modules.reverse().map(tradeOf);
  if (pubsub.status === "connected") return known;
  const ids = new Set(known.map(({ id }) => id));
  const buffered = events.read({ category: "fill", types: ["new.trade"], contractId, limit: Number.MAX_SAFE_INTEGER })
    .events.map(({ data }) => tradeOf(data as ModuleData<"TRADE">));
  return [...known, ...buffered.filter(({ id }) => !ids.has(id))].slice(-limit);
}

function tradeOf({ id, contractId, time, price, quantity, aggressorSide }: ModuleData<"TRADE">): Trade {
  return { id, contractId, time, price, quantity, aggressorSide };
}

/** Whether the quantity of the trades is what the book says was traded. */
function isComplete(contractId: string, trades: readonly Trade[], { snapshot }: RouteContext): boolean {
  const [engine] = snapshot.find("ENGINE", { equals: { contractId }, limit: 1 }).modules;
  const traded = trades.reduce((sum, { quantity }) => sum + quantity, 0);
  return engine !== undefined && Math.abs(engine.tradedQuantity - traded) < ROUNDING;
}

function intervalOf(text: string | null): CandleInterval {
  if (text === null) return DEFAULT_INTERVAL;
  const interval = CANDLE_INTERVALS.find((interval) => String(interval) === text);
  if (interval !== undefined) return interval;
  throw new ToolError(
    "invalid_input",
    `interval: there are no candles of ${JSON.stringify(text)} seconds.`,
    `Give one of ${CANDLE_INTERVALS.join(", ")}.`,
  );
}

function countOf(text: string | null): number {
  if (text === null) return DEFAULT_TRADES;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (count <= MAX_TRADES) return count;
  throw new ToolError(
    "invalid_input",
    `trades: ${JSON.stringify(text)} is no number from 0 to ${MAX_TRADES}.`,
    "Give the number of trades, or leave it out.",
  );
}
