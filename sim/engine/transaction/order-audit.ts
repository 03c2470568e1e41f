import { megawattsOf } from "../../market/units.ts";
import type { Order } from "../state/market-state.ts";
import type { Transaction } from "./transaction.ts";

/** Records an event of an order in the audit trail, with the order's terms as they are now. */
export function recordOrder(
  transaction: Transaction,
  event: `order${"Queued" | "Modified" | "Cancelled" | "Filled" | "Expired" | "Held" | "Released"}`,
  order: Order,
  details: Record<string, unknown>,
): void {
  const { id, contract, entity, side, price, status } = order;
  const [quantity, filledQuantity] = [megawattsOf(order.quantity), megawattsOf(order.filledQuantity)];
  const terms = { contractId: contract.id, side, price, quantity, filledQuantity, status };
  const subject = { entityId: entity.definition.id, orderId: id };
  transaction.record(event, "ORDER", id, { ...terms, ...details }, subject);
}
