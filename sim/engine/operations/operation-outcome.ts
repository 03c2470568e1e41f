// What a command gives: its outcome, or the order that it has accepted, changed or cancelled, or that was closed before. The
// answer follows from either.

import type { Answer, WrittenAnswer } from "../api/market-engine.ts";
import type { Outcome } from "../api/outcome.ts";
import { orderText } from "../modules/order-text.ts";
import type { Order } from "../state/market-state.ts";
import { type ClosedOrderRefusal, rejectionOf } from "./closed-order-refusal.ts";

/** The result is the order's module. */
export interface ConfirmedOrder {
  readonly status: "ok";
  readonly order: Order;
}

export type OperationOutcome = Outcome | ConfirmedOrder | ClosedOrderRefusal;

export function confirmed(order: Order): ConfirmedOrder {
  return { status: "ok", order };
}

/** `isWritten` false: the text of an order is not made, nor the message that says what became of a closed one. */
export function answerTo(operationId: string, outcome: OperationOutcome, isWritten: boolean): WrittenAnswer {
  if (!("order" in outcome)) return written({ operationId, ...outcome });
  if (outcome.status === "rejected") {
    const { status, code, order } = outcome;
    return isWritten ? written({ operationId, ...rejectionOf(code, order) }) : { operationId, status, code };
  }
  if (!isWritten) return { operationId, status: "ok" };
  return { operationId, status: "ok", result: `{"order":${orderText(outcome.order)}}` };
}

export function written({ result, ...answer }: Answer): WrittenAnswer {
  return result === undefined ? answer : { ...answer, result: JSON.stringify(result) };
}
