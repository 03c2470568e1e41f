// What a page reads about a contract: it belongs to what is shown now, whatever was shown before.

import { afterAll, describe, expect, test } from "bun:test";
import type { OrderStatus } from "../../../protocol/modules/registry.ts";
import { Refusal, settle } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { following } from "../support/hook.ts";
import { BOOK, EMPTY, hour, NOON } from "../support/market.ts";
import { update } from "../updates.ts";

const { answers, applyUpdates, inState, later, sent } = await openDashboard();
const { useBook } = await import("../../../web/dashboard/live/book.ts");
const { useContractFacts } = await import("../../../web/dashboard/live/contract-facts.ts");
const { useOwnOrders } = await import("../../../web/dashboard/live/own-orders.ts");
const { useTrades } = await import("../../../web/dashboard/live/trade-feed.ts");
const { startStream, stopStream } = await import("../../../web/dashboard/live/stream.ts");

type Given = Readonly<Record<string, unknown>>;

/** Reads of a tool wait for their answers. */
function waiting(tool: string) {
  const asked: { readonly given: Given; readonly answer: (result: unknown) => Promise<void> }[] = [];
  answers[tool] = (given: Given) => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    asked.push({ given, answer: (result) => settle(() => resolve(result)) });
    return promise;
  };
  return asked;
}

const fails = (code: string, status = 403) => () => {
  throw new Refusal(status, { code, message: "No." });
};
const event = (sequence: number, category: "order" | "fill", type: string, data: Given) => (
  { sequence, category, type, time: NOON, data }
);

describe("the book of a contract", () => {
  const opened: string[][] = [];
  globalThis.EventSource = class {
    constructor(address: string) {
      opened.push(new URL(address, "http://host").searchParams.getAll("contract"));
    }
    close() {}
  } as unknown as typeof EventSource;
  afterAll(() => void Reflect.deleteProperty(globalThis, "EventSource"));

  test("is asked for and shown as long as its contract is shown", async () => {
    inState({ contact: { state: "off" } });
    startStream("key", () => {});
    const page = await following((id: string) => useBook(id)?.contractId, "N-6");
    await settle(() => applyUpdates([update({ books: [BOOK] })]));
    expect(page.text()).toBe('"N-6"');
    await page.go("N-7");
    expect(page.text()).toBe("nothing");
    await settle(() => applyUpdates([update({ books: [{ ...BOOK, contractId: "N-7" }] })]));
    expect(page.text()).toBe('"N-7"');
    await page.leave();
    stopStream();
    expect(opened).toEqual([[], ["N-6"], ["N-7"]]);
  });
});

describe("the facts of a contract", () => {
  const facts = (id: string) => ({ modules: [{ id, tick: 25 }] });

  test("are those of the contract that is shown, also if an answer about an earlier one comes late", async () => {
    const asked = waiting("mkt_find_modules");
    const page = await following((id: string) => useContractFacts(id)?.id, "A");
    await page.go("B");
    await asked[1]!.answer(facts("B"));
    expect(page.text()).toBe('"B"');
    await asked[0]!.answer(facts("A"));
    expect(page.text()).toBe('"B"');
    await page.go("C");
    expect([page.text(), asked.map(({ given }) => (given["filters"] as Given)["id"])])
      .toEqual(["nothing", ["A", "B", "C"]]);
  });

  test("are read again when contracts come or go", async () => {
    const asked = waiting("mkt_find_modules");
    await following(useContractFacts, "A");
    await settle(() => applyUpdates([update({ isWhole: true, contracts: [hour(1, EMPTY), hour(2, EMPTY)] })]));
    expect(asked.length).toBe(2);
  });

  test.each([
    ["the market has none", () => ({ modules: [] }), "null", 0],
    ["the market finds none", fails("not_found", 404), "null", 0],
    ["it is no id", fails("invalid_input", 400), "null", 0],
    ["the market can't be asked", fails("not_connected", 503), "nothing", 1],
    ["they may not be read", fails("forbidden"), "nothing", 1],
  ])("if %s", async (_name, answer, text, retries) => {
    answers["mkt_find_modules"] = answer;
    const page = await following(useContractFacts, "A");
    const before = sent.length;
    await later(3_000);
    expect([page.text(), sent.length - before]).toEqual([text, retries]);
    await page.leave();
    const after = sent.length;
    await later(3_000);
    expect(sent.length).toBe(after);
  });
});

