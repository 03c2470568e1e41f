// When the reasons of an order are asked for, for how long, and what is said if they don't come.

import { expect, jest, spyOn, test } from "bun:test";
import { NEUTRAL_ADVICE } from "../../../core/advice.ts";
import { ToolError } from "../../../core/error.ts";
import * as sentences from "../../../plugins/toolkit/block-sentences.ts";
import { explain } from "../../../plugins/toolkit/order-blocks.ts";
import { wholeModule } from "../../support/modules.ts";
import { atEnd } from "../../support/at-end.ts";
import { replaced } from "../../support/replaced.ts";
import { snapshotOf } from "../support/snapshot-of.ts";

const BOOK = { bestBid: 40, bestAsk: 50 };
const ORDER = {
  engineId: "b",
  side: 0,
  price: 50,
  quantity: 10,
  filledQuantity: 4,
  status: "partial",
  closeReason: null,
};
const STATE = "Order o is partial: 4 of 10 MW filled.";

/** The time limit that the next question gets; the test ends it. */
function limits() {
  const over = new AbortController();
  const asked = spyOn(AbortSignal, "timeout").mockImplementation(() => over.signal);
  atEnd(() => asked.mockRestore());
  return { asked: asked.mock.calls, over };
}

function explained(
  order: object,
  { book = BOOK as object | null, answer = () => Promise.resolve({ blockedBy: [] }) as Promise<unknown> } = {},
) {
  const call = new AbortController();
  const asked = jest.fn((..._all: unknown[]) => answer());
  const context = {
    signal: call.signal,
    advice: NEUTRAL_ADVICE,
    snapshot: snapshotOf(book === null ? {} : { "/ENGINE/b": wholeModule("ENGINE", { contractId: "c", ...book }) }),
    backend: { orderBlocks: asked },
    server: { tools: new Map() },
    pubsub: { session: null },
  };
  const given = wholeModule("ORDER", { ...ORDER, ...order, id: "o" });
  return { explanation: explain(given as never, context as never), asked: asked.mock.calls, call };
}

test.each<[object, object | null, boolean]>([
  [{}, BOOK, true],
  [{ price: 51 }, BOOK, true],
  [{ price: 49 }, BOOK, false],
  [{ price: 1_000 }, { bestBid: 40, bestAsk: null }, false],
  [{ side: 1, price: 40 }, BOOK, true],
  [{ side: 1, price: 39 }, BOOK, true],
  [{ side: 1, price: 41 }, BOOK, false],
  [{ side: 1, price: 0 }, { bestBid: null, bestAsk: 50 }, false],
  [{ side: 0, price: 0 }, { bestBid: null, bestAsk: 0 }, true],
  [{ closeReason: "cancelled" }, BOOK, false],
  [{}, null, false],
])("the order %j at the book %j is asked about: %p", async (order, book, isAsked) => {
  replaced(sentences, "sentencesOn", () => ["Because."]);
  const { explanation, asked } = explained(order, { book });
  expect(explanation instanceof Promise).toBe(isAsked);
  expect(asked.map(([id]) => id)).toEqual(isAsked ? ["o"] : []);
  expect<unknown>(await explanation).toEqual({ blockedBy: [], message: isAsked ? `${STATE} Because.` : STATE });
});

test("an order that is held says why matching waits", () => {
  const paused = replaced(sentences, "pauseSentence", () => "It waits.");
  const message = "Order o is held: 4 of 10 MW filled. It waits.";
  expect<unknown>(explained({ status: "held", price: 1 }).explanation).toEqual({ blockedBy: [], message });
  expect(paused).toHaveLength(1);
});

test.each([[29, null], [30, null], [31, 1], [90, 60]])("of %d reasons %p are left out", async (count, more) => {
  replaced(sentences, "sentencesOn", () => ["Because."]);
  const blockedBy = Array.from({ length: count }, (_, at) => ({ quantity: at }));
  const { blockedBy: shown, message } = await explained({}, { answer: () => Promise.resolve({ blockedBy }) })
    .explanation;
  expect<unknown>(shown).toEqual(blockedBy.slice(0, 30));
  expect(message).toBe(`${STATE} Because.${more === null ? "" : ` blockedBy leaves out ${more} further reasons.`}`);
});

test("reasons are waited for 5 s, and the question ends with that limit or with the call", async () => {
  const { asked: times, over } = limits();
  const waiting = Promise.withResolvers<never>();
  const { explanation, asked, call } = explained({}, { answer: () => waiting.promise });
  const [[, signal] = expect.unreachable()] = asked as [string, AbortSignal][];
  expect([times, signal.aborted]).toEqual([[[5_000]], false]);
  over.abort();
  expect(signal.aborted).toBe(true);
  waiting.reject(new Error("ended"));
  expect<unknown>(await explanation).toEqual({
    blockedBy: null,
    message: `${STATE} It crosses the book. The backend gave no reasons within 5000 ms: ask again with mkt_get_order.`,
  });
  expect(call.signal.aborted).toBe(false);
});

test("a call that its client has cancelled is rejected, and its question ends", async () => {
  limits();
  const waiting = Promise.withResolvers<never>();
  const { explanation, asked, call } = explained({}, { answer: () => waiting.promise });
  call.abort(new Error("cancelled"));
  expect((asked[0]![1] as AbortSignal).aborted).toBe(true);
  waiting.reject(new ToolError("timeout", "Ended.", ""));
  await expect(Promise.resolve(explanation)).rejects.toThrow("cancelled");
});

test.each<[string, () => Promise<unknown>, string]>([
  ["none", () => Promise.resolve(null), "The backend gives no reasons why it doesn't trade."],
  [
    "a fault",
    () => Promise.reject(new ToolError("backend_error", "It broke.", "")),
    "The reasons why it doesn't trade are unknown. It broke.",
  ],
])("a backend that gives %s is told so", async (_what, answer, sentence) => {
  const message = `${STATE} It crosses the book. ${sentence}`;
  expect<unknown>(await explained({}, { answer }).explanation).toEqual({ blockedBy: null, message });
});

test("a fault of this process is not hidden", async () => {
  const { explanation } = explained({}, { answer: () => Promise.reject(new TypeError("wrong")) });
  await expect(Promise.resolve(explanation)).rejects.toThrow("wrong");
});
