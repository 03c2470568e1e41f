// What the state of a market, a contract and an order says of itself.

import { describe, expect, test } from "bun:test";
import { SELL } from "../../../engine/market/order-book.ts";
import { PriceTimeBook } from "../../../engine/market/price-time-book.ts";
import {
  type ContractState,
  isMatching,
  type MarketState,
  marketStatusOf,
  openOrderCountOf,
  type Order,
  remainingOf,
  restInBook,
  scheduledStatusOf,
  textsOf,
} from "../../../engine/state/market-state.ts";

describe("a market", () => {
  const open = { status: "open" };
  const closed = { status: "closed" };
  test.each([
    [false, null, "open", "open", true],
    [false, open, "open", "open", true],
    [false, closed, "closed", "closed", false],
    [true, null, "halted", "open", false],
    [true, closed, "halted", "closed", false],
  ])("that is halted: %p, in the session %o, is %s, %s by its schedule, and matches: %p", (
    halted,
    session,
    status,
    scheduled,
    matches,
  ) => {
    const market = { halted, session } as unknown as MarketState;
    expect([marketStatusOf(market), scheduledStatusOf(market)] as string[]).toEqual([status, scheduled]);
    expect([false, true].map((expired) => isMatching({ expired, market }))).toEqual([matches, false]);
  });
});

describe("an order", () => {
  test("rests with what is not filled of it, and counts beside the held ones", () => {
    const book = new PriceTimeBook();
    const of = { book, heldOrders: new Set([1, 2, 3]), id: "C", bookId: "E", product: { code: "P", marketId: "M" } };
    const order = {
      contract: of,
      key: 9,
      side: SELL,
      price: 70,
      entity: { party: 4 },
      priority: 6,
      quantity: 10,
      filledQuantity: 3,
    };
    restInBook(order as unknown as Order);
    expect(remainingOf(order)).toBe(7);
    const slot = book.slotOf(9);
    expect([book.quantityOf(slot), book.sideOf(slot), book.priceOf(slot), book.partyOf(slot), book.priorityOf(slot)])
      .toEqual([7, SELL, 70, 4, 6]);
    const listed = { ...of, texts: null } as unknown as ContractState;
    expect(openOrderCountOf(listed)).toBe(4);
    const texts = textsOf(listed);
    expect(textsOf(listed)).toBe(texts);
    expect([
      texts.id,
      texts.ofOrder,
      texts.ofFill,
      texts.ofTrade,
      ...texts.ofAudit,
      texts.engineState,
      texts.bookChange,
    ])
      .toEqual([
        '"C"',
        ',"engineId":"E","contractId":"C","productCode":"P","marketId":"M","entityId":',
        '","engineId":"E","contractId":"C","productCode":"P","marketId":"M","entityId":',
        '","engineId":"E","contractId":"C","productCode":"P","marketId":"M","buyOrderId":"ORD-',
        '{"contractId":"C","side":0,"price":',
        '{"contractId":"C","side":1,"price":',
        '{"statePath":"/ENGINE/E","state":{"id":"E","contractId":"C","productCode":"P","marketId":"M","bids":',
        '{"contractId":"C","productCode":"P","engineId":"E","bids":',
      ]);
  });
});
