// What personas are told, in which order, and what an observer sees, of each answer of the exchange.

import { describe, expect, test } from "bun:test";
import { PersonaTrading } from "../../../sim/headless/persona-trading.ts";
import type { PersonaAction } from "../../../sim/personas/persona.ts";

const C = { id: "C" };
const STATE = { book: {} };
const order = (key: number, more: object = {}) => ({
  key,
  contract: STATE,
  side: 0,
  price: 50,
  quantity: 9,
  filledQuantity: 0,
  ...more,
});

/** Two personas at an exchange that gives `answers`. */
function trading(answers: Record<string, unknown> = {}) {
  const log: string[] = [];
  const note = (...words: unknown[]) => void log.push(words.join(" "));
  const wanted: PersonaAction[][] = [[], []];
  const seen: object[] = [];
  const views: { readonly creditExhausted: boolean }[] = [];
  const personas = [0, 1].map((at) => ({
    id: `p${at}`,
    userId: `u${at}`,
    entityId: `e${at}`,
    act: (view: { creditExhausted: boolean; time: number; book: (of: object) => object }) => {
      views.push(view);
      seen.push({ exhausted: view.creditExhausted, time: view.time, book: view.book(C) });
      return wanted[at]!.splice(0);
    },
    nextDelayMs: (time: number) => time + at,
    assignmentOf: (reference: number) => `a${at}-${reference}`,
    onAccepted: (reference: number) => note(`p${at} accepted`, reference),
    onRefused: (reference: number, kind: string, code: string) => note(`p${at} refused`, reference, kind, code),
    onFill: (reference: number, price: number, quantity: number) => note(`p${at} fill`, reference, price, quantity),
    onClosed: (reference: number) => note(`p${at} closed`, reference),
  }));
  const book = { bestBid: 1, bestAsk: 2, lastPrice: 3 };
  const calls: unknown[][] = [];
  const exchange = {
    submit: (
      ...all: unknown[]
    ) => (calls.push(["submit", ...all]), Object.assign(book, { bestBid: 7 }), answers["submit"]),
    modify: (...all: unknown[]) => (calls.push(["modify", ...all]), answers["modify"]),
    cancel: (...all: unknown[]) => void calls.push(["cancel", ...all]),
    order: (key: number) => (answers["orders"] as Map<number, object>).get(key),
    isCreditExhausted: (entityId: string) => entityId === "e1",
    isOpen: (state: object) => state === STATE,
  };
  const made = new PersonaTrading({
    startTime: 10,
    exchange: exchange as never,
    contracts: { book: () => ({ ...book }), stateOf: () => STATE, contractOf: () => C } as never,
    population: {
      personas,
      forecasts: { best: () => 44 },
      metrics: { onTrade: (trade: object) => note("metric", JSON.stringify(trade)) },
      listeners: {
        isHeard: () => true,
        publish: (
          { price, quantity, isTrade, side }: Record<string, unknown>,
          view: { book: (of: object) => { bestBid: number } },
        ) => note(isTrade ? "trade" : "quote", side, price, quantity, "bid", view.book(C).bestBid),
      },
    } as never,
    observer: {
      onOrder: (_: number, action: string, { key }: { key: number }, __: object, { id }: { id: string }) =>
        note("order", action, key, id),
      onBook: () => note("book"),
      onTrade: (
        time: number,
        _: object,
        price: number,
        quantity: number,
        side: number,
        buyer: { id: string },
        seller: { id: string },
      ) => note("observed", time, price, quantity, side, buyer.id, seller.id),
    } as never,
  });
  const wake = (at: number, ...actions: object[]) => {
    wanted[at]!.push(...actions as PersonaAction[]);
    const delay = made.wake(at);
    return { delay, log: log.splice(0) };
  };
  return { made, wake, calls, seen, views, log, answers };
}

const submit = (reference: number, more: object = {}) => ({
  kind: "submit",
  reference,
  contract: C,
  side: 0,
  price: 50,
  quantity: 9,
  ...more,
});
const accepted = (of: object, trades: object[] = []) => ({ accepted: true, order: of, trades });

