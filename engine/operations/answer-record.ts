// The record of an answer: what is needed to give the same answer again, byte for byte.
//
// Nearly all answers confirm an order, or say that it was closed before. Of these the record has the numbers from which the
// order's module follows: some 25 bytes, and the clientOrderId if that is not the operationId. Any other answer is kept as
// JSON text.

import type { CloseReason, OrderStatus } from "../../protocol/modules/registry.ts";
import { SELL } from "../../protocol/sides.ts";
import type { Answer } from "../api/market-engine.ts";
import { orderModule, type ShownOrder } from "../modules/order-modules.ts";
import type { Order } from "../state/market-state.ts";
import { type ClosedOrderCode, type OperationOutcome, rejectionOf } from "./operation-outcome.ts";
import type { OrderNames } from "./order-names.ts";
import { INTEGER_BYTES, type PackedBytes, type PackedReader, putInteger, unsigned } from "./packed-bytes.ts";

// Bits of the first byte of a record.
const IS_ORDER = 1;
const SELLS = 2;
const IS_DAY = 4;
/** The clientOrderId is the operationId. */
const HAS_ID_OF_OPERATION = 8;
/** The order was accepted by this operation. */
const IS_CREATED_NOW = 16;
const IS_UPDATED_NOW = 32;
const IS_FILLED = 64;
const FILLS_ARE_NEGATIVE = 128;

const STATUSES: readonly OrderStatus[] = ["working", "partial", "filled", "cancelled", "held"];
const CLOSE_REASONS: readonly (CloseReason | null)[] = [
  null,
  "filled",
  "cancelled",
  "expired",
  "flushed",
  "disconnected",
  "limit_exceeded",
];
const ORDER_STATES = STATUSES.length * CLOSE_REASONS.length;
const STATUS_NUMBERS = Object.fromEntries(STATUSES.map((status, number) => [status, number])) as Readonly<
  Record<OrderStatus, number>
>;
const CLOSE_REASON_NUMBERS = Object.fromEntries(
  CLOSE_REASONS.map((reason, number) => [reason, STATUSES.length * number]),
) as Readonly<Record<CloseReason, number>>;
/** Numbers of a record at most. */
const MOST_NUMBERS = 10;
/** What the answer says of the order: null confirms it. */
const REFUSALS: readonly (ClosedOrderCode | null)[] = [null, "not_cancellable", "not_modifiable"];

export class AnswerRecords {
  constructor(readonly names: OrderNames) {}

  /** `time`: of the answer, in milliseconds since the epoch. */
  write(
    bytes: PackedBytes,
    operationId: string,
    outcome: OperationOutcome | Omit<Answer, "operationId">,
    time: number,
  ) {
    if ("order" in outcome) {
      const { order } = outcome;
      const refusal = outcome.status === "rejected" ? outcome.code : null;
      // A larger value is a bigint, and does not fit.
      if (typeof order.filledValue === "number") return this.#writeOrder(bytes, operationId, order, refusal, time);
      return writeText(bytes, answerOf(order, refusal));
    }
    return writeText(bytes, outcome);
  }

  read(record: PackedReader, operationId: string, time: number): Answer {
    const bits = record.byte();
    if ((bits & IS_ORDER) === 0) return { operationId, ...JSON.parse(record.text()) };
    const states = record.byte();
    const order = this.#readOrder(record, bits, states, operationId, time);
    return { operationId, ...answerOf(order, REFUSALS[Math.floor(states / ORDER_STATES)] ?? null) };
  }

