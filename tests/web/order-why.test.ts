// Why an open order doesn't trade: each reason, and what they say together.

import { describe, expect, test } from "bun:test";
import type { OrderBlock } from "../../protocol/index.ts";
import type { Level, Market } from "../../web/contract/market.ts";
import { type Why, type WhyGiven, whyNotTraded } from "../../web/dashboard/pages/order/why.ts";
import { MARKET } from "./support/market.ts";

const level = (price: number, volume: number, orderCount = 1): Level => ({ price, volume, orderCount });
/** A bid of 3 MW at 46.00, alone at its price; 5 MW are better, and the best ask is 0.75 away. */
const ORDER = {
  ...{ id: "O1", entityId: "CEDAR", side: "BUY", price: 4_600, remainingQuantity: 3, status: "working" },
  blockedBy: [],
} as const satisfies WhyGiven["order"];
const BOOK = { bids: [level(4_620, 5), level(4_600, 3)], asks: [level(4_675, 2), level(4_700, 4)] };
/** The same, with 6 MW of asks within the order's price. */
const CROSSED = { ...BOOK, asks: [level(4_580, 2), level(4_600, 4), level(4_700, 4)] };

type Given = Partial<Omit<WhyGiven, "order">> & { readonly order?: Partial<WhyGiven["order"]> };

function whyOf({ order, ...given }: Given = {}): Why {
  const viewer = { entityId: "CEDAR", permissions: [] };
  return whyNotTraded({ book: BOOK, market: MARKET, queue: null, viewer, ...given, order: { ...ORDER, ...order } });
}

const inState = (status: Market["status"], more: Partial<Market> = {}): Market => ({ ...MARKET, status, ...more });

function block(reason: string, more: Partial<OrderBlock> = {}): OrderBlock {
  return { counterpartyId: "ASH", reason, quantity: 6, contractId: "C", price: 4_580, ...more };
}

const figures = (why: Why) => why.figures.map(({ label, value, note }) => `${label}: ${value} (${note})`);

describe("an order at whose price nobody offers", () => {
  test("says how far the best price is, who goes before it, and what price would reach more", () => {
    const why = whyOf();
    expect(why.sentences).toEqual([
      "Nobody offers at its price: it is 0.75 $/MWh below the best ask, 2 MW at 46.75 $/MWh.",
      "5 MW go before it.",
    ]);
    expect(why.remedies).toEqual([
      "A higher price: at 46.75 $/MWh it reaches 2 MW, at 47.00 $/MWh all of its 3 MW, if documents and credit allow it. " +
      "A new price costs it its place in the queue.",
    ]);
    expect(figures(why)).toEqual([
      "To the best ask, $/MWh: 0.75 (ask 46.75, 2 MW)",
      "Ahead at better prices, MW: 5 (1 order)",
      "Ahead at its own price, MW: 0 (no other orders)",
    ]);
    expect([why.blocks, why.mayHaveMore, why.isReaching]).toEqual([[], false, false]);
  });

  test("that sells says the same of bids", () => {
    const why = whyOf({ order: { side: "SELL", price: 4_700 }, book: { ...BOOK, asks: [level(4_700, 4, 2)] } });
    expect(why.sentences).toEqual([
      "Nobody offers at its price: it is 0.80 $/MWh above the best bid, 5 MW at 46.20 $/MWh.",
      "Up to 1 MW at its own price go before it.",
    ]);
    expect(why.remedies[0]).toStartWith("A lower price: at 46.20 $/MWh it reaches 5 MW, if documents");
    expect(figures(why).slice(-1)).toEqual([
      "Ahead at its own price, MW: 0 to 1 (1 order; who came first, the book does not say)",
    ]);
  });

  test("in an empty book says that nobody is there, and names no price", () => {
    const why = whyOf({ book: { bids: [level(4_600, 3)], asks: [] } });
    expect(why.sentences).toEqual([
      "There are no sell orders in the book, so nobody can meet this buy order.",
      "It is first in the queue of its side.",
    ]);
    expect([why.remedies, figures(why)[0]]).toEqual([[], "To the best ask, $/MWh: – (no sell orders)"]);
  });

  test("has both parts of its queue, as far as they are known", () => {
    const own = (bids: readonly Level[]) => whyOf({ book: { ...BOOK, bids } });
    const both = own([level(4_620, 5), level(4_600, 8, 3)]);
    expect(both.sentences[1]).toBe("5 MW go before it, and up to 5 MW more at its own price.");
    const beyond = own(Array.from({ length: 10 }, (_, at) => level(4_700 - at, 2)));
    expect(beyond.sentences[1]).toBe("At least 20 MW at better prices go before it.");
    expect(figures(beyond).slice(-2)).toEqual([
      "Ahead at better prices, MW: at least 20 (the book shows 10 prices)",
      "Ahead at its own price, MW: unknown (the book does not show its price)",
    ]);
    const other = own([level(4_620, 5)]);
    expect([other.sentences.length, figures(other).at(-1)])
      .toEqual([1, "Ahead at its own price, MW: unknown (book and order are of different moments)"]);
  });

  test("without a book says that it is not known", () => {
    const why = whyOf({ book: undefined });
    expect([why.sentences, why.remedies]).toEqual([["What is in the book is not known yet."], []]);
    expect(figures(why)).toEqual(["To the best ask, $/MWh: – (the book is on its way)"]);
  });
});

