import { describe, expect, test } from "bun:test";
import { BUY, SELL } from "../../../../engine/market/order-book.ts";
import { GuardedStrategy, runGuarded } from "../../../../sim/outside/strategies/guarded-strategy.ts";
import type { PersonaAction } from "../../../../sim/personas/persona.ts";
import {
  type ContractQuote,
  EMPTY_ACCOUNT,
  EMPTY_MARKET,
  Quotes,
  type Strategy,
  StrategyFault,
} from "../../../../sim/strategies/strategy.ts";
import { MarketListeners } from "../../../../sim/personas/market-listeners.ts";
import { contract, personaWith, view } from "../../personas/support.ts";

const MARKET = { ...EMPTY_MARKET, lowestPrice: 1, highestPrice: 9_000 };
const ACCOUNT = { ...EMPTY_ACCOUNT, buyQuantity: 5_000, sellQuantity: 5_000 };
const UNREPEATABLE = "would make the run unrepeatable";
const UPDATE = { side: BUY, price: 100, quantity: 1_000, isTrade: true };

const guarded = (quote: Strategy["quote"], observe?: Strategy["observe"]) => new GuardedStrategy({ quote, observe });

/** What a strategy throws when it is asked for quotes. */
function faultOf(quote: Strategy["quote"]): string {
  try {
    guarded(quote).quote(MARKET, ACCOUNT, new Quotes());
  } catch (error) {
    expect(error).toBeInstanceOf(StrategyFault);
    return (error as Error).message;
  }
  throw new Error("nothing was thrown");
}

