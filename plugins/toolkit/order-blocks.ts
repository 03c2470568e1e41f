// Why an open order does not trade with orders that it crosses, for the results of tools. The backend is asked only if the
// snapshot shows that the order crosses the book, so an ordinary order costs no request. If it can't say, the call still
// succeeds: `blockedBy` is null, and the message says why.

import { z } from "zod";
import type { ToolContext } from "../../core/tools/context.ts";
import { ToolError } from "../../core/error.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import { type ModuleData, SIDE } from "../../protocol/modules/registry.ts";
import type { OrderBlocks } from "../../protocol/index.ts";
import { sentencesOn } from "./block-sentences.ts";

/** How long a tool waits for reasons. The order itself is done by then, so the answer must not wait for long. */
const LIMIT_MS = 5_000;

const block = z.looseObject({
  counterpartyId: z.string().nullable().describe("null: the market's status, or an owner you may not see"),
  reason: z.string().describe(
    "Such as counterparty_documents, entity_limit, self_trade, market_halted; entity: the order's",
  ),
  quantity: z.number().describe("MW crossed"),
  contractId: z.string(),
  price: z.number().describe("Best, cents/MWh"),
  documentation: z.string().optional(),
  limitType: z.string().optional(),
  scope: z.string().optional(),
  limit: z.number().optional(),
  used: z.number().optional(),
  available: z.number().optional(),
  needed: z.number().optional().describe("For one lot"),
  unit: z.string().optional(),
});

export const blockedByField = z.array(block).nullable().describe(
  "Why it doesn't trade with orders that it crosses; empty if it crosses none, null if the backend can't say",
);

export interface Explanation {
  readonly blockedBy: OrderBlocks["blockedBy"] | null;
  /** The order's state and why it does not trade, in sentences. */
  readonly message: string;
}

/** Explains a current order. Throws only if the client has cancelled the call. */
export async function explain(order: ModuleData<"ORDER">, context: ToolContext): Promise<Explanation> {
  const message = stateOf(order);
  if (!crossesBook(order, context.snapshot)) return { blockedBy: [], message };
  const blocks = await askForBlocks(order.id, context);
  if (typeof blocks === "string") return { blockedBy: null, message: `${message} It crosses the book. ${blocks}` };
  return { blockedBy: blocks.blockedBy, message: [message, ...sentencesOn(order, blocks, context)].join(" ") };
}

export function stateOf({ id, status, filledQuantity, quantity }: ModuleData<"ORDER">): string {
  return `Order ${id} is ${status}: ${filledQuantity} of ${quantity} MW filled.`;
}

function crossesBook({ closeReason, engineId, side, price }: ModuleData<"ORDER">, snapshot: SnapshotReader): boolean {
  const engine = snapshot.get("ENGINE", engineId);
  if (closeReason !== null || engine === undefined) return false;
  return side === SIDE.BUY
    ? engine.bestAsk !== null && price >= engine.bestAsk
    : engine.bestBid !== null && price <= engine.bestBid;
}

/** A sentence if the backend can't say. */
async function askForBlocks(orderId: string, { backend, signal }: ToolContext): Promise<OrderBlocks | string> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  try {
    const blocks = await backend.orderBlocks(orderId, AbortSignal.any([signal, limit]));
    return blocks ?? "The backend gives no reasons why it doesn't trade.";
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) return `The backend gave no reasons within ${LIMIT_MS} ms: see mkt_get_order.`;
    if (error instanceof ToolError) return `The reasons why it doesn't trade are unknown. ${error.message}`;
    throw error;
  }
}
