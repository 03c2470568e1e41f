// How a persona's orders follow its quotes: submitted, reduced, replaced and cancelled.

import { describe, expect, test } from "bun:test";
import type { Strategy } from "../../../sim/strategies/strategy.ts";
import { always, contract, firstOrder, HOUR, personaWith, quotingPersona, START, view } from "./support.ts";

const later = (ms: number) => view({ time: START + ms });

/** A persona that quotes both sides, with quotes that the test changes. */
function changingPersona() {
  const quotes = { bid: [3_900, 5_000] as [number, number], ask: [4_100, 5_000] as [number, number] };
  const quote: Strategy["quote"] = (_market, _account, wanted) => {
    wanted.set(0, ...quotes.bid);
    wanted.set(1, ...quotes.ask);
  };
  return { ...quotingPersona({ quote }), quotes };
}

describe("a persona's orders", () => {
  test("follow its strategy's quotes: they are submitted, cancelled and replaced by new ones at another price", () => {
    const { persona, bid, ask, quotes } = changingPersona();
    expect(persona.act(later(1))).toEqual([]);
    quotes.bid = [3_950, 5_000];
    quotes.ask = [0, 0];
    const [, submit] = persona.act(later(2));
    expect(submit).toMatchObject({ kind: "submit", price: 3_950, quantity: 5_000 });
    for (const reference of [bid, ask]) {
      persona.onAccepted(reference);
      persona.onClosed(reference);
    }
    persona.onAccepted(submit!.reference);
    expect({ ...persona.counts }).toEqual({ orders: 3, changes: 0, cancels: 2, rejected: 0 });
    expect(persona.workingOrders).toBe(1);
    expect(persona.act(later(3))).toEqual([]);
  });

  test("that are replaced count until their cancel is confirmed, and are cancelled again after a refusal", () => {
    const { persona, bid, quotes } = changingPersona();
    quotes.bid = [3_950, 5_000];
    const [cancel, submit] = persona.act(later(1));
    expect(cancel).toEqual({ kind: "cancel", reference: bid });
    expect(persona.workingOrders).toBe(3);
    persona.onAccepted(submit!.reference);
    expect(persona.act(later(2))).toEqual([]);
    persona.onRefused(bid, "cancel", "not_open");
    expect(persona.act(later(HOUR))).toEqual([cancel!]);
    persona.onFill(bid, 3_900, 5_000);
    persona.onRefused(bid, "cancel", "not_cancellable");
    expect(persona.workingOrders).toBe(2);
    expect(persona.account.position(contract(0))).toBe(5_000);
  });

  test("are replaced one after the other if limits have no room for both", () => {
    const quotes = { price: 3_900 };
    const strategy: Strategy = { quote: (_market, _account, wanted) => wanted.set(0, quotes.price, 6_000) };
    const persona = personaWith({ strategy, limits: { contractPositionMw: 10 } });
    const { reference } = firstOrder(persona);
    persona.onAccepted(reference);
    quotes.price = 3_950;
    expect(persona.act(later(1))).toEqual([{ kind: "cancel", reference }]);
    expect(persona.act(later(2))).toEqual([]);
    persona.onAccepted(reference);
    persona.onClosed(reference);
    expect(persona.act(later(3))).toMatchObject([{ kind: "submit", price: 3_950, quantity: 6_000 }]);
  });

  test("keep time priority at the same price, and are only reduced", () => {
    const { persona, bid, quotes } = changingPersona();
    persona.onFill(bid, 3_900, 2_000);
    expect(persona.act(later(1))).toEqual([]);
    quotes.bid = [3_900, 1_000];
    expect(persona.act(later(2))).toEqual([{ kind: "modify", reference: bid, price: 3_900, quantity: 3_000 }]);
  });

  test("are unchanged while an answer is outstanding", () => {
    const persona = personaWith({ strategy: always(3_900, 5_000, 4_100, 5_000) });
    expect(persona.act(view())).toHaveLength(2);
    expect(persona.act(later(HOUR))).toEqual([]);
  });

  test("are not sent if bid and ask would cross each other", () => {
    expect(personaWith({ strategy: always(4_100, 5_000, 4_100, 5_000) }).act(view())).toEqual([]);
  });

  test("stay a tick behind a quote that they didn't match with", () => {
    const persona = personaWith({ strategy: always(4_050, 5_000, 0, 0) });
    const { reference } = firstOrder(persona);
    const facing = (ms: number, bestAsk: number) =>
      persona.act(view({ time: START + ms, book: () => ({ bestBid: 4_050, bestAsk, lastPrice: null }) }));
    persona.onAccepted(reference);
    const [, behind] = facing(1, 4_020);
    expect(behind).toMatchObject({ kind: "submit", price: 4_019 });
    persona.onAccepted(reference);
    persona.onClosed(reference);
    persona.onAccepted(behind!.reference);
    expect(facing(2, 4_020)).toEqual([]);
    expect(facing(3, 4_030)).toMatchObject([{ kind: "cancel" }, { price: 4_050 }]);
  });

  test("may be filled before they are answered, and count once", () => {
    const persona = personaWith({ strategy: always(3_900, 5_000, 0, 0) });
    const { reference } = firstOrder(persona);
    persona.onFill(reference, 3_900, 5_000);
    expect(persona.workingOrders).toBe(1);
    persona.onAccepted(reference);
    expect(persona.workingOrders).toBe(0);
    expect({ ...persona.counts }).toEqual({ orders: 1, changes: 0, cancels: 0, rejected: 0 });
    expect(persona.account.position(contract(0))).toBe(5_000);
  });

  test("are its own, or a fill throws", () => {
    expect(() => personaWith().onFill(1, 4_000, 1_000)).toThrow("fill of unknown order 1");
  });
});
