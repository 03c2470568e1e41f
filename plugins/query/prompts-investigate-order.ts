// The prompt that tells everything that happened to an order.

import { dayOf } from "../../common/audit/audit-search.ts";
import { definePrompt, type PromptArguments } from "../../core/prompts/prompt.ts";
import { marketNow } from "../../core/backend/market-now.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { BUY } from "../../protocol/sides.ts";
import { DAY_MS } from "../../protocol/time-units.ts";
import { call, CONNECT_TOOLS, marketTime, ONLY_READ, promptText, quoted, step } from "../toolkit/prompt-text.ts";
import { onlyMeaning } from "../toolkit/meaning.ts";
import { narrowingArguments, type Order, orderArgument, orderOf, shownOrder } from "./prompts-order.ts";
import { MAX_ORDER_NAME_LENGTH, REFUSED } from "./audit.ts";
import { dayNamed } from "./time-range.ts";

const LATER = {
  contractId: "<contractId of mkt_get_order>",
  marketId: "<marketId of mkt_get_order>",
  createdAt: "<createdAt of mkt_get_order>",
};

export const investigateOrder = definePrompt({
  name: "mkt_investigate_order",
  title: "Investigate an order",
  description:
    "Tells the whole story of one order, for example after a complaint: who did what when, fills, halts, and " +
    "whether others traded while it waited. Changes nothing.",
  arguments: {
    orderId: { ...orderArgument, maxLength: MAX_ORDER_NAME_LENGTH },
    date: {
      description: "UTC day of its events, such as 2026-03-01, for an order older than a week; absent: the last 7 days",
      required: false,
      complete: (typed, context) => lastDays(context).filter((day) => day.startsWith(typed.trim())),
    },
    ...narrowingArguments,
  },
  uses: [
    "mkt_get_order",
    "mkt_list_fills",
    "mkt_get_order_events",
    "mkt_get_audit_log",
    "mkt_find_modules",
    "mkt_get_order_book",
  ],
  mayUse: CONNECT_TOOLS,
  messages: async (given, context) => {
    const isConnected = context.pubsub.session !== null;
    const date = given["date"] && dayNamed("date", given["date"], await marketNow(context));
    const order = isConnected ? knownOrder(given, context) : null;
    const orderId = order?.id ?? given["orderId"]!;
    const isGone = order === null && (isConnected || orderId.startsWith(REFUSED));
    const history = historyStep(orderId, date, context);
    return promptText({
      task: `Investigate order ${quoted(orderId)}: tell what happened to it, when, and who caused it.`,
      rules: [ONLY_READ],
      steps: isGone ? [history] : [...orderSteps(orderId), history, ...marketSteps(order, context)],
      report: [
        "First a sentence: what became of the order, and whether anything looks wrong.",
        "Its terms: contract, side, price, quantity, entity, user, time in force.",
        "A line of time for each event: time, what, who (userId; null: the schedule), price and MW.",
        "Sums: filled MW of quantity, average price, counterparties; that fills and filledQuantity agree, or not.",
        "If it waited: halts and closed sessions meanwhile, and what traded at its price or a better one.",
      ],
      ...(order !== null && { facts: { order: shownOrder(order, context) } }),
    }, context);
  },
});

/** Null for an order that only the audit trail has: a refused one, or one of a given earlier day. */
function knownOrder(given: PromptArguments, context: ToolContext): Order | null {
  const orderId = given["orderId"]!;
  const mayBeGone = orderId.startsWith(REFUSED) || given["date"] !== undefined;
  return mayBeGone && onlyMeaning(context.snapshot, "ORDER", orderId) === null ? null : orderOf(given, context);
}

function orderSteps(orderId: string): string[] {
  return [
    step(
      "mkt_get_order",
      { orderId },
      "status, closeReason (why it is closed; null: open), filledQuantity of quantity, createdAt, updatedAt, userId. If it is " +
        "open, blockedBy and message say why it doesn't trade with orders that it crosses. Not found: it may have left the " +
        "market; the audit trail may still have it.",
    ),
    step(
      "mkt_list_fills",
      { orderId, fields: ["time", "price", "quantity", "counterpartyId", "liquidity"] },
      "the sum of quantity is filledQuantity, unless an operator has flushed fills. A BUY never pays more than its price, a " +
        "SELL never gets less. liquidity aggressor: it met resting orders.",
    ),
  ];
}

const HISTORY =
  "newest first: orderQueued (accepted), orderHeld and orderReleased (waited for matching), orderModified, orderFilled, " +
  "orderCancelled, orderExpired, orderRejected with its reason. userId caused it; null: the schedule; of a fill: whoever's " +
  "command made the trade.";

/** The acting user's permission decides which tool gives the history; without a session either may. */
function historyStep(orderId: string, date: string | undefined, { pubsub: { session } }: ToolContext): string {
  const events = { orderId, ...(date !== undefined && { date }) };
  // A refusal is an event of the contract, since the order never became a module.
  const subject = orderId.startsWith(REFUSED)
    ? { event: "orderRejected", search: orderId }
    : { moduleType: "ORDER", moduleId: orderId };
  const log = { ...subject, ...(date !== undefined && { startTime: date, endTime: date }) };
  const has = (permission: string) => session?.capabilities.includes(permission) === true;
  if (has("Market.Operate")) return step("mkt_get_order_events", events, HISTORY);
  if (has("Market.View")) return step("mkt_get_audit_log", log, HISTORY);
  return `${call("mkt_get_order_events", events)} needs Market.Operate; if forbidden, ${
    call("mkt_get_audit_log", log)
  } needs ` +
    `Market.View; if both are, the history is unknown: ${HISTORY}`;
}

/** `order`: null if it is not known yet. */
function marketSteps(order: Order | null, context: ToolContext): string[] {
  const { contractId, marketId, createdAt } = order ?? LATER;
  const from = order === null ? createdAt : latestOf(createdAt, weekAgo(context));
  const trades = {
    moduleType: "TRADE",
    filters: { contractId, time: { value: from, operator: "gte" }, ...(order !== null && { price: asGoodAs(order) }) },
    sort: "time",
    fields: ["time", "price", "quantity", "buyOrderId", "sellOrderId"],
  };
  return [
    step(
      "mkt_get_audit_log",
      { moduleType: "MARKET", moduleId: marketId, startTime: from },
      "marketHalted, marketResumed and marketStatusChanged while the order was open. Nothing matches outside status open. " +
        "Whole UTC days.",
    ),
    step(
      "mkt_find_modules",
      trades,
      "trades of the contract since then. Each trade of others while the order was open, at its price or a better one for it, " +
        "needs an explanation: on its own side a better price or an older order came first; documents or credit are missing " +
        "between it and the other party; both are one entity. Without Market.View you see only trades of your own entity.",
    ),
    `If it is open: ${step("mkt_get_order_book", { contractId }, "where its price stands now.")}`,
  ];
}

/** A filter on prices that are its own or better for it. */
function asGoodAs({ side, price }: Order) {
  return { value: price, operator: side === BUY ? "lte" : "gte" };
}

function latestOf(one: string, other: string): string {
  return Date.parse(one) > Date.parse(other) ? one : other;
}

function weekAgo({ pubsub }: ToolContext): string {
  return new Date(pubsub.marketTime() - 7 * DAY_MS).toISOString();
}

/** The UTC days of the last two weeks, newest first. */
function lastDays(context: ToolContext): string[] {
  const now = Date.parse(marketTime(context));
  return Array.from({ length: 14 }, (_, days) => dayOf(now - days * DAY_MS));
}
