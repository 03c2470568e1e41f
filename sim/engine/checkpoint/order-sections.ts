// The sections of a checkpoint for orders, trades and fills. An order is written as an array, since there are many.

import type { ModuleData } from "../../../protocol/modules/registry.ts";
import { exactFrom } from "../../market/exact-integer.ts";
import { type Order, UNCHANGED } from "../state/market-state.ts";
import { orderIdOf } from "../state/order-table.ts";
import { required } from "../state/required.ts";
import type { Section } from "./section.ts";

/** The fields that are JSON values as they are, in the order in which they are written. */
const PLAIN_FIELDS = [
  "key",
  "clientOrderId",
  "userId",
  "side",
  "timeInForce",
  "createdAt",
  "price",
  "quantity",
  "filledQuantity",
  "priority",
  "status",
  "closeReason",
  "updatedAt",
] as const;
type PlainFields = Pick<Order, typeof PLAIN_FIELDS[number]>;

type SavedOrder = readonly [
  contract: number,
  party: number,
  filledValue: string,
  filledNotional: string,
  maxNotional: string | null,
  ...plain: PlainFields[keyof PlainFields][],
];

/** Closed orders first, in the order in which each user's were closed, then the open ones. */
export const ORDERS: Section<SavedOrder> = {
  *write({ closedOrders, openOrders }) {
    for (const order of closedOrders) yield savedOrder(order);
    for (const order of openOrders) yield savedOrder(order);
  },
  read(state, [contract, party, filledValue, filledNotional, maxNotional, ...values]) {
    const plain = Object.fromEntries(PLAIN_FIELDS.map((field, at) => [field, values[at]])) as unknown as PlainFields;
    const order: Order = {
      ...plain,
      id: orderIdOf(plain.key),
      contract: required(state.contractsByKey[contract], `contract ${contract}`),
      entity: required(state.parties[party], `entity ${party}`),
      filledValue: exactFrom(filledValue),
      filledNotional: exactFrom(filledNotional),
      maxNotional: maxNotional === null ? null : exactFrom(maxNotional),
      fillIds: [],
      changedIn: UNCHANGED,
      fixedText: "",
      text: "",
    };
    state.orders.add(order);
    if (order.closeReason === null) state.openOrders.add(order);
    else state.closedOrders.add(order);
  },
};

function savedOrder(order: Order): SavedOrder {
  const { contract, entity, filledValue, filledNotional, maxNotional } = order;
  return [
    contract.key,
    entity.party,
    String(filledValue),
    String(filledNotional),
    maxNotional === null ? null : String(maxNotional),
    ...PLAIN_FIELDS.map((field) => order[field]),
  ];
}

export const TRADES: Section<ModuleData<"TRADE">> = {
  write: ({ trades }) => trades,
  read({ trades }, trade) {
    trades.push(trade);
  },
};

export const FILLS: Section<ModuleData<"FILL">> = {
  write: ({ fills }) => fills.values(),
  read({ fills, orders }, fill) {
    fills.set(fill.id, fill);
    required(orders.withId(fill.orderId), `order ${fill.orderId}`).fillIds.push(fill.id);
  },
};
