// How a persona withdraws orders: while losses stop it, and in contracts that are no longer traded. And which answers of the
// market make it wait.

import { describe, expect, test } from "bun:test";
import { MarketListeners } from "../../../sim/personas/market-listeners.ts";
import type { PersonaAction } from "../../../sim/personas/persona.ts";
import type { StrategyPersona } from "../../../sim/personas/strategy-persona.ts";
import type { TradedContract } from "../../../sim/personas/traded-contract.ts";
import { always, contract, HOUR, personaWith, START, view } from "./support.ts";

const MINUTE = HOUR / 60;

/** Contracts of one product each, in all of which the persona has a bid, and the references of the bids. */
function bidder(contracts: readonly TradedContract[], setup: Parameters<typeof personaWith>[0] = {}) {
  const persona = personaWith({ contracts, strategy: always(3_900, 1_000, 0, 0), ...setup });
  const bids = new Map<number, number>();
  for (let time = START; bids.size < contracts.length; time += 1) {
    for (const action of persona.act(view({ time }))) {
      if (action.kind !== "submit") throw new Error("only bids");
      bids.set(action.contract.index, action.reference);
      persona.onAccepted(action.reference);
    }
  }
  return { persona, bids };
}

const cancelled = (actions: readonly PersonaAction[]) =>
  actions.map(({ kind, reference }) => {
    expect(kind).toBe("cancel");
    return reference;
  });

function confirm(persona: StrategyPersona, references: readonly number[]): void {
  for (const reference of references) {
    persona.onAccepted(reference);
    persona.onClosed(reference);
  }
}

describe("a persona that losses stop", () => {
  test("withdraws eight orders at each wake-up until none is left, and each once", () => {
    const contracts = Array.from({ length: 20 }, (_, index) => contract(index));
    const { persona, bids } = bidder(contracts, { lossLimit: 1 });
    persona.onFill(bids.get(0)!, 3_900, 500);
    const lost = (time: number) => view({ time, book: () => ({ bestBid: 900, bestAsk: 1_100, lastPrice: null }) });
    const times = [1, 2, 3, 4].map((hour) => START + hour * HOUR);
    const withdrawn = times.map((time) => cancelled(persona.act(lost(time))));
    expect(withdrawn.map(({ length }) => length)).toEqual([8, 8, 4, 0]);
    expect(withdrawn.flat().toSorted((a, b) => a - b)).toEqual([...bids.values()].toSorted((a, b) => a - b));
  });

  test("withdraws orders of a closed market only when it is open again", () => {
    const contracts = [contract(0, { marketId: "OPEN" }), contract(1, { marketId: "CLOSED" })];
    const { persona, bids } = bidder(contracts, { lossLimit: 1 });
    persona.onFill(bids.get(0)!, 3_900, 500);
    const lost = (time: number, isOpen: (each: TradedContract) => boolean) =>
      view({ time, isOpen, book: () => ({ bestBid: 900, bestAsk: 1_100, lastPrice: null }) });
    const first = persona.act(lost(START + HOUR, ({ marketId }) => marketId === "OPEN"));
    expect(cancelled(first)).toEqual([bids.get(0)!]);
    expect(cancelled(persona.act(lost(START + 2 * HOUR, () => true)))).toEqual([bids.get(1)!]);
  });
});

describe("an order in a contract that is no longer traded", () => {
  const gate = START + 24 * HOUR - 5 * MINUTE;
  const hours = [0, 1].map((index) => contract(index, { type: "hour", marketId: index === 0 ? "CLOSED" : "OPEN" }));

  test("is withdrawn when its market opens again, and those of other markets at once", () => {
    const { persona, bids } = bidder(hours);
    const onlyOpen = view({ time: gate, isOpen: ({ marketId }) => marketId === "OPEN" });
    confirm(persona, cancelled(persona.act(onlyOpen)));
    expect(persona.workingOrders).toBe(1);
    expect(persona.act(onlyOpen)).toEqual([]);
    expect(cancelled(persona.act(view({ time: gate + MINUTE })))).toEqual([bids.get(0)!]);
  });

  test("is withdrawn after the answer that it waits for, and again if that was refused", () => {
    const [only] = hours as [TradedContract];
    const { persona, bids } = bidder([only]);
    const bid = bids.get(0)!;
    expect(cancelled(persona.act(view({ time: gate })))).toEqual([bid]);
    expect(persona.act(view({ time: gate + 1 }))).toEqual([]);
    persona.onRefused(bid, "cancel", "not_cancellable");
    expect(cancelled(persona.act(view({ time: gate + 2 })))).toEqual([bid]);
  });
});

describe("after a refusal", () => {
  test.each(["not_cancellable", "not_modifiable"])(
    "that only says that the order has ended, it trades on: %s",
    (code) => {
      const contracts = [contract(0), contract(1)];
      const { persona, bids } = bidder(contracts);
      persona.onRefused(bids.get(0)!, "cancel", code);
      persona.onClosed(bids.get(0)!);
      const times = Array.from({ length: 50 }, (_, at) => START + 100 + at);
      const sent = times.flatMap((time) => persona.act(view({ time })));
      expect(sent.map((action) => action.kind === "submit" && action.contract.index)).toEqual([0]);
    },
  );

  test.each(["contract_expired", "invalid_price", "invalid_quantity", "not_found"])(
    "of one contract its wait there grows, and is the shortest again after an accepted order there: %s",
    (code) => {
      const persona = personaWith({ strategy: always(3_900, 1_000, 0, 0) });
      const refusedAt = (time: number, isRefused = true) => {
        const [action] = persona.act(view({ time: START + time }));
        if (action === undefined) return false;
        if (isRefused) persona.onRefused(action.reference, action.kind, code);
        else confirm(persona, [action.reference]);
        return true;
      };
      expect([refusedAt(0), refusedAt(9_999), refusedAt(10_000), refusedAt(29_999)]).toEqual([
        true,
        false,
        true,
        false,
      ]);
      expect([refusedAt(30_000, false), refusedAt(30_001), refusedAt(40_000), refusedAt(40_001)])
        .toEqual([true, true, false, true]);
    },
  );
});

describe("a persona whose contract goes to delivery", () => {
  test("is no longer told of its market", () => {
    const listeners = new MarketListeners();
    const strategy = { quote: () => {}, observe: () => {} };
    const [one, other] = [contract(0), contract(1)];
    const persona = personaWith({ contracts: [one, other], strategy, listeners });
    for (let time = START; !listeners.isHeard(one, true) || !listeners.isHeard(other, true); time += 1) {
      persona.act(view({ time }));
    }
    persona.onDelivery(one);
    expect([true, false].map((isTrade) => listeners.isHeard(one, isTrade))).toEqual([false, false]);
    expect([true, false].map((isTrade) => listeners.isHeard(other, isTrade))).toEqual([true, true]);
  });
});