describe("a submitted order", () => {
  test("is a quote of what remains of it, on the book before it, and is then accepted", () => {
    const answers = { submit: accepted(order(1, { filledQuantity: 4 })) };
    const { wake, calls, seen, views } = trading(answers);
    expect(wake(0, submit(5))).toEqual({
      delay: 10,
      log: ["order submit 1 p0", "quote 0 50 5 bid 1", "book", "p0 accepted 5"],
    });
    expect(calls).toEqual([["submit", "u0", STATE, 0, 50, 9]]);
    expect(seen).toEqual([{ exhausted: false, time: 10, book: { bestBid: 1, bestAsk: 2, lastPrice: 3 } }]);
    wake(1);
    expect(seen[1]).toMatchObject({ exhausted: true, book: { bestBid: 7 } });
    // Between two wake-ups nobody acts.
    expect(views[0]!.creditExhausted).toBe(false);
  });

  test("that trades is told trade by trade: to all, to the metrics, to the resting order, then to the aggressor", () => {
    const { wake, answers } = trading({ submit: accepted(order(1)) });
    wake(0, submit(5));
    const [resting, aggressor] = [order(1, { filledQuantity: 9 }), order(2, { side: 1, filledQuantity: 9 })];
    answers["submit"] = accepted(aggressor, [
      { resting, aggressor, price: 50, quantity: 4 },
      { resting, aggressor, price: 50, quantity: 5 },
    ]);
    const each = (quantity: number) => [
      `trade 1 50 ${quantity} bid 7`,
      `metric {"price":50,"quantity":${quantity},"fundamental":44,"buyer":"a0-5","seller":"a1-8"}`,
      `observed 10 50 ${quantity} 1 p0 p1`,
      `p0 fill 5 50 ${quantity}`,
      `p1 fill 8 50 ${quantity}`,
    ];
    expect(wake(1, submit(8, { side: 1 })).log).toEqual([
      "order submit 2 p1",
      ...each(4),
      ...each(5),
      "book",
      "p1 accepted 8",
    ]);
    // Both are filled, so nobody owns them any more.
    expect(wake(0, { kind: "cancel", reference: 5 }).log).toEqual(["p0 refused 5 cancel not_found"]);
    expect(wake(1, { kind: "cancel", reference: 8 }).log).toEqual(["p1 refused 8 cancel not_found"]);
  });

  test("that is refused is told with its code, and is nobody's", () => {
    const { wake } = trading({ submit: { accepted: false, code: "no_credit" } });
    expect(wake(0, submit(5), { kind: "cancel", reference: 5 }).log).toEqual([
      "p0 refused 5 submit no_credit",
      "p0 refused 5 cancel not_found",
    ]);
  });
});

describe("an open order", () => {
  const opened = () => {
    const first = order(1, { filledQuantity: 3 });
    const parts = trading({
      submit: accepted(first),
      orders: new Map([[1, first]]),
      modify: accepted({ ...first, quantity: 8 }),
    });
    parts.wake(0, submit(5));
    parts.calls.length = 0;
    return { ...parts, first };
  };

  test("is changed by its key, as a quote of what remains then, and another persona can't change it", () => {
    const { wake, calls, first } = opened();
    const change = { kind: "modify", reference: 5, price: 51, quantity: 8 };
    expect(wake(1, change).log).toEqual(["p1 refused 5 modify not_found"]);
    expect(wake(0, change).log).toEqual(["order change 1 p0", "quote 0 50 5 bid 7", "book", "p0 accepted 5"]);
    expect(calls).toEqual([["modify", first, 51, 8]]);
  });

  test("is cancelled, accepted and closed, once", () => {
    const { wake, calls, first } = opened();
    const cancel = { kind: "cancel", reference: 5 };
    expect(wake(0, cancel).log).toEqual(["order cancel 1 p0", "book", "p0 accepted 5", "p0 closed 5"]);
    expect(calls).toEqual([["cancel", first]]);
    expect(wake(0, cancel).log).toEqual(["p0 refused 5 cancel not_found"]);
  });

  test("ends with its contract, and is nobody's then", () => {
    const { made, wake, log, first } = opened();
    made.expired([first] as never);
    expect(log.splice(0)).toEqual(["p0 closed 5", "book"]);
    expect(wake(0, { kind: "cancel", reference: 5 }).log).toEqual(["p0 refused 5 cancel not_found"]);
    expect(() => made.expired([first] as never)).toThrow("nobody owns order 1");
  });

  test("may trade without anybody's action, on the book as it is then, and stays open while something remains", () => {
    const { made, wake, log, answers, first } = opened();
    const other = order(2, { side: 1, filledQuantity: 1 });
    answers["submit"] = accepted(other);
    wake(1, submit(8, { side: 1 }));
    made.time = 99;
    made.matched([{ resting: first, aggressor: other, price: 50, quantity: 1 }] as never);
    expect(log.splice(0)).toEqual([
      "trade 1 50 1 bid 7",
      'metric {"price":50,"quantity":1,"fundamental":44,"buyer":"a0-5","seller":"a1-8"}',
      "observed 99 50 1 1 p0 p1",
      "p0 fill 5 50 1",
      "p1 fill 8 50 1",
      "book",
    ]);
    expect(wake(0, { kind: "cancel", reference: 5 }).log.at(-1)).toBe("p0 closed 5");
  });
});