describe("a market that does not match", () => {
  const next = { preopen: "2026-11-23T14:00:00.000Z", open: "2026-11-23T15:00:00.000Z" };

  test.each<[name: string, market: Market, sentence: string, remedy: string]>([
    [
      "halted",
      inState("open", { halted: true }),
      "The market Plains is halted, so nothing trades now.",
      "The market must be resumed. A user with Market.Operate does that, in control, on the page Operate.",
    ],
    [
      "in preopen",
      inState("preopen", next),
      "The market Plains is in preopen: it takes orders, and nothing trades yet.",
      "Orders are matched at Mon, Nov 23, 2026, 08:00:00 MST. Nothing needs to be done for that.",
    ],
    [
      "closed",
      inState("closed", next),
      "The market Plains is closed, so nothing trades now.",
      "Preopen begins at Mon, Nov 23, 2026, 07:00:00 MST. Nothing needs to be done for that.",
    ],
    [
      "closed, without a time",
      inState("closed"),
      "The market Plains is closed, so nothing trades now.",
      "Preopen begins with the next session. Nothing needs to be done for that.",
    ],
  ])("is the first reason: %s", (_name, market, sentence, remedy) => {
    const why = whyOf({ market });
    expect([why.sentences[0], why.remedies[0]]).toEqual([sentence, remedy]);
    expect(why.sentences.slice(1)).toEqual([
      "Nobody offers at its price: it is 0.75 $/MWh below the best ask, 2 MW at 46.75 $/MWh.",
    ]);
  });

  test("changes no order while it is closed, so no other price is named then", () => {
    const counts = [inState("halted"), inState("preopen"), inState("closed")].map((market) =>
      whyOf({ market }).remedies
    );
    expect(counts.map((remedies) => remedies.length)).toEqual([2, 2, 1]);
  });

  test("is resumed by the acting user, if that user may", () => {
    const viewer = { entityId: null, permissions: ["Market.Operate"] };
    expect(whyOf({ market: inState("halted"), viewer }).remedies[0]).toContain("You may do that, in control");
  });

  test("is said to be nothing of what is unknown", () => {
    expect(whyOf({ market: undefined }).sentences).toEqual(whyOf().sentences);
  });

  test("holds orders, each with its place, as far as the queue tells it", () => {
    const held = (queue: WhyGiven["queue"]) => {
      const why = whyOf({ order: { status: "held" }, market: inState("halted"), queue });
      expect(why.sentences[1]).toStartWith("The order is held: it goes into the book when orders are matched again");
      return figures(why).find((figure) => figure.startsWith("Place"));
    };
    const first = Array.from({ length: 100 }, (_, at) => `H${at}`);
    expect([
      held(null),
      held({ length: 3, orderIds: ["A", "O1", "B"] }),
      held({ length: 250, orderIds: first }),
      held({ length: 1, orderIds: ["A"] }),
    ]).toEqual([
      "Place among held orders: unknown (null)",
      "Place among held orders: 2 of 3 (null)",
      "Place among held orders: after the first 100 of 250 (null)",
      "Place among held orders: unknown (null)",
    ]);
  });

  test("puts a held order behind all that the book has at its price", () => {
    const why = whyOf({ order: { status: "held" }, market: inState("preopen") });
    expect(figures(why).slice(-1)).toEqual(["Ahead at its own price, MW: 3 (1 order)"]);
  });
});

