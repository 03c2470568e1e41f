// Why a change or a cancel of a closed order is rejected. A late cancel is frequent, so its answer is made of the order only if
// someone reads it. A closed order never changes, so the answer is the same whenever it is made.

import { megawattsOf } from "../market/units.ts";
import { rejected, type Rejection } from "../api/outcome.ts";
import { isoTime } from "../../common/iso-time.ts";
import { orderModule, type ShownOrder } from "../modules/order-modules.ts";
import type { Order } from "../state/market-state.ts";

export type ClosedOrderCode = "not_modifiable" | "not_cancellable";

/** The rejection of a request for an order that is closed already. `rejectionOf` gives its message and result. */
export interface ClosedOrderRefusal {
  readonly status: "rejected";
  readonly code: ClosedOrderCode;
  readonly order: Order;
}

export function rejectionOf(code: ClosedOrderCode, order: ShownOrder): Rejection {
  return rejected(code, closedMessage(order), { order: orderModule(order) });
}

export function closedMessage({ id, status, closeReason, quantity, filledQuantity, updatedAt }: ShownOrder): string {
  const why = closeReason === status ? "" : ` (${closeReason})`;
  const filled = `${megawattsOf(filledQuantity)} of ${megawattsOf(quantity)} MW were filled`;
  return `Order ${id} was ${status}${why} at ${isoTime(updatedAt)}; ${filled}.`;
}
