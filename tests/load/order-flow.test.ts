import { describe, expect, test } from "bun:test";
import type { Outcome, TradedContract } from "../../load/operation.ts";
import { OrderFlow } from "../../load/order-flow.ts";
import { randomFrom } from "../../load/random.ts";

const PRICES = { minimumPrice: -100, maximumPrice: 10_000, referencePrice: 3_000 };
const CONTRACT: TradedContract = { id: "C-1", lot: 0.5, tick: 5, ...PRICES };

describe("the flow of a connection", () => {
  const submitOnly = { submit: 1, cancel: 0, modify: 0 };
  const confirmed = (id: string, isOpen = true, averagePrice: number | null = null): Outcome => (
    { kind: "confirmed", order: { id, isOpen, averagePrice } }
  );
  const flowOf = (mix = submitOnly) => new OrderFlow(mix, [CONTRACT], 2, randomFrom(1));

  test.each<[name: string, outcome: Outcome, isOpen: boolean]>([
    ["confirmed and open", confirmed("O-1"), true],
    ["confirmed and closed", confirmed("O-1", false), false],
    ["refused as closed", { kind: "refused", code: "not_cancellable" }, false],
    ["refused as unknown", { kind: "refused", code: "not_found" }, false],
    ["refused for another reason", { kind: "refused", code: "market_closed" }, true],
    ["without an answer", { kind: "unknown" }, true],
    ["not sent", { kind: "not_sent" }, true],
    ["failed", { kind: "failed", code: "internal" }, true],
  ])("an order is known to be open or not after a cancel that is %s", (_name, outcome, isOpen) => {
    const flow = flowOf();
    flow.settled(0, flow.next(0), confirmed("O-1"));
    expect(flow.nextCancel(1)).toBeNull();
    const cancel = flow.nextCancel(0)!;
    expect([cancel.operation, flow.openOrders]).toEqual([{ kind: "cancel", orderId: "O-1" }, 0]);
    flow.settled(0, cancel, outcome);
    expect(flow.openOrders).toBe(isOpen ? 1 : 0);
    if (isOpen) expect(flow.nextCancel(0)?.operation).toEqual({ kind: "cancel", orderId: "O-1" });
  });

  test.each<Outcome>([
    { kind: "refused", code: "x" },
    { kind: "unknown" },
    { kind: "failed", code: "x" },
    { kind: "not_sent" },
    confirmed("O", false),
  ])("a submit is no open order after %j", (outcome) => {
    const flow = flowOf();
    flow.settled(0, flow.next(0), outcome);
    expect(flow.openOrders).toBe(0);
  });

  test("cancels instead of submitting once it has a hundred open orders, and names each only once meanwhile", () => {
    const flow = flowOf();
    for (let number = 1; number <= 100; number++) {
      const sent = flow.next(0);
      expect(sent.operation.kind).toBe("submit");
      flow.settled(0, sent, confirmed(`O-${number}`));
    }
    const named = Array.from({ length: 2 }, () => flow.next(0).operation);
    expect(named.map(({ kind }) => kind)).toEqual(["cancel", "submit"]);
    const all = flowOf({ submit: 0, cancel: 1, modify: 1 });
    for (let number = 1; number <= 3; number++) all.settled(0, all.next(0), confirmed(`O-${number}`));
    expect(all.openOrders).toBe(1);
  });

  test("changes a price by one tick away from the reference, and follows an eighth of the way to a trade", () => {
    const flow = flowOf({ submit: 0, cancel: 0, modify: 1 });
    for (let number = 0; number < 20; number++) {
      const submit = flow.next(0);
      if (submit.operation.kind !== "submit") return expect.unreachable();
      const { price } = submit.operation;
      flow.settled(0, submit, confirmed(`O-${number}`));
      const modify = flow.next(0);
      expect(modify.operation).toEqual({
        kind: "modify",
        orderId: `O-${number}`,
        price: price + (price <= 3_000 ? -5 : 5),
      });
      flow.settled(0, modify, confirmed("", false));
    }
    const before = flow.next(0);
    flow.settled(0, before, confirmed("O", false, 3_800));
    const prices = Array.from({ length: 200 }, () => {
      const sent = flow.next(0);
      flow.settled(0, sent, { kind: "unknown" });
      return sent.operation.kind === "submit" ? sent.operation.price : NaN;
    });
    // 100 of the 800 cents, and ten ticks on both sides.
    expect([Math.min(...prices), Math.max(...prices)]).toEqual([3_050, 3_150]);
  });

  test("half of its orders cross the reference by up to two ticks, and half rest up to ten ticks away, on both sides", () => {
    const flow = flowOf();
    const ticks = [new Map<number, number>(), new Map<number, number>()] as const;
    for (let number = 0; number < 4_000; number++) {
      const { operation } = flow.next(0);
      if (operation.kind !== "submit") return expect.unreachable();
      // Above 0: a better price than the reference, for the other side.
      const through = (operation.price - 3_000) / 5 * (operation.side === 0 ? 1 : -1);
      const counts = ticks[operation.side]!;
      counts.set(through, (counts.get(through) ?? 0) + 1);
    }
    for (const counts of ticks) {
      expect([...counts.keys()].toSorted((one, other) => one - other)).toEqual([
        ...[-10, -9, -8, -7, -6, -5, -4, -3, -2, -1],
        ...[0, 1, 2],
      ]);
      const crossing = [0, 1, 2].reduce((sum, at) => sum + counts.get(at)!, 0);
      expect(crossing / 2_000).toBeWithin(0.4, 0.6);
    }
  });
});
