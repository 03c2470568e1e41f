// order.submit, order.modify, order.cancel.
//
// The ladder: user's permission and entity, existence, whose order it is, then state. A submission that is refused is no
// ORDER, and leaves what refused-orders.ts says. A refused change or cancel leaves nothing.
//
// A change that only lowers the quantity keeps the order's place. Any other counts as arriving now: it is matched, or,
// where matching pauses, held behind all others. `quantity` is the whole ordered quantity, so it must exceed what is filled.

import type { ActionPayload } from "../../../protocol/index.ts";
import { kilowattsOf, megawattsOf } from "../../market/units.ts";
import { type ContractState, marketStatusOf, type Order, required, type UserState } from "../state/engine-state.ts";
import { checkOpenOrders, type OpenOrderLimits } from "./open-order-limits.ts";
import { acceptOrder, closeOrder, requeueOrder, shrinkOrder, type Submission } from "../trading/order-lifecycle.ts";
import { checkBounds, keptBound } from "../trading/order-bounds.ts";
import { done, lacking, type Outcome, rejected, type Rejection, unknown } from "../api/outcome.ts";
import { isoTime, orderModule } from "../modules/snapshot.ts";
import { leaveRefusal } from "./refused-orders.ts";
import type { Transaction } from "../transaction/transaction.ts";

/** What a submission needs beside user and payload. */
interface SubmitContext {
  readonly operationId: string;
  readonly limits: OpenOrderLimits;
}

type SubmitPayload = ActionPayload<"order.submit">;

export function submitOrder(
  transaction: Transaction,
  user: UserState,
  payload: SubmitPayload,
  { operationId, limits }: SubmitContext,
): Outcome {
  const clientOrderId = payload.clientOrderId ?? operationId;
  const submission = checkSubmission(transaction, user, payload, clientOrderId, limits);
  if ("code" in submission) {
    leaveRefusal(transaction, user, payload, clientOrderId, submission);
    return submission;
  }
  const order = acceptOrder(transaction, submission);
  return done({ order: orderModule(order) });
}

export function modifyOrder(
  transaction: Transaction,
  user: UserState,
  payload: ActionPayload<"order.modify">,
): Outcome {
  const refusal = lacking(user, "Order.Submit");
  if (refusal !== null) return refusal;
  const order = transaction.state.orders.get(payload.orderId);
  if (order === undefined) return absent(transaction, payload.orderId, "not_modifiable");
  if (order.entity.definition.id !== user.entityId) return notYours(order);
  if (payload.price === undefined && payload.quantity === undefined) {
    return rejected("invalid_payload", "Give a new price, a new quantity, or both.");
  }
  if (order.closeReason !== null) {
    return rejected("not_modifiable", `Order ${order.id} is ${order.status}.`, { order: orderModule(order) });
  }
  if (marketStatusOf(order.contract.market) === "closed") return closed(order.contract);
  const price = payload.price ?? order.price;
  const quantity = payload.quantity === undefined ? order.quantity : kilowattsOf(payload.quantity);
  const terms = checkTerms(order.contract, price, quantity);
  if ("code" in terms) return terms;
  if (terms.quantity <= order.filledQuantity) {
    const filled = megawattsOf(order.filledQuantity);
    return rejected("invalid_quantity", `${filled} MW of order ${order.id} are filled: give more, or cancel the rest.`);
  }

  const isUnchanged = price === order.price && terms.quantity === order.quantity;
  const isLowered = price === order.price && terms.quantity < order.quantity;
  const passed = isUnchanged || isLowered
    ? null
    : checkBounds(transaction.state, { ...order, ...terms }, payload.bounds, order);
  if (passed !== null) return passed;

  const previous = { previousPrice: order.price, previousQuantity: megawattsOf(order.quantity) };
  if (isLowered) shrinkOrder(transaction, order, terms.quantity, previous);
  else if (!isUnchanged) {
    requeueOrder(transaction, order, { ...terms, maxNotional: keptBound(payload.bounds, order) }, previous);
  }
  return done({ order: orderModule(order) });
}

