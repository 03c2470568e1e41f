// The snapshot cache: applying the engine's messages, and listing orders as in mkt_list_orders. The peer is one Map by
// id that is scanned. The peer writes faster because it keeps no order and no indexes; faster reads cost slower writes.
//
// Claim: the cost of listing with a filter depends on the matches, not on the cache.

import { deepStrictEqual } from "node:assert";
import { Snapshot } from "../core/market/snapshot.ts";
import type { ModuleData } from "../protocol/modules/registry.ts";
import type { StateMessage } from "../protocol/index.ts";
import { SeededRandom } from "../sim/random/seeded-random.ts";
import { cyclic, FEW, FEW_MATCH, isoTime, makeOrder, makeOrders, stateMessage, STRIDE } from "./market-data.ts";
import { type Case, type Prepare, SIZES, type Suite } from "./suite.ts";

type Order = ModuleData<"ORDER">;

interface Listing {
  readonly total: number;
  readonly orders: readonly Order[];
}

interface Filter {
  readonly entityId?: string;
  readonly status?: string;
  readonly limit: number;
  /** Only older orders than this one. */
  readonly after?: Order;
}

/** The common interface of the cache and its peer. */
interface OrderStore {
  replaceAll(messages: readonly StateMessage[]): void;
  apply(message: StateMessage): void;
  list(filter: Filter): Listing;
}

/** The cache, read as mkt_list_orders reads it. */
function snapshotStore(): OrderStore {
  const snapshot = new Snapshot();
  return {
    replaceAll: (messages) => snapshot.replaceAll(messages, isoTime(0)),
    apply: (message) => snapshot.apply(message, isoTime(0)),
    list: ({ limit, after, ...equals }) => {
      const { total, modules } = snapshot.find("ORDER", { equals, after: after && positionOf(after), limit });
      return { total, orders: modules };
    },
  };
}

function mapStore(): OrderStore {
  let orders = new Map<string, Order>();
  const apply = ({ statePath, state }: StateMessage) => {
    if (state === null) orders.delete(statePath.slice("/ORDER/".length));
    else orders.set(state.id, state as unknown as Order);
  };
  return {
    apply,
    replaceAll: (messages) => {
      orders = new Map();
      for (const message of messages) apply(message);
    },
    list: ({ entityId, status, after, limit }) => {
      const matches = [...orders.values()].filter((order) =>
        (entityId === undefined || order.entityId === entityId) && (status === undefined || order.status === status)
      );
      const end = after === undefined ? matches.length : matches.indexOf(after);
      return { total: matches.length, orders: matches.slice(Math.max(0, end - limit), end).reverse() };
    },
  };
}

function positionOf({ id, createdAt }: Order) {
  return { rank: Date.parse(createdAt), id };
}

function messagesOf(orders: readonly Order[]): StateMessage[] {
  return orders.map((order) => stateMessage("ORDER", order));
}

function checkListing(store: OrderStore, filter: Filter, expected: readonly Order[], total: number) {
  const listing = store.list(filter);
  deepStrictEqual(listing.orders, expected);
  deepStrictEqual(listing.total, total);
}

function isFewMatch({ entityId, status }: Order): boolean {
  return entityId === FEW_MATCH.entityId && status === FEW_MATCH.status;
}

const loading = (store: OrderStore): Prepare => (items) => {
  const orders = makeOrders(items);
  const messages = messagesOf(orders);
  return {
    run: () => store.replaceAll(messages),
    check: () => {
      store.replaceAll(messages);
      checkListing(store, { limit: 1 }, orders.slice(-1), items);
      checkListing(store, { ...FEW_MATCH, limit: 100 }, orders.filter(isFewMatch).reverse(), FEW);
    },
  };
};

/** More orders than are added in a run: a Map slows down if the same key returns again and again. */
const NEW_ORDERS = 9_973;

