// The steps of the morning check of a market.

import type { ToolContext } from "../../core/tools/context.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import { call, ifOffered, step, YOUR_ENTITY } from "../toolkit/prompt-text.ts";
import { OPEN } from "./order-resources.ts";

/** What the steps need to know; without a connection, what stands for it. */
export interface Scope {
  /** Null if it is not known. */
  readonly market: ModuleData<"MARKET"> | null;
  readonly marketId: string;
  /** Null for a user who trades for no entity. */
  readonly entityId: string | null;
  readonly hours: number;
  /** ISO market time. */
  readonly since: string;
}

/** `named`: the market's id, if it was given or is known. */
export function marketSteps(
  { marketId, since, hours }: Scope,
  named: string | undefined,
  context: ToolContext,
): string[] {
  const sinceConnected = call("mkt_watch_market", { limit: 30 });
  return [
    step(
      "mkt_get_market_state",
      named === undefined ? {} : { marketId },
      "orders match only while status is open. preopen and halted: new orders are held until matching begins; closed: they " +
        "are refused. haltReason is the operator's text. preopen, open and close are the current or next session; null: it " +
        "always trades.",
    ),
    step(
      "mkt_get_audit_log",
      { moduleType: "MARKET", moduleId: marketId, startTime: since },
      [
        "marketHalted, marketResumed and marketStatusChanged of whole UTC days, newest first, with userId (null: the schedule).",
        ...ifOffered(
          "mkt_watch_market",
          context,
          `If it fails: ${sinceConnected} has those since this server connected.`,
        ),
      ].join(" "),
    ),
    step(
      "mkt_find_modules",
      contractsOf(marketId),
      "volume is MW traded so far. bestBid or bestAsk null: nobody buys or sells. bestBid of at least bestAsk: a crossed " +
        "book, whose parties may not trade with each other (documents, credit, or one entity). If both are more than a " +
        "tenth away from lastPrice, say so.",
    ),
    step(
      "mkt_find_modules",
      tradesOf(marketId, since),
      "total is the number of trades, then the largest. Without Market.View only those of your own entity. None in an open " +
        "market: say so.",
    ),
    ...ifOffered(
      "mkt_sim_get_spot_prices",
      context,
      step(
        "mkt_sim_get_spot_prices",
        { hours },
        "price and regime of each node now, history by hour, events that act now. status stopped: no simulator runs, and " +
          "the prices stand still. If it fails, there is none.",
      ),
    ),
  ];
}

function contractsOf(marketId: string) {
  return {
    moduleType: "CONTRACT",
    filters: { marketId, status: "listed" },
    sort: "deliveryStart",
    fields: ["deliveryStart", "bestBid", "bestAsk", "lastPrice", "volume"],
    limit: 150,
  };
}

function tradesOf(marketId: string, since: string) {
  return {
    moduleType: "TRADE",
    filters: { marketId, time: { value: since, operator: "gte" } },
    sort: "-quantity",
    fields: ["contractId", "price", "quantity", "time"],
    limit: 5,
  };
}

export function entitySteps(entityId: string, { marketId }: Scope): string[] {
  const orders = {
    moduleType: "ORDER",
    filters: { marketId, entityId, status: OPEN },
    fields: ["contractId", "side", "price", "remainingQuantity", "status", "userId"],
    limit: 50,
  };
  const orderIsKept = step(
    "mkt_get_order",
    { orderId: "<id of the order>" },
    "blockedBy and message say why it doesn't trade, and who can change that.",
  );
  return [
    step(
      "mkt_find_modules",
      orders,
      "open orders of your entity. held: they wait for matching. In an open market compare each with the contract's best " +
        "opposite price: an order that reaches it is kept from trading by something else than its price." +
        (entityId === YOUR_ENTITY ? " If your entityId is null, leave out this step and those after it." : ""),
    ),
    `For up to five of those: ${orderIsKept}`,
    step(
      "mkt_get_entity",
      { entityId, positions: true, limit: 30 },
      "creditStatus; netQuantity by contract, mark and markSource (book, trade, spot), realised and unrealised profit, totals.",
    ),
    step(
      "mkt_get_credit_status",
      { entityId, marketId },
      "counterparties with tradable false and their reason; limits with little available. Forbidden without Credit.View: " +
        "then credit is unknown.",
    ),
  ];
}
