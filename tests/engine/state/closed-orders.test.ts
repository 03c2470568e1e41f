// Which closed orders an engine forgets, compared with the plain rule.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ClosedOrders } from "../../../engine/state/closed-orders.ts";
import type { Order } from "../../../engine/state/market-state.ts";
import { Queue } from "../../../engine/state/queue.ts";
import { size } from "../../support/sizes.ts";
import { weighted } from "../support/weighted-command.ts";

type Closed = Pick<Order, "key"> & {
  readonly user: { readonly number: number };
  readonly contract: { readonly id: string };
};

/** Of the user who has the most, the oldest; if users have equally many, of the one who has had some for the longest. */
class PlainRule {
  users: { number: number; orders: Closed[] }[] = [];

  add(order: Closed): void {
    const user = this.users.find(({ number }) => number === order.user.number);
    if (user === undefined) this.users.push({ number: order.user.number, orders: [order] });
    else user.orders.push(order);
  }

  take(): Closed | undefined {
    const most = Math.max(...this.users.map(({ orders }) => orders.length));
    const taken = this.users.find(({ orders }) => orders.length === most)?.orders.shift();
    this.#dropEmpty();
    return taken;
  }

  removeOf(contractIds: ReadonlySet<string>): Closed[] {
    const removed = this.all().filter(({ contract }) => contractIds.has(contract.id));
    for (const user of this.users) user.orders = user.orders.filter(({ contract }) => !contractIds.has(contract.id));
    this.#dropEmpty();
    return removed;
  }

  all(): Closed[] {
    return this.users.flatMap(({ orders }) => orders);
  }

  #dropEmpty(): void {
    this.users = this.users.filter(({ orders }) => orders.length > 0);
  }
}

// Many users, of whom some are drained to the last order: then the order of the others is that in which they came.
const steps = fc.array(
  fc.oneof(
    weighted(12, "add", { user: fc.nat(30), contract: fc.nat(3) }),
    weighted(2, "take", { count: fc.integer({ min: 1, max: 30 }) }),
    weighted(1, "remove", { contract: fc.nat(3) }),
  ),
  { maxLength: 300, size: "max" },
);

describe("closed orders", () => {
  test("are forgotten as the plain rule says", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const [closed, plain] = [new ClosedOrders(), new PlainRule()];
        for (const [key, step] of list.entries()) {
          if (step.kind === "add") {
            const order: Closed = { key, user: { number: step.user }, contract: { id: `C-${step.contract}` } };
            closed.add(order as Order);
            plain.add(order);
          } else if (step.kind === "take") {
            for (let count = 0; count < step.count && closed.size > 0; count++) {
              expect(closed.takeOldestOfBusiest() as Closed).toBe(plain.take()!);
            }
          } else {
            const contractIds = new Set([`C-${step.contract}`]);
            expect(closed.removeOf(contractIds) as Closed[]).toEqual(plain.removeOf(contractIds));
          }
          expect([...closed] as Closed[]).toEqual(plain.all());
          expect(closed.size).toBe(plain.all().length);
        }
      }),
      { numRuns: size(50, 20_000) },
    );
  });

  test("can't be taken if there are none", () => {
    expect(() => new ClosedOrders().takeOldestOfBusiest()).toThrow("only while any is closed");
  });
});

test("a queue gives its values in the order in which they were added, also after some were removed", () => {
  // Mostly taken, so the queue drops the places of those that are gone.
  const step = fc.oneof(
    { weight: 20, arbitrary: fc.constant("shift" as const) },
    { weight: 10, arbitrary: fc.constant("push" as const) },
    { weight: 1, arbitrary: fc.nat(9).map((fit) => ({ fit })) },
  );
  fc.assert(fc.property(fc.array(step, { maxLength: 400, size: "max" }), fc.nat(200), (list, first) => {
    const queue = new Queue<number>();
    let plain: number[] = [];
    const push = (value: number) => {
      queue.push(value);
      plain.push(value);
    };
    for (let value = 0; value < first; value++) push(value);
    for (const [at, step] of list.entries()) {
      if (step === "push") push(first + at);
      else if (step === "shift") expect(queue.shift()).toBe(plain.shift());
      else {
        const fits = (value: number) => value % 10 === step.fit;
        expect(queue.removeAll(fits)).toEqual(plain.filter(fits));
        plain = plain.filter((value) => !fits(value));
      }
      expect([queue.size, ...queue]).toEqual([plain.length, ...plain]);
    }
  }));
});