const comingAndGoing = (store: OrderStore): Prepare => (items) => {
  const orders = makeOrders(items);
  store.replaceAll(messagesOf(orders));
  const random = new SeededRandom(11);
  const coming = Array.from({ length: NEW_ORDERS }, (_, index) => {
    const order = makeOrder(items + index, { entityId: "entity-1", status: "working", random });
    return { order, message: stateMessage("ORDER", order) };
  });
  let turn = 0;
  const next = () => {
    const { order, message } = cyclic(coming, turn);
    turn += 1;
    return { order, message, going: { statePath: message.statePath, state: null } };
  };
  return {
    run: () => {
      const { message, going } = next();
      store.apply(message);
      store.apply(going);
    },
    check: () => {
      const { order, message, going } = next();
      store.apply(message);
      checkListing(store, { limit: 1 }, [order], items + 1);
      store.apply(going);
      checkListing(store, { limit: 1 }, orders.slice(-1), items);
    },
  };
};

/** Changes the status of every order, one in each run, then changes them back. */
const changing = (store: OrderStore): Prepare => (items) => {
  const orders = makeOrders(items);
  store.replaceAll(messagesOf(orders));
  const shuffled = orders.map((_, position) => cyclic(orders, STRIDE * position));
  const changed = shuffled.map((order): Order => ({ ...order, status: order.status === "held" ? "working" : "held" }));
  const messages = messagesOf([...changed, ...shuffled]);
  let applied = 0;
  const run = () => {
    store.apply(cyclic(messages, applied));
    applied += 1;
  };
  return {
    run,
    check: () => {
      run();
      const step = applied % messages.length;
      const present = shuffled.map((order, position) =>
        (step <= items ? position < step : position >= step - items) ? changed[position] ?? order : order
      );
      const matches = present.filter(isFewMatch).sort((a, b) => b.createdAt.localeCompare(a.createdAt));
      checkListing(store, { ...FEW_MATCH, limit: 100 }, matches.slice(0, 100), matches.length);
    },
  };
};

const listing = (store: OrderStore, filter: Filter): Prepare => (items) => {
  const orders = makeOrders(items);
  store.replaceAll(messagesOf(orders));
  const matches = orders.filter(({ entityId, status }) =>
    entityId === (filter.entityId ?? entityId) && status === (filter.status ?? status)
  ).reverse();
  return {
    run: () => store.list(filter),
    check: () => checkListing(store, filter, matches.slice(0, filter.limit), matches.length),
  };
};

/** A page in the middle of the list. */
const listingPage = (store: OrderStore): Prepare => (items) => {
  const orders = makeOrders(items);
  store.replaceAll(messagesOf(orders));
  const middle = items / 2;
  const filter: Filter = { after: orders[middle]!, limit: 100 };
  return {
    run: () => store.list(filter),
    check: () => checkListing(store, filter, orders.slice(middle - 100, middle).reverse(), items),
  };
};

function caseOf(name: string, prepare: (store: OrderStore) => Prepare, operations?: Case["operations"]): Case {
  return {
    name,
    operations,
    peerName: "Map by id, scanned",
    mkt: (items) => prepare(snapshotStore())(items),
    peer: (items) => prepare(mapStore())(items),
  };
}

export default {
  name: "snapshot",
  description: "Snapshot cache, by number of orders",
  sizes: SIZES,
  cases: [
    caseOf("load a whole snapshot, for each order", loading, (items) => items),
    caseOf("a new order, and its removal", comingAndGoing),
    caseOf("change an order's status", changing),
    caseOf(`list by entity and status (${FEW} match)`, (store) => listing(store, { ...FEW_MATCH, limit: 100 })),
    caseOf("list the newest 100 of one status", (store) => listing(store, { status: "working", limit: 100 })),
    caseOf("list the newest 100", (store) => listing(store, { limit: 100 })),
    caseOf("list the next 100 in the middle", listingPage),
  ],
} satisfies Suite;