export function cancelOrder(
  transaction: Transaction,
  user: UserState,
  { orderId }: ActionPayload<"order.cancel">,
): Outcome {
  const mayOperate = user.permissions.has("Market.Operate");
  const refusal = mayOperate ? null : lacking(user, "Order.Submit");
  if (refusal !== null) return refusal;
  const order = transaction.state.orders.get(orderId);
  if (order === undefined) return absent(transaction, orderId, "not_cancellable");
  if (!mayOperate && order.entity.definition.id !== user.entityId) return notYours(order);
  if (order.closeReason !== null) {
    return rejected("not_cancellable", `Order ${order.id} is ${order.status}.`, { order: orderModule(order) });
  }

  closeOrder(transaction, order, "cancelled");
  return done({ order: orderModule(order) });
}

function checkSubmission(
  transaction: Transaction,
  user: UserState,
  payload: SubmitPayload,
  clientOrderId: string,
  limits: OpenOrderLimits,
): Submission | Rejection {
  const refusal = lacking(user, "Order.Submit");
  if (refusal !== null) return refusal;
  if (user.entityId === null) return rejected("no_entity", `User ${user.id} belongs to no entity and can't trade.`);
  const contract = transaction.state.contracts.get(payload.contractId);
  if (contract === undefined) return unknown("contract", payload.contractId);
  const terms = checkTerms(contract, payload.price, kilowattsOf(payload.quantity));
  if ("code" in terms) return terms;
  if (contract.expired) {
    return rejected("contract_expired", `Delivery of ${contract.id} began at ${isoTime(contract.deliveryStart)}.`);
  }
  if (marketStatusOf(contract.market) === "closed") return closed(contract);
  const submission: Submission = {
    clientOrderId,
    contract,
    entity: required(transaction.state.entities.get(user.entityId), "entity"),
    userId: user.id,
    side: payload.side,
    price: terms.price,
    quantity: terms.quantity,
    timeInForce: payload.timeInForce,
    maxNotional: keptBound(payload.bounds, null),
  };
  return checkOpenOrders(transaction.state, limits, contract, user.id) ??
    checkBounds(transaction.state, submission, payload.bounds, null) ?? submission;
}

/** Price and kW as the contract takes them; `quantity` null: not a whole number of kW. */
function checkTerms(
  { id, lot, product }: ContractState,
  price: number,
  quantity: number | null,
): { price: number; quantity: number } | Rejection {
  if (quantity === null || quantity % lot !== 0) {
    const given = quantity === null ? "is no whole number of kW" : `is ${megawattsOf(quantity)} MW`;
    return rejected(
      "invalid_quantity",
      `The quantity ${given}; it must be a multiple of ${product.lot} MW, the lot of ${id}.`,
    );
  }
  const { tick, minimumPrice, maximumPrice } = product;
  if (price < minimumPrice || price > maximumPrice) {
    return rejected(
      "invalid_price",
      `The price is ${price} cents/MWh; ${id} takes prices from ${minimumPrice} to ${maximumPrice}.`,
    );
  }
  if (price % tick !== 0) {
    return rejected(
      "invalid_price",
      `The price is ${price} cents/MWh; it must be a multiple of ${tick} cents/MWh, the tick of ${id}.`,
    );
  }
  return { price, quantity };
}

/** `code`: for an order that was there, since one that is forgotten was closed before. */
function absent({ state }: Transaction, orderId: string, code: "not_modifiable" | "not_cancellable"): Rejection {
  const number = Number(/^ORD-([1-9]\d{0,14})$/.exec(orderId)?.[1] ?? Infinity);
  if (number > state.counters.order) return unknown("order", orderId);
  return rejected(code, `Order ${orderId} has been closed; its history is in the audit trail.`);
}

function notYours(order: Order): Rejection {
  return rejected("forbidden", `Order ${order.id} belongs to another entity.`);
}

function closed({ market }: ContractState): Rejection {
  const next = market.session === null ? "" : ` It takes orders from ${isoTime(market.session.preopen)}.`;
  return rejected("market_closed", `Market ${market.definition.id} is closed.${next}`);
}
