// What a refused order.submit leaves: a reject.order event if its contract is known, and orderRejected in the audit trail.
//
// Of a user who may not trade at all (no Order.Submit, or no entity) it leaves neither: whoever may do nothing must not
// be able to fill anyone's history. Of a trader the audit trail gets MOST_RECORDED refusals a UTC day at most; the last of
// them says so.
//
// A refused order has no id. In the audit trail it is named by `refusedOrderId`, which no order has for its id, so the
// clientOrderId can't put it into the history of another order. Neither does it go into the history of a module that only
// the payload names.

import type { ActionPayload } from "../../../protocol/index.ts";
import type { UserState } from "../state/engine-state.ts";
import type { Rejection } from "../api/outcome.ts";
import type { Transaction } from "../transaction/transaction.ts";

export const MOST_RECORDED = 1_000;

/** Refusals of one user that the audit trail has of a UTC day. */
export interface RecordedRefusals {
  day: string;
  count: number;
}

/** The name of a refused order in the audit trail. */
export function refusedOrderId(userId: string, clientOrderId: string): string {
  return `refused:${userId}:${clientOrderId}`;
}

export function leaveRefusal(
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
    const { engineId, product } = contract;
    const submitter = { entityId: user.entityId, userId: user.id };
    transaction.publish("reject.order", { ...terms, ...submitter, engineId, productCode: product.code });
  }
  const count = countRefusal(transaction, user.id);
  if (count === null) return;
  transaction.record({
    event: "orderRejected",
    ...(contract === undefined
      ? { moduleType: "USER", moduleId: user.id }
      : { moduleType: "CONTRACT", moduleId: contract.id }),
    orderId: refusedOrderId(user.id, clientOrderId),
    entityId: user.entityId,
    details: count === MOST_RECORDED ? { ...terms, note: "Later refusals of this day are not recorded." } : terms,
  });
}

/** The number of a refusal among those recorded on its UTC day; null if there are MOST_RECORDED already. */
export function countRefusal({ state: { refusals }, time }: Transaction, userId: string): number | null {
  const day = time.slice(0, 10);
  let recorded = refusals.get(userId);
  if (recorded?.day !== day) refusals.set(userId, recorded = { day, count: 0 });
  if (recorded.count === MOST_RECORDED) return null;
  recorded.count += 1;
  return recorded.count;
}
