// The closed orders that an engine keeps: by user, oldest first.
//
// The users are in a heap, so the one with the most orders is at its top. If users have equally many, the one who has had
// orders here for the longest comes first.
//
// Cost: O(log users) to add and to take the oldest, O(orders) to remove those of contracts.

import { invariant } from "../market/invariant.ts";
import type { Order } from "./market-state.ts";
import { Queue } from "./queue.ts";

interface UserOrders {
  readonly user: number;
  /** Not empty, except while an order is added or taken. */
  readonly orders: Queue<Order>;
  /** Size of `orders`, kept here because the heap compares it often. */
  size: number;
  /** Grows with every user who gets a first order. A user without orders loses it. */
  readonly rank: number;
  /** Where it is in the heap. */
  at: number;
}

export class ClosedOrders {
  /** By the user's number. */
  readonly #byUser: (UserOrders | undefined)[] = [];
  /** None comes before its parent, at half of its place. */
  readonly #heap: UserOrders[] = [];
  #size = 0;
  #lastRank = 0;

  get size(): number {
    return this.#size;
  }

  add(order: Order): void {
    const { number } = order.user;
    const user = this.#byUser[number] ?? this.#enter(number);
    user.orders.push(order);
    user.size += 1;
    this.#size += 1;
    this.#rise(user);
  }

  /** Removes and returns the oldest order of the user who has the most; if users have equally many, of the first of them. */
  takeOldestOfBusiest(): Order {
    const busiest = this.#heap[0];
    const oldest = busiest?.orders.shift();
    invariant(busiest !== undefined && oldest !== undefined, "an order is taken only while any is closed");
    this.#size -= 1;
    busiest.size -= 1;
    this.#sink(busiest);
    if (busiest.size === 0) this.#leave(busiest);
    return oldest;
  }

  /** Removes the orders of these contracts and returns them: user by user, each oldest first. */
  removeOf(contractIds: ReadonlySet<string>): Order[] {
    const users = this.#byRank();
    const removed = users.flatMap(({ orders }) => orders.removeAll(({ contract }) => contractIds.has(contract.id)));
    this.#size -= removed.length;
    this.#heap.length = 0;
    for (const user of users) {
      user.size = user.orders.size;
      if (user.size === 0) this.#byUser[user.user] = undefined;
      else this.#insert(user);
    }
    return removed;
  }

  /** User by user, each oldest first. */
  *[Symbol.iterator](): Generator<Order, void, undefined> {
    for (const { orders } of this.#byRank()) yield* orders;
  }

  #byRank(): UserOrders[] {
    return this.#heap.toSorted((one, other) => one.rank - other.rank);
  }

  #enter(number: number): UserOrders {
    const user: UserOrders = { user: number, orders: new Queue(), size: 0, rank: ++this.#lastRank, at: 0 };
    // Without gaps, so the array stays a plain one.
    while (this.#byUser.length <= number) this.#byUser.push(undefined);
    this.#byUser[number] = user;
    this.#insert(user);
    return user;
  }

  #insert(user: UserOrders): void {
    user.at = this.#heap.push(user) - 1;
    this.#rise(user);
  }

  /** Removes a user without orders. All others have some, so the user has no child in the heap. */
  #leave(user: UserOrders): void {
    this.#byUser[user.user] = undefined;
    const last = this.#heap.pop();
    if (last === undefined || last === user) return;
    this.#place(last, user.at);
    this.#rise(last);
  }

  /** Moves a user towards the top until its parent comes before it. */
  #rise(user: UserOrders): void {
    while (user.at > 0) {
      const at = (user.at - 1) >> 1;
      const parent = this.#heap[at];
      if (parent === undefined || isBefore(parent, user)) return;
      this.#place(parent, user.at);
      this.#place(user, at);
    }
  }

  /** Moves a user away from the top until it comes before its children. */
  #sink(user: UserOrders): void {
    for (;;) {
      const left = this.#heap[2 * user.at + 1];
      const right = this.#heap[2 * user.at + 2];
      const child = left !== undefined && right !== undefined && isBefore(right, left) ? right : left;
      if (child === undefined || isBefore(user, child)) return;
      const { at } = child;
      this.#place(child, user.at);
      this.#place(user, at);
    }
  }

  #place(user: UserOrders, at: number): void {
    this.#heap[at] = user;
    user.at = at;
  }
}

function isBefore(one: UserOrders, other: UserOrders): boolean {
  const more = one.size - other.size;
  return more === 0 ? one.rank < other.rank : more > 0;
}