  #writeOrder(
    bytes: PackedBytes,
    operationId: string,
    order: Order,
    refusal: ClosedOrderCode | null,
    time: number,
  ): void {
    const bits = bitsOf(order, operationId, time);
    const { closeReason, price, filledQuantity } = order;
    const state = STATUS_NUMBERS[order.status] + (closeReason === null ? 0 : CLOSE_REASON_NUMBERS[closeReason]);
    // The place is kept in a variable: it costs less than a field of an object that each number changes.
    const record = bytes.begin(2 + MOST_NUMBERS * INTEGER_BYTES);
    let at = bytes.length;
    record[at++] = bits;
    record[at++] = state + (refusal === null ? 0 : ORDER_STATES * REFUSALS.indexOf(refusal));
    at = putInteger(record, at, order.key);
    at = putInteger(record, at, order.contract.serial);
    at = putInteger(record, at, this.names.numberOfEntity(order.entity));
    at = putInteger(record, at, this.names.numberOfUser(order.user));
    at = putInteger(record, at, unsigned(price));
    at = putInteger(record, at, order.quantity);
    if ((bits & IS_FILLED) !== 0) {
      at = putInteger(record, at, filledQuantity);
      at = putInteger(record, at, Math.abs(Number(order.filledValue)));
    }
    if ((bits & IS_CREATED_NOW) === 0) at = putInteger(record, at, unsigned(time - order.createdAt));
    if ((bits & IS_UPDATED_NOW) === 0) at = putInteger(record, at, unsigned(time - order.updatedAt));
    bytes.endAt(at);
    if ((bits & HAS_ID_OF_OPERATION) === 0) bytes.text(order.clientOrderId);
    this.names.useContract(order.contract, time);
  }

  /** Reads the values in the order in which `#writeOrder` writes them. */
  #readOrder(record: PackedReader, bits: number, states: number, operationId: string, time: number): ShownOrder {
    const id = `ORD-${record.integer()}`;
    const contract = this.names.contractOf(record.integer());
    const entity = { definition: { id: this.names.textOf(record.integer()) } };
    const userId = this.names.textOf(record.integer());
    const price = record.signedInteger();
    const quantity = record.integer();
    const isFilled = (bits & IS_FILLED) !== 0;
    const filledQuantity = isFilled ? record.integer() : 0;
    const filledValue = isFilled ? record.integer() : 0;
    const createdAt = (bits & IS_CREATED_NOW) === 0 ? time - record.signedInteger() : time;
    const updatedAt = (bits & IS_UPDATED_NOW) === 0 ? time - record.signedInteger() : time;
    return {
      id,
      clientOrderId: (bits & HAS_ID_OF_OPERATION) === 0 ? record.text() : operationId,
      contract,
      entity,
      userId,
      side: (bits & SELLS) === 0 ? 0 : 1,
      timeInForce: (bits & IS_DAY) === 0 ? "gtc" : "day",
      createdAt,
      price,
      quantity,
      filledQuantity,
      filledValue: (bits & FILLS_ARE_NEGATIVE) === 0 ? filledValue : -filledValue,
      status: STATUSES[states % STATUSES.length] ?? "working",
      closeReason: CLOSE_REASONS[Math.floor(states / STATUSES.length) % CLOSE_REASONS.length] ?? null,
      updatedAt,
    };
  }
}

function bitsOf(order: Order, operationId: string, time: number): number {
  return IS_ORDER |
    (order.side === SELL ? SELLS : 0) |
    (order.timeInForce === "day" ? IS_DAY : 0) |
    (order.clientOrderId === operationId ? HAS_ID_OF_OPERATION : 0) |
    (order.createdAt === time ? IS_CREATED_NOW : 0) |
    (order.updatedAt === time ? IS_UPDATED_NOW : 0) |
    (order.filledQuantity > 0 ? IS_FILLED : 0) |
    (order.filledValue < 0 ? FILLS_ARE_NEGATIVE : 0);
}

function answerOf(order: ShownOrder, refusal: ClosedOrderCode | null): Omit<Answer, "operationId"> {
  return refusal === null ? { status: "ok", result: { order: orderModule(order) } } : rejectionOf(refusal, order);
}

function writeText(bytes: PackedBytes, answer: Omit<Answer, "operationId">): void {
  bytes.byte(0);
  bytes.text(JSON.stringify(answer));
}