describe("the code of a strategy file", () => {
  test("gives its quotes", () => {
    const quotes = new Quotes();
    guarded((market, account, wanted) => {
      wanted.set(BUY, market.lowestPrice, account.buyQuantity);
      wanted.set(SELL, market.highestPrice, account.sellQuantity);
    }).quote(MARKET, ACCOUNT, quotes);
    expect({ ...quotes }).toEqual({ bidPrice: 1, bidQuantity: 5_000, askPrice: 9_000, askQuantity: 5_000 });
  });

  test("can change neither the market nor the account that it is shown", () => {
    const market = { ...MARKET };
    const account = { ...ACCOUNT, related: { bestBid: 1, bestAsk: 2, fundamentalValue: 3, position: 4 } };
    const greedy = (shownMarket: object, shownAccount: { related?: object | null }) => {
      Object.assign(shownMarket, { highestPrice: 1e9 });
      Object.assign(shownAccount.related ?? {}, { position: 1e9 });
      Object.assign(shownAccount, { buyQuantity: 1e9, related: null });
    };
    const update = { ...UPDATE };
    const strategy = guarded(greedy, (shown, ...rest) => {
      Object.assign(shown, { price: 1e9 });
      greedy(...rest);
    });
    strategy.quote(market, account, new Quotes());
    strategy.observe?.(update, market, account);
    expect(market).toEqual(MARKET);
    expect(account).toEqual({ ...ACCOUNT, related: { bestBid: 1, bestAsk: 2, fundamentalValue: 3, position: 4 } });
    expect(update).toEqual(UPDATE);
    // It is shown the true market again.
    let seen = 0;
    const forgetful = guarded((shown, shownAccount) => {
      seen = shown.highestPrice;
      greedy(shown, shownAccount);
    });
    forgetful.quote(market, account, new Quotes());
    forgetful.quote(market, account, new Quotes());
    expect(seen).toBe(9_000);
  });

  test("is not shown what only built-in strategies use", () => {
    const physical = { quantity: 1_000, unitCost: 3_000 };
    let seen: unknown;
    guarded((_market, account) => void (seen = account.physical)).quote(MARKET, { ...ACCOUNT, physical }, new Quotes());
    expect(seen).toBeNull();
  });

  test("sees a copy of the asset, and all quotes while it quotes", () => {
    const asset = { kind: "plant" as const, name: "mine", output: 0, capacity: 50_000, unitCost: 2_000 };
    const account = { ...ACCOUNT, asset: { ...asset, planned: null, position: -1_000, stored: null } };
    const before = structuredClone(account);
    let later: () => readonly unknown[] = () => [1];
    let [during, capacity]: unknown[] = [];
    guarded((_market, shown, _quotes, allQuotes = () => []) => {
      [during, capacity] = [allQuotes().length, shown.asset?.capacity];
      Object.assign(shown.asset ?? {}, { capacity: 1 });
      later = allQuotes;
    }).quote(MARKET, account, new Quotes(), () => Array.from({ length: 3 }));
    expect([during, capacity, later()]).toEqual([3, 50_000, []]);
    expect(account).toEqual(before);
  });

  test.each([
    ["a text", "100"],
    ["a bigint", 100n],
    ["nothing", undefined],
    ["an object", { value: 100 }],
  ])("gives NaN for %s in place of a number", (_, value) => {
    const quotes = new Quotes();
    guarded((_market, _account, wanted) => Object.assign(wanted, { bidPrice: value, bidQuantity: value }))
      .quote(MARKET, ACCOUNT, quotes);
    expect(quotes.bidPrice).toBeNaN();
    expect(quotes.bidQuantity).toBeNaN();
  });

  test.each<[string, Strategy["quote"], string]>([
    ["throws an error", () => {
      throw new TypeError("no");
    }, "quote: TypeError: no"],
    ["throws something else", () => {
      throw "no";
    }, "quote: threw no"],
    ["recurses without end", function again(...given): void {
      again(...given);
    }, "quote: RangeError: "],
    [
      "returns a promise",
      () => Promise.reject(new Error("later")) as unknown as void,
      "quote: Error: returned a promise",
    ],
    ["throws when its quotes are read", (_market, _account, quotes) => {
      Object.defineProperty(quotes, "bidPrice", { get: () => quotes.askPrice.toFixed(-1) });
    }, "quote: RangeError: "],
    ["draws from Math.random", () => void Math.random(), `Math.random ${UNREPEATABLE}; use setup.random.next()`],
    ["reads Date.now", () => void Date.now(), `the clock ${UNREPEATABLE}; use market.time`],
    ["makes a Date of the present", () => void new Date().getTime(), `the clock ${UNREPEATABLE}; use market.time`],
    ["reads performance.now", () => void performance.now(), `the clock ${UNREPEATABLE}; use market.time`],
  ])("stops its persona if it %s", (_, quote, message) => {
    expect(faultOf(quote)).toContain(message);
  });

  test("may make dates of market time", () => {
    let text = "";
    guarded(({ time }) => void (text = new Date(time).toISOString())).quote(MARKET, ACCOUNT, new Quotes());
    expect(text).toBe("1970-01-01T00:00:00.000Z");
    expect(Date.now()).toBeGreaterThan(0);
    expect(Math.random()).toBeLessThan(1);
    expect(performance.now()).toBeGreaterThan(0);
  });

  test("is interrupted if it never returns", () => {
    const endless = () => {
      for (;;);
    };
    expect(() => runGuarded("quote", endless, 100)).toThrow(new StrategyFault("quote: did not return within 0.1 s"));
    expect(runGuarded("quote", () => 1)).toBe(1);
  });

  test("learns only if the strategy does", () => {
    expect(guarded(() => {}).observe).toBeUndefined();
    const strategy = guarded(() => {}, () => {
      throw new Error("no");
    });
    expect(() => strategy.observe?.(UPDATE, MARKET, ACCOUNT)).toThrow(new StrategyFault("observe: Error: no"));
  });
});

