// What a command gives: its outcome, or the order that it has accepted, changed or cancelled. From either follows the answer.

import type { Answer } from "../api/market-engine.ts";
import type { Outcome } from "../api/outcome.ts";
import { orderModule } from "../modules/order-modules.ts";
import type { Order } from "../state/market-state.ts";

/** The result is the order's module. */
export interface ConfirmedOrder {
  readonly status: "ok";
  readonly order: Order;
}

export type OperationOutcome = Outcome | ConfirmedOrder;

export function confirmed(order: Order): ConfirmedOrder {
  return { status: "ok", order };
}

export function answerTo(operationId: string, outcome: OperationOutcome): Answer {
  if ("order" in outcome) return { operationId, status: "ok", result: { order: orderModule(outcome.order) } };
  const { status, ...rest } = outcome;
  return { operationId, status, ...rest };
}