describe("an order whose price reaches others", () => {
  const reaching = (blockedBy: WhyGiven["order"]["blockedBy"], given: Given = {}) =>
    whyOf({ book: CROSSED, ...given, order: { ...given.order, blockedBy } });
  const REACHES = "Its price reaches 6 MW of sell orders, from 45.80 $/MWh on";

  test("says what keeps it from trading with them, each subject once, and what lies beyond", () => {
    const why = reaching([block("entity_documents"), block("counterparty_documents"), block("entity_no_limit")]);
    expect(why.sentences).toEqual([
      `${REACHES}, but can't trade with them: documents are missing; a credit limit leaves too little.`,
    ]);
    expect(figures(why).slice(0, 2)).toEqual([
      "To the best ask, $/MWh: reached (ask 45.80, 2 MW)",
      "Reached by its price, MW: 6 (next 47.00, 4 MW)",
    ]);
    expect(why.remedies).toEqual([
      "A higher price: at 47.00 $/MWh it reaches further 4 MW, if documents and credit allow it. A new price costs it its " +
      "place in the queue.",
    ]);
    expect([why.isReaching, why.mayHaveMore]).toEqual([true, false]);
  });

  test("in a market that does not match has both reasons, and the market's only once", () => {
    const market = inState("halted");
    const why = reaching([block("market_halted", { counterpartyId: null }), block("self_trade")], { market });
    expect(why.sentences).toEqual([
      "The market Plains is halted, so nothing trades now.",
      `${REACHES}, and could not trade with them in an open market either: an entity does not trade with itself.`,
    ]);
    expect(why.blocks.map(({ counterpartyId }) => counterpartyId)).toEqual(["ASH"]);
    const some = [block("entity_no_limit", { quantity: 2 }), block("entity_documents", { quantity: 2 })];
    expect(reaching([...some, block("self_trade", { counterpartyId: "CEDAR", quantity: 1 })], { market }).sentences[1])
      .toStartWith(`${REACHES}, and could not trade with 3 MW of them in an open market either: a credit limit`);
    expect(reaching([block("market_halted", { counterpartyId: null })], { market }).sentences[1])
      .toBe(`${REACHES}. Nothing that you may see keeps them from trading once orders are matched.`);
  });

  test("says that the reason is unknown, if the market can't say it or was not asked since", () => {
    expect(reaching(null).sentences)
      .toEqual([`${REACHES}. The market does not say why they don't trade; the page asks again.`]);
    expect(reaching([]).sentences).toEqual([`${REACHES}. Why they don't trade is not known yet; the page asks again.`]);
  });

  test("believes the reasons before the book has come, or if it shows something else", () => {
    for (const book of [undefined, BOOK]) {
      expect(reaching([block("documents_or_credit", { counterpartyId: null })], { book }).sentences[0])
        .toBe("Its price reaches sell orders, but can't trade with them: documents or credit do not allow it.");
    }
  });

  test("says that there may be more, if a list is full or the book ends before its price", () => {
    const many = Array.from({ length: 20 }, (_, at) => block("entity_no_limit", { counterpartyId: `E${at}` }));
    const long = Array.from({ length: 30 }, () => block("entity_no_limit"));
    const ten = { ...BOOK, asks: Array.from({ length: 10 }, (_, at) => level(4_500 + at, 1)) };
    const whys = [
      reaching(many),
      reaching(many.slice(1)),
      reaching(long),
      reaching(long.slice(1)),
      reaching(long.slice(1), { book: ten }),
    ];
    expect(whys.map(({ mayHaveMore }) => mayHaveMore)).toEqual([true, false, true, false, true]);
    expect(figures(whys[4]!)[1]).toBe("Reached by its price, MW: at least 10 (the book shows 10 prices)");
  });
});