describe("a persona with the strategy of a file", () => {
  const traded = contract(0);
  const WANTS = { bidPrice: 3_900, bidQuantity: 2_000, askPrice: 4_100, askQuantity: 2_000 };
  const wanting = (wanted: Partial<Quotes>, observe?: Strategy["observe"]) =>
    guarded((_market, _account, quotes) => void Object.assign(quotes, wanted), observe);
  const accept = (persona: ReturnType<typeof personaWith>, actions: readonly PersonaAction[]) => {
    for (const { reference } of actions) persona.onAccepted(reference);
    return actions.map(({ kind }) => kind);
  };

  test.each<[string, Partial<Quotes>]>([
    ["prices that are not numbers", { bidPrice: NaN, bidQuantity: 1_000, askPrice: Infinity, askQuantity: 1_000 }],
    ["quantities that are not numbers", { bidPrice: 3_900, bidQuantity: NaN, askPrice: 4_100, askQuantity: -Infinity }],
    ["prices beyond its limits", { bidPrice: 1, bidQuantity: 1_000, askPrice: 400_000, askQuantity: 1_000 }],
    ["a bid above its ask", { bidPrice: 4_100, bidQuantity: 1_000, askPrice: 3_900, askQuantity: 1_000 }],
  ])("sends nothing for %s", (_, wanted) => {
    const persona = personaWith({ strategy: wanting(wanted) });
    expect(persona.act(view())).toEqual([]);
    expect(persona.fault).toBeNull();
  });

  test("sends no more than its limits allow", () => {
    const wanted = { ...WANTS, bidQuantity: Infinity, askQuantity: 1e12 };
    const persona = personaWith({ strategy: wanting(wanted) });
    const quantities = persona.act(view()).map((action) => action.kind === "submit" && action.quantity);
    expect(quantities).toEqual([10 * traded.lot, 10 * traded.lot]);
  });

  test("sees the quotes of all contracts that can be traded", () => {
    let seen: readonly ContractQuote[] = [];
    const strategy = guarded((_market, _account, _quotes, allQuotes = () => []) => void (seen = allQuotes()));
    const contracts = [traded, contract(1, { node: "WEST" })];
    const persona = personaWith({ strategy, contracts });
    const book = ({ index }: { index: number }) => ({ bestBid: index, bestAsk: 10 + index, lastPrice: null });
    persona.act(view({ book }));
    expect(seen).toMatchObject([
      { contract: { id: "C0", node: "NORTH" }, bestBid: 0, bestAsk: 10, fundamentalValue: 4_000, position: 0 },
      { contract: { id: "C1", node: "WEST" }, bestBid: 1, bestAsk: 11, lastPrice: null },
    ]);
  });

  test("withdraws its orders and trades nothing more after a fault", () => {
    let calls = 0;
    const strategy = guarded((_market, _account, quotes) => {
      if (++calls > 1) throw new Error("out of ideas");
      Object.assign(quotes, WANTS);
    });
    const persona = personaWith({ strategy });
    expect(accept(persona, persona.act(view()))).toEqual(["submit", "submit"]);
    const cancels = persona.act(view());
    expect(cancels.map(({ kind }) => kind)).toEqual(["cancel", "cancel"]);
    for (const { reference } of cancels) persona.onClosed(reference);
    expect(persona.fault).toBe("quote: Error: out of ideas");
    expect(persona.act(view())).toEqual([]);
    expect(calls).toBe(2);
  });

  test("stops after a fault while it learns", () => {
    const strategy = wanting(WANTS, () => {
      throw new Error("confused");
    });
    const listeners = new MarketListeners();
    const persona = personaWith({ strategy, contracts: [traded], listeners });
    expect(accept(persona, persona.act(view()))).toEqual(["submit", "submit"]);
    expect(listeners.isHeard(traded, false)).toBe(true);
    persona.onMarketUpdate({ ...UPDATE, contract: traded }, view());
    expect(persona.fault).toBe("observe: Error: confused");
    expect(listeners.isHeard(traded, false)).toBe(false);
    expect(persona.act(view()).map(({ kind }) => kind)).toEqual(["cancel", "cancel"]);
  });

  test("ends the run if a built-in strategy throws", () => {
    const quote = () => {
      throw new Error("a broken invariant");
    };
    const persona = personaWith({ strategy: { quote } });
    expect(() => persona.act(view())).toThrow("a broken invariant");
  });
});
