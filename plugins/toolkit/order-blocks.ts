// Why an open order does not trade with orders that it crosses, for the results of tools. The backend is asked only if the
// snapshot shows that the order crosses the book, so an ordinary order costs no request. If it can't say, the call still
// succeeds: `blockedBy` is null, and the message says why.

import { z } from "zod";
import type { ToolContext } from "../../core/tools/context.ts";
import { ToolError } from "../../core/error.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { OrderBlocks } from "../../protocol/index.ts";
import { BUY } from "../../protocol/sides.ts";
import { pauseSentence, sentencesOn } from "./block-sentences.ts";

/** How long a tool waits for reasons. The order is confirmed already, so its result must not wait for long. */
const LIMIT_MS = 5_000;

/** Maximum number of reasons in a result: about 6,000 bytes. */
const MAX_SHOWN = 30;

/** protocol/http.ts describes the fields. */
const block = z.looseObject({
  counterpartyId: z.string().nullable(),
  reason: z.string(),
  quantity: z.number(),
  contractId: z.string(),
  price: z.number(),
  documentation: z.string(),
  limitType: z.string(),
  scope: z.string(),
  limit: z.number(),
  used: z.number(),
  available: z.number(),
  needed: z.number(),
  unit: z.string(),
}).partial();

export const blockedByField = z.array(block).nullable().describe("null: the backend can't say");
/** Without the fields of a reason, which the schema of mkt_get_order declares. */
export const shortBlockedByField = z.array(z.unknown()).nullable();

export interface Explanation {
  readonly blockedBy: OrderBlocks["blockedBy"] | null;
  /** The order's state and why it does not trade, in sentences. */
  readonly message: string;
}

/** Explains a current order. A promise only if the backend is asked; it rejects only if the client has cancelled the call. */
export function explain(order: ModuleData<"ORDER">, context: ToolContext): Explanation | Promise<Explanation> {
  if (crossesBook(order, context.snapshot)) return explainBlocks(order, context);
  const message = stateOf(order);
  return { blockedBy: [], message: order.status === "held" ? `${message} ${pauseSentence(order, context)}` : message };
}

async function explainBlocks(order: ModuleData<"ORDER">, context: ToolContext): Promise<Explanation> {
  const message = stateOf(order);
  const blocks = await askForBlocks(order.id, context);
  if (typeof blocks === "string") return { blockedBy: null, message: `${message} It crosses the book. ${blocks}` };
  const more = blocks.blockedBy.length - MAX_SHOWN;
  const sentences = [message, ...sentencesOn(order, blocks, context)];
  if (more > 0) sentences.push(`blockedBy leaves out ${more} further reasons.`);
  return { blockedBy: blocks.blockedBy.slice(0, MAX_SHOWN), message: sentences.join(" ") };
}

export function stateOf({ id, status, filledQuantity, quantity }: ModuleData<"ORDER">): string {
  return `Order ${id} is ${status}: ${filledQuantity} of ${quantity} MW filled.`;
}

function crossesBook({ closeReason, engineId, side, price }: ModuleData<"ORDER">, snapshot: SnapshotReader): boolean {
  const engine = snapshot.get("ENGINE", engineId);
  if (closeReason !== null || engine === undefined) return false;
  return side === BUY
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
    if (limit.aborted) return `The backend gave no reasons within ${LIMIT_MS} ms: ask again with mkt_get_order.`;
    if (error instanceof ToolError) return `The reasons why it doesn't trade are unknown. ${error.message}`;
    throw error;
  }
}
