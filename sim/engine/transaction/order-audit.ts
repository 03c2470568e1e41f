import { megawattsOf } from "../../market/units.ts";
import type { Order } from "../state/market-state.ts";
import type { Transaction } from "./transaction.ts";

/** Records in the audit trail what has happened to an order, with its terms as they are now. */
export function recordOrder(
  transaction: Transaction,
  event: `order${"Queued" | "Modified" | "Cancelled" | "Filled" | "Expired" | "Held" | "Released"}`,
  order: Order,
  details: Record<string, unknown>,
): void {
  transaction.record({
    event,
    moduleType: "ORDER",
    moduleId: order.id,
    entityId: order.entity.definition.id,
    orderId: order.id,
    details: {
      contractId: order.contract.id,
      side: order.side,
      price: order.price,
      quantity: megawattsOf(order.quantity),
      filledQuantity: megawattsOf(order.filledQuantity),
      status: order.status,
      ...details,
    },
  });
}
