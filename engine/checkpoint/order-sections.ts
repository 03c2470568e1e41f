// The sections of a checkpoint for orders and trades, which are written as arrays, since there are many.

import { exactFrom } from "../market/exact-integer.ts";
import { BUY, type Side } from "../market/order-book.ts";
import { Order, type Trade } from "../state/market-state.ts";
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
    const { key, status, createdAt, userId, ...rest } = plain;
    const terms = {
      ...rest,
      contract: required(state.contractsByKey[contract], `contract ${contract}`),
      entity: required(state.parties[party], `entity ${party}`),
      user: required(state.users.get(userId), `user ${userId}`),
      maxNotional: maxNotional === null ? null : exactFrom(maxNotional),
    };
    const order = new Order(key, terms, status, createdAt);
    order.filledQuantity = rest.filledQuantity;
    order.filledValue = exactFrom(filledValue);
    order.filledNotional = exactFrom(filledNotional);
    order.priority = rest.priority;
    order.closeReason = rest.closeReason;
    order.updatedAt = rest.updatedAt;
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

// Where a trade is kept.
const IN_LIST = 1;
const IN_BUY_ORDER = 2;
const IN_SELL_ORDER = 4;

type SavedTrade = readonly [
  places: number,
  key: number,
  contract: number,
  price: number,
  quantity: number,
  time: number,
  aggressorSide: Side,
  buyOrder: number,
  sellOrder: number,
  buyer: number,
  seller: number,
  restingFill: number,
];

/** Each trade once, oldest first. */
export const TRADES: Section<SavedTrade> = {
  *write(state) {
    const places = new Map<Trade, number>();
    for (const trade of state.trades) places.set(trade, IN_LIST);
    for (const order of state.orders) {
      const place = order.side === BUY ? IN_BUY_ORDER : IN_SELL_ORDER;
      for (const trade of order.trades) places.set(trade, (places.get(trade) ?? 0) | place);
    }
    for (const [trade, place] of [...places].sort(([a], [b]) => a.key - b.key)) yield savedTrade(trade, place);
  },
  read({ orders, trades, contractsByKey, parties }, [places, ...saved]) {
    const [key, contract, price, quantity, time, aggressorSide, buyOrder, sellOrder, buyer, seller, restingFill] =
      saved;
    const trade: Trade = {
      key,
      contract: required(contractsByKey[contract], `contract ${contract}`),
      price,
      quantity,
      time,
      aggressorSide,
      buyOrder,
      sellOrder,
      buyer: required(parties[buyer], `entity ${buyer}`),
      seller: required(parties[seller], `entity ${seller}`),
      restingFill,
    };
    if ((places & IN_LIST) !== 0) trades.push(trade);
    if ((places & IN_BUY_ORDER) !== 0) required(orders.get(buyOrder), `order ${buyOrder}`).addTrade(trade);
    if ((places & IN_SELL_ORDER) !== 0) required(orders.get(sellOrder), `order ${sellOrder}`).addTrade(trade);
  },
};

function savedTrade(trade: Trade, places: number): SavedTrade {
  const { key, contract, price, quantity, time, aggressorSide, buyOrder, sellOrder, restingFill } = trade;
  const { buyer, seller } = trade;
  return [
    places,
    key,
    contract.key,
    price,
    quantity,
    time,
    aggressorSide,
    buyOrder,
    sellOrder,
    buyer.party,
    seller.party,
    restingFill,
  ];
}