describe("the own orders in a contract", () => {
  const order = (side: string, price: number, remainingQuantity: number) => ({ side, price, remainingQuantity });

  test("are those of the acting entity in the contract that is shown", async () => {
    const asked = waiting("mkt_find_modules");
    const page = await following(useOwnOrders, "A");
    const NONE = '{"bids":[],"asks":[]}';
    expect(page.text()).toBe(NONE);
    await asked[0]!.answer({ modules: [order("BUY", 1, 2), order("SELL", 3, 4), order("SELL", 3, 1)] });
    expect(page.text()).toBe('{"bids":[[1,2]],"asks":[[3,5]]}');
    await page.go("B");
    expect(page.text()).toBe(NONE);
    await settle(() => inState({ connection: { entityId: "ELM" } }));
    await asked[1]!.answer({ modules: [order("BUY", 7, 7)] });
    expect(page.text()).toBe(NONE);
    await asked[2]!.answer({ modules: [order("BUY", 8, 8)] });
    expect(page.text()).toBe('{"bids":[[8,8]],"asks":[]}');
    const status = { value: ["working", "partial"], operator: "in" };
    expect(asked.map(({ given }) => given["filters"])).toEqual([
      { contractId: "A", entityId: "CEDAR", status },
      { contractId: "B", entityId: "CEDAR", status },
      { contractId: "B", entityId: "ELM", status },
    ]);
    await settle(() => inState({ connection: { entityId: null } }));
    expect([page.text(), asked.length]).toEqual([NONE, 3]);
  });

  test("are the working and partly filled ones, with what remains of them, and none held or closed", async () => {
    const prices: Record<OrderStatus, number> = { working: 1, partial: 2, held: 3, filled: 4, cancelled: 5 };
    const orders = Object.entries(prices).map(([status, price]) => (
      { status, side: "BUY", price, quantity: 10, remainingQuantity: 7 }
    ));
    answers["mkt_find_modules"] = (given: { filters: { status: Given }; fields: string[] }) => {
      const { value, operator } = given.filters.status;
      expect(operator).toBe("in");
      const found = orders.filter(({ status }) => (value as string[]).includes(status));
      const isAskedFor = ([name]: [string, unknown]) => given.fields.includes(name);
      return { modules: found.map((order) => Object.fromEntries(Object.entries(order).filter(isAskedFor))) };
    };
    const page = await following(useOwnOrders, "A");
    expect(JSON.parse(page.text())).toEqual({ bids: [[prices.working, 7], [prices.partial, 7]], asks: [] });
  });

  test("are read again a second after one of them has changed, or after a gap, until the page is left", async () => {
    answers["mkt_find_modules"] = { modules: [] };
    const page = await following(useOwnOrders, "A");
    const own = { contractId: "A", entityId: "CEDAR" };
    const reads: number[] = [];
    for (
      const change of [
        update({ events: [event(1, "order", "order.queued", own)] }),
        update({ events: [event(2, "order", "order.queued", { ...own, entityId: "ELM" })] }),
        update({ events: [event(3, "order", "order.queued", { ...own, contractId: "B" })] }),
        update({ events: [event(4, "fill", "new.trade", own)] }),
        update({ isWhole: true }),
      ]
    ) {
      const before = sent.length;
      await settle(() => applyUpdates([change]));
      expect(sent.length).toBe(before);
      await later(1_000);
      reads.push(sent.length - before);
    }
    expect(reads).toEqual([1, 0, 0, 0, 1]);
    const before = sent.length;
    for (const pause of [300, 300, 2_000]) {
      await settle(() => applyUpdates([update({ isWhole: true })]));
      await later(pause);
    }
    expect(sent.length - before).toBe(1);
    await settle(() => applyUpdates([update({ isWhole: true })]));
    await page.leave();
    const left = sent.length;
    await later(1_000);
    await settle(() => applyUpdates([update({ isWhole: true })]));
    await later(1_000);
    expect(sent.length).toBe(left);
  });

  test("are none if they can't be read", async () => {
    answers["mkt_find_modules"] = fails("forbidden");
    expect((await following(useOwnOrders, "A")).text()).toBe('{"bids":[],"asks":[]}');
  });
});

test("the trades are those of the contract that is shown", async () => {
  const history = (contractId: string) => ({
    ...{ contractId, epoch: 7, sequence: 0, candles: [], interval: 60, known: 1, isComplete: true },
    trades: [{ id: `T-${contractId}`, contractId, time: NOON, price: 1, quantity: 1, aggressorSide: 1 }],
  });
  for (const id of ["A", "B"]) answers[`GET /dashboard/history/${id}`] = history(id);
  const page = await following((id: string) => {
    const trades = useTrades(id);
    void trades.version.value;
    return trades.tape.map(({ id }) => id);
  }, "A");
  await later(250);
  expect(page.text()).toBe('["T-A"]');
  await page.go("B");
  await later(250);
  expect(page.text()).toBe('["T-B"]');
  const data = { id: "T2", contractId: "B", price: 1, quantity: 1, aggressorSide: 1 };
  await settle(() => applyUpdates([update({ events: [event(2, "fill", "new.trade", data)] })]));
  await later(250);
  expect(page.text()).toBe('["T2","T-B"]');
});
