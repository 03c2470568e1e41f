// The prompt that explains why an order doesn't trade (docs/market-rules.md, "Why an order does not trade").

import { definePrompt } from "../../core/prompts/prompt.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { CONNECT_TOOLS, ONLY_READ, promptText, quoted, step } from "../toolkit/prompt-text.ts";
import { explain } from "../toolkit/order-blocks.ts";
import { narrowingArguments, type Order, orderArgument, orderOf, shownOrder } from "./prompts-order.ts";
import { marketState } from "./market.ts";
import { OPEN } from "./order-resources.ts";

/** What the steps need of the order. Without a connection earlier answers give it. */
const LATER = {
  contractId: "<contractId of mkt_get_order>",
  marketId: "<marketId of mkt_get_order>",
  entityId: "<entityId of mkt_get_order>",
};

/** The reasons that the text has; the first step gives all. */
const MAX_BLOCKS = 3;

export const explainOrder = definePrompt({
  name: "mkt_explain_order",
  title: "Explain why an order doesn't trade",
  description:
    "Finds what keeps one order from trading: price, market, documents, credit or orders of its own entity; says " +
    "who can change it. Changes nothing.",
  arguments: { orderId: orderArgument, ...narrowingArguments },
  uses: [
    "mkt_get_order",
    "mkt_get_market_state",
    "mkt_get_order_book",
    "mkt_find_modules",
    "mkt_get_extended_credit",
  ],
  mayUse: CONNECT_TOOLS,
  messages: async (given, context) => {
    const order = context.pubsub.session === null ? null : orderOf(given, context);
    const orderId = order?.id ?? given["orderId"]!;
    return promptText({
      task: `Explain why order ${quoted(orderId)} doesn't trade.`,
      rules: [ONLY_READ],
      steps: stepsFor(orderId, order ?? LATER),
      report: [
        "First a sentence: the order trades, or doesn't because of ...",
        "The order: id, contract, side, price, quantity, filled MW, status.",
        "Each reason: counterparty, MW and price of the crossed orders; for a limit its unit, limit, used, available and " +
        "needed; for the price the distance to the best opposite price, and the MW before it.",
        "For each reason who can remove it, and how; that the order then trades by itself, without a new order.",
      ],
      ...(order !== null && { facts: await factsOf(order, context) }),
    }, context);
  },
});

/** Without the message of mkt_get_order, which may name tools that are not offered. */
async function factsOf(order: Order, context: ToolContext) {
  const { blockedBy } = await explain(order, context);
  return {
    order: { ...shownOrder(order, context), blockedBy: blockedBy?.slice(0, MAX_BLOCKS) ?? null },
    market: marketState(order.marketId, context),
  };
}

const REASONS = [
  "[] it crosses no order: the price, or nobody offers: see the order book.",
  "market_halted, market_preopen, market_closed: nothing trades now; other reasons hold besides.",
  "self_trade: an entity never trades with itself, whichever of its users sent the orders.",
  "entity_documents, counterparty_documents: that side has not set docs_in_place for the other; both must.",
  "entity_no_limit, counterparty_no_limit: that side grants no credit limit that covers the contract.",
  "entity_limit, counterparty_limit: that side's limit leaves less (available) than one lot needs (needed), in unit; without " +
  "figures you may not see them.",
  "documents_or_credit: one of these; you may not see which.",
  "null: the backend can't say; message says why. Then what the next steps show is possible, not certain.",
];

function stepsFor(orderId: string, { contractId, marketId, entityId }: typeof LATER): string[] {
  const ownOrders = {
    moduleType: "ORDER",
    filters: { contractId, entityId, status: OPEN },
    fields: ["userId", "side", "price", "remainingQuantity", "createdAt"],
  };
  const credit = step(
    "mkt_get_extended_credit",
    { entityId, counterpartyId: "<counterpartyId of mkt_get_order>" },
    "documentationStatus of both, limits with used and available, marginPercent. It needs Credit.View for that entity. Not " +
      "found: that entity has set nothing for the other.",
  );
  return [
    step(
      "mkt_get_order",
      { orderId },
      "status filled or cancelled: it no longer trades, closeReason says why; go to the report. held: its market doesn't " +
        "match now; it is matched when that begins. working or partial: it is in the book. Not found: stop, report the hint.",
    ),
    "blockedBy in this answer has the reasons; entity_ is the order's entity, counterparty_ the other one:\n" +
    REASONS.map((reason) => `   ${reason}`).join("\n"),
    step(
      "mkt_get_market_state",
      { marketId },
      "orders match only while status is open. In preopen and while halted new orders are held; while closed they are " +
        "refused. open and preopen are the next times; haltReason is the operator's text.",
    ),
    step(
      "mkt_get_order_book",
      { contractId },
      "a BUY trades with asks of at most its price, a SELL with bids of at least its price. No order on the other side: nobody " +
        "offers. On its own side, better prices and older orders of the same price come first. A negative spread is a " +
        "crossed book: those orders may not trade with each other.",
    ),
    step(
      "mkt_find_modules",
      ownOrders,
      "orders of the same entity. Those on the other side that the price crosses never trade with this one.",
    ),
    `For up to five counterpartyId in blockedBy: ${credit}`,
    "mkt_get_order again: if status or filledQuantity has changed meanwhile, explain the new state.",
  ];
}
