// Completions of order ids, and of arguments that are one of a few names.

import type { Completion } from "../../core/tools/completion.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import type { ModuleData, ModuleType } from "../../protocol/modules/registry.ts";
import { bestMatches } from "./best-matches.ts";
import { onlyMeaning } from "./meaning.ts";

/** The most orders that are looked at in each of the two groups. */
const MAX_ORDERS = 1_000;

/**
 * By id, contract and clientOrderId. The acting user's open orders first, then the others that the user may see, both newest
 * first. `others` may name the contract (`contractId`) and the user (`userId`) whose orders they are. No values without a
 * connection. An older order than the newest MAX_ORDERS is found by its whole id.
 */
export const orderIds: Completion = (typed, context, others) =>
  bestMatches(
    typed,
    ordersLikely(typed, context, others).map((order) => ({
      value: order.id,
      names: [order.contractId, order.clientOrderId],
    })),
  );

/** The orders among which a person may mean one, as for orderIds. */
export function ordersLikely(
  typed: string,
  { snapshot, pubsub: { session } }: Pick<ToolContext, "snapshot" | "pubsub">,
  others: Readonly<Record<string, string>> = {},
): Order[] {
  if (session === null) return [];
  const contractId = meant(snapshot, "CONTRACT", others["contractId"]);
  const userId = meant(snapshot, "USER", others["userId"]);
  const fits = (order: Order) =>
    (contractId === undefined || order.contractId === contractId) && (userId === undefined || order.userId === userId);
  const named = snapshot.get("ORDER", onlyMeaning(snapshot, "ORDER", typed) ?? "");
  const found = [
    ...ownOpenOrders(snapshot, session.userId).filter(fits),
    ...snapshot.find("ORDER", { equals: { contractId, userId }, limit: MAX_ORDERS }).modules,
    ...(named !== undefined && fits(named) ? [named] : []),
  ];
  return [...new Map(found.map((order) => [order.id, order])).values()];
}

/** One of these names. */
export function oneOf(names: readonly string[]): Completion {
  return (typed) => bestMatches(typed, names.map((value) => ({ value, names: [] })));
}

type Order = ModuleData<"ORDER">;

function ownOpenOrders(snapshot: SnapshotReader, userId: string): Order[] {
  const where = (order: Readonly<Record<string, unknown>>) => order["closeReason"] === null;
  return snapshot.find("ORDER", { equals: { userId }, where, limit: MAX_ORDERS }).modules;
}

/** Undefined if nothing was typed. */
function meant(snapshot: SnapshotReader, type: ModuleType, text = ""): string | undefined {
  const typed = text.trim();
  return typed === "" ? undefined : onlyMeaning(snapshot, type, typed) ?? typed;
}
