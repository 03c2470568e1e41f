// What a persona does at a wake-up with what its mandate and its strategy want, and what it tells them of fills and trades.

import { describe, expect, test } from "bun:test";
import { BUY } from "../../../engine/market/order-book.ts";
import { AssetMandate } from "../../../sim/personas/asset-mandate.ts";
import { Assignments } from "../../../sim/personas/assignments.ts";
import { EntityOrders } from "../../../sim/personas/entity-orders.ts";
import type { Mandate } from "../../../sim/personas/mandate.ts";
import { MarketListeners } from "../../../sim/personas/market-listeners.ts";
import type { TradedContract } from "../../../sim/personas/traded-contract.ts";
import type { Strategy } from "../../../sim/strategies/strategy.ts";
import { always, contract, personaWith, profileOf, START, view } from "./support.ts";

const ONLY = contract(0);

/** Goes through all contracts, with one MW for each side. */
function throughAll(contracts: readonly TradedContract[]): Mandate {
  const asset = { node: "NORTH", size: 1_000 } as never;
  return new AssetMandate({ profile: profileOf(contracts, ["NORTH"], 1), asset, halfSpread: 0.01 });
}

/** Forecasts grow by a cent each millisecond. */
function growingForecasts() {
  let now = NaN;
  return { advanceTo: (time: number) => void (now = time), of: () => 4_000 + now - START } as never;
}

describe("a persona", () => {
  test("acts in all contracts of its mandate until it has sent a thousand actions, and goes on at the next wake-up", () => {
    const contracts = Array.from({ length: 600 }, (_, index) => contract(index));
    const persona = personaWith({
      contracts,
      strategy: always(3_900, 1_000, 4_100, 1_000),
      mandate: throughAll(contracts),
      limits: { workingOrders: 2_000, totalPositionMw: 1_000 },
      forecasts: growingForecasts(),
    });
    expect([0, 1].map((after) => persona.act(view({ time: START + after })).length)).toEqual([1_000, 200]);
  });

  test("asks its strategy at the forecast of now, and has no quotes if it sets none", () => {
    const contracts = [ONLY, contract(1)];
    let asked = 0;
    const strategy: Strategy = {
      quote(_market, { fundamentalValue }, quotes) {
        if (asked++ === 0) quotes.set(0, fundamentalValue, 1_000);
      },
    };
    const persona = personaWith({
      ...{ contracts, strategy },
      mandate: throughAll(contracts),
      forecasts: growingForecasts(),
    });
    expect(persona.act(view({ time: START + 7 }))).toMatchObject([{ contract: ONLY, price: 4_007 }]);
    expect(asked).toBe(2);
  });

  test("passes on an error of its strategy that is no fault of a file", () => {
    const strategy = {
      quote: () => {
        throw new TypeError("broken");
      },
    };
    const persona = personaWith({ strategy });
    expect(() => persona.act(view())).toThrow("broken");
    expect(persona.fault).toBeNull();
  });

  test("has the surplus of the assignments that its fills are for, and its mandate learns from trades alone", () => {
    const assignment = new Assignments().issue(ONLY, START, BUY, 4_200, 5_000);
    const observed: unknown[] = [];
    let left = 0;
    const mandate: Mandate = {
      wake: () => void (left = 1),
      next: () => left-- > 0 ? ONLY : null,
      review: (_of, _situation, terms) => {
        Object.assign(terms, { limitPrice: 4_200, value: 4_000, buyQuantity: 5_000, assignment });
      },
      forget: () => {},
      observe: (update, time) => observed.push([update, time]),
    };
    const listeners = new MarketListeners();
    const persona = personaWith({ strategy: always(3_900, 5_000, 0, 0), mandate, listeners });
    const { reference } = persona.act(view())[0]!;
    persona.onAccepted(reference);
    persona.onFill(reference, 3_900, 1_000);
    expect(persona.economics.surplus).toBe(300 * 1_000 * ONLY.minutes);
    expect([true, false].map((isTrade) => listeners.isHeard(ONLY, isTrade))).toEqual([true, false]);
    const update = { contract: ONLY, side: BUY, price: 3_900, quantity: 1_000, isTrade: true };
    listeners.publish(update, view({ time: START + 9 }));
    expect(observed).toEqual([[update, START + 9]]);
  });

  test("tells a strategy that learns from trades only nothing of quotes", () => {
    const heard: boolean[] = [];
    const persona = personaWith({
      strategy: { quote() {}, observe: ({ isTrade }) => heard.push(isTrade), observesTradesOnly: true },
    });
    persona.act(view());
    for (const isTrade of [false, true]) {
      persona.onMarketUpdate({ contract: ONLY, side: BUY, price: 4_000, quantity: 1_000, isTrade }, view());
    }
    expect(heard).toEqual([true]);
  });

  test.each([["is in delivery", false], ["is removed before its delivery", true]])(
    "withdraws no order in a contract that %s, and its entity counts none there",
    (_what, isRemoved) => {
      const entityOrders = new EntityOrders();
      const persona = personaWith({ strategy: always(3_900, 1_000, 0, 0), entityOrders });
      persona.onAccepted(persona.act(view())[0]!.reference);
      expect(entityOrders.of(ONLY).bestWithout(BUY, null)).toBe(3_900);
      if (isRemoved) persona.onRemoved(ONLY, () => expect.unreachable());
      else persona.onDelivery(ONLY);
      expect(persona.act(view({ time: ONLY.deliveryStart }))).toEqual([]);
      expect(entityOrders.of(ONLY).bestWithout(BUY, null)).toBeNull();
    },
  );
});
