// What a command gives: its outcome, or the order that it has accepted, changed or cancelled, or that was closed before. The
// answer follows from either.
//
// A late cancel is frequent, so the answer to a request for a closed order is made of the order only if someone reads it. A
// closed order never changes, so the answer is the same whenever it is made.

import type { Answer, WrittenAnswer } from "../api/market-engine.ts";
import { type Outcome, rejected, type Rejection } from "../api/outcome.ts";
import { isoTime } from "../../common/iso-time.ts";
import { megawattsOf } from "../market/units.ts";
import { orderModule, type ShownOrder } from "../modules/order-modules.ts";
import type { Order } from "../state/market-state.ts";
import { jsonOf } from "../text/text-writer.ts";
import type { Recorder } from "../transaction/recorder.ts";

/** The result is the order's module. */
interface ConfirmedOrder {
  readonly status: "ok";
  readonly order: Order;
}

export type ClosedOrderCode = "not_modifiable" | "not_cancellable";

/** The rejection of a request for an order that is closed already. `rejectionOf` gives its message and result. */
export interface ClosedOrderRefusal {
  readonly status: "rejected";
  readonly code: ClosedOrderCode;
  readonly order: Order;
}

export type OperationOutcome = Outcome | ConfirmedOrder | ClosedOrderRefusal;

export function confirmed(order: Order): ConfirmedOrder {
  return { status: "ok", order };
}

/** What writes the texts of orders. Without it nobody listens: neither these are made, nor what became of a closed order. */
type OrderWriter = Pick<Recorder, "orderText"> | null;

export function answerTo(operationId: string, outcome: OperationOutcome, writer: OrderWriter): WrittenAnswer {
  if (!("order" in outcome)) return written({ operationId, ...outcome });
  const { status, order } = outcome;
  const text = writer?.orderText?.(order);
  if (status === "ok") return text === undefined ? { operationId, status } : { operationId, status, order: text };
  const { code } = outcome;
  if (text === undefined) return { operationId, status, code };
  return { operationId, status, code, message: closedMessage(order), order: text };
}

export function written({ result, ...answer }: Answer): WrittenAnswer {
  if (result === undefined) return answer;
  const { order, ...others } = result;
  return order !== undefined && Object.keys(others).length === 0
    ? { ...answer, order: jsonOf(order) }
    : { ...answer, result: jsonOf(result) };
}

export function rejectionOf(code: ClosedOrderCode, order: ShownOrder): Rejection {
  return rejected(code, closedMessage(order), { order: orderModule(order) });
}

function closedMessage({ id, status, closeReason, quantity, filledQuantity, updatedAt }: ShownOrder): string {
  const why = closeReason === status ? "" : ` (${closeReason})`;
  const filled = `${megawattsOf(filledQuantity)} of ${megawattsOf(quantity)} MW were filled`;
  return `Order ${id} was ${status}${why} at ${isoTime(updatedAt)}; ${filled}.`;
}
