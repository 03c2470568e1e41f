// What a rejected order.submit leaves: a reject.order event if its contract exists, and orderRejected in the audit
// trail.
//
// A user who may not trade at all (without Order.Submit or without an entity) leaves neither, and so can't fill
// anyone's history. The audit trail records at most MAX_RECORDED rejections of a trader in a UTC day; the last one
// says so.
//
// A rejected order has no id. The audit trail names it by `rejectedOrderId`, which is never the id of an order, so a
// clientOrderId can't put it into the history of another order. The record is on a contract that exists or on the user,
// never on a module that only the payload names.

import type { ActionPayload } from "../../protocol/index.ts";
import type { RefusedTerms } from "../api/market-engine.ts";
import type { Rejection } from "../api/outcome.ts";
import type { UserState } from "../state/party-state.ts";
import type { Transaction } from "../transaction/transaction.ts";

export const MAX_RECORDED = 1_000;

export function refusedTerms(payload: ActionPayload<"order.submit">, operationId: string): RefusedTerms {
  const { contractId, clientOrderId = operationId, side, price, quantity } = payload;
  return { contractId, clientOrderId, side, price, quantity };
}

export function recordRejection(
  transaction: Transaction,
  user: UserState,
  refused: RefusedTerms,
  { code, message }: Rejection,
): void {
  if (!user.permissions.has("Order.Submit") || user.entityId === null) return;
  const { contractId, clientOrderId, side, price, quantity } = refused;
  const terms = { contractId, clientOrderId, side, price, quantity, code, message };
  const contract = transaction.state.contracts.get(contractId);
  if (contract !== undefined) {
    const { bookId, product } = contract;
    const submitter = { entityId: user.entityId, userId: user.id };
    transaction.publish("reject.order", { ...terms, ...submitter, engineId: bookId, productCode: product.code });
  }
  const count = countRejection(transaction, user.id);
  if (count === null) return;
  const [type, id] = contract === undefined ? ["USER", user.id] as const : ["CONTRACT", contract.id] as const;
  const details = count === MAX_RECORDED ? { ...terms, note: "Later rejections of this day are not recorded." } : terms;
  const subject = { entityId: user.entityId, orderId: rejectedOrderId(user.id, clientOrderId) };
  transaction.record("orderRejected", type, id, details, subject);
}

/** The name of a rejected order in the audit trail. */
export function rejectedOrderId(userId: string, clientOrderId: string): string {
  return `refused:${userId}:${clientOrderId}`;
}

/** Counts a rejection among those recorded on its UTC day; null if MAX_RECORDED have been recorded. */
function countRejection({ state: { rejections }, time }: Transaction, userId: string): number | null {
  const day = time.slice(0, 10);
  let recorded = rejections.get(userId);
  if (recorded?.day !== day) rejections.set(userId, recorded = { day, count: 0 });
  if (recorded.count === MAX_RECORDED) return null;
  recorded.count += 1;
  return recorded.count;
}
