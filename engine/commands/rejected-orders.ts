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
import type { OperationName, RejectionTrace } from "../api/market-engine.ts";
import type { Rejection } from "../api/outcome.ts";
import type { UserState } from "../state/party-state.ts";
import type { Transaction } from "../transaction/transaction.ts";

export const MAX_RECORDED = 1_000;

export function recordRejection(
  transaction: Transaction,
  user: UserState,
  payload: ActionPayload<"order.submit">,
  clientOrderId: string,
  { code, message }: Rejection,
): void {
  if (!user.permissions.has("Order.Submit") || user.entityId === null) return;
  const { contractId, side, price, quantity } = payload;
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

/**
 * Records a rejection from before a restart again. The record is written only if the first one was lost with the
 * process. The journal keeps nothing of the payload, so the record lacks the order's terms and clientOrderId.
 */
export function recordRecalledRejection(
  transaction: Transaction,
  { userId, operationId, action }: OperationName,
  { code, message }: RejectionTrace,
): void {
  countRejection(transaction, userId);
  const entityId = transaction.state.users.get(userId)?.entityId ?? null;
  const subject = { entityId, orderId: rejectedOrderId(userId, operationId) };
  transaction.record("orderRejected", "USER", userId, { action, operationId, code, message }, subject);
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
