// Cancelling all of one's orders: what is repeated, under which key, and what is said of what is left.

import { describe, expect, test } from "bun:test";
import type { Outcome } from "../../../web/dashboard/operation/outcome.ts";
import { cancelAll, replyOf } from "../../../web/dashboard/trade/all-out.ts";
import { ORDER } from "./support.ts";

const DONE: Outcome = { kind: "success", message: "", result: {} };
const failed = (code: string): Outcome => ({ kind: "failed", report: { code, message: `${code}.` } });
const LOST: Outcome = { kind: "unknown", report: { code: "timeout", message: "" } };

/** A market with these orders, where each try to cancel one has the next of its outcomes; a success closes it. */
function marketOf(outcomes: Readonly<Record<string, readonly Outcome[]>>, failsToRead = Infinity) {
  const open = new Set(Object.keys(outcomes));
  const tries: [order: string, key: string][] = [];
  const facts = { pauses: 0, reads: 0, atOnce: 0, most: 0, keys: 0 };
  return {
    open,
    tries,
    facts,
    means: {
      open: () => {
        facts.reads++;
        if (facts.reads > failsToRead) return Promise.reject(new Error("not connected"));
        return Promise.resolve([...open].map((id) => ({ ...ORDER, id })));
      },
      cancel: async ({ id }: { readonly id: string }, key: string) => {
        facts.most = Math.max(facts.most, ++facts.atOnce);
        await Promise.resolve();
        facts.atOnce--;
        const outcome = outcomes[id]![tries.filter(([order]) => order === id).length] ?? DONE;
        tries.push([id, key]);
        if (outcome.kind === "success") open.delete(id);
        return outcome;
      },
      pause: () => Promise.resolve(void facts.pauses++),
      newKey: () => `key-${++facts.keys}`,
    },
  };
}

describe("all out", () => {
  test("cancels every order, a few at a time, each once", async () => {
    const ids = Array.from({ length: 10 }, (_, at) => `o${at}`);
    const market = marketOf(Object.fromEntries(ids.map((id) => [id, []])));
    expect(await cancelAll(market.means)).toEqual({ cancelled: 10, left: 0, refusal: null });
    expect(market.tries.map(([id]) => id).toSorted()).toEqual(ids);
    expect(new Set(market.tries.map(([, key]) => key)).size).toBe(10);
    expect(market.facts).toMatchObject({ most: 4, pauses: 0 });
  });

  test("repeats after a lost answer and after a refusal for the rate, under the same key", async () => {
    const market = marketOf({ lost: [LOST], fast: [failed("rate_limited"), failed("rate_limited")] });
    expect(await cancelAll(market.means)).toEqual({ cancelled: 2, left: 0, refusal: null });
    const keysOf = (order: string) => market.tries.filter(([id]) => id === order).map(([, key]) => key);
    expect([keysOf("lost").length, keysOf("fast").length, market.facts.pauses]).toEqual([2, 3, 2]);
    expect([new Set(keysOf("lost")).size, new Set(keysOf("fast")).size]).toEqual([1, 1]);
  });

  test("finds what came meanwhile", async () => {
    const market = marketOf({ first: [], second: [] });
    market.open.delete("second");
    const { cancel } = market.means;
    const arriving: typeof cancel = (order, key) => {
      if (order.id === "first") market.open.add("second");
      return cancel(order, key);
    };
    expect(await cancelAll({ ...market.means, cancel: arriving })).toEqual({ cancelled: 2, left: 0, refusal: null });
  });

  test("does not repeat what is refused, and says why it is still open", async () => {
    const market = marketOf({ mine: [], kept: [failed("forbidden"), DONE] });
    expect(await cancelAll(market.means)).toEqual({
      cancelled: 1,
      left: 1,
      refusal: { code: "forbidden", message: "forbidden." },
    });
    expect(market.tries).toHaveLength(2);
  });

  test("ends although nothing helps", async () => {
    const market = marketOf({ stuck: Array<Outcome>(100).fill(LOST) });
    expect(await cancelAll(market.means)).toEqual({ cancelled: 0, left: 1, refusal: null });
    expect(market.tries.length).toBeLessThan(20);
  });

  test("sends nothing if the orders can't be read, and does not know what is left if they can't be read again", async () => {
    const unread = marketOf({ a: [] }, 0);
    await expect(cancelAll(unread.means)).rejects.toThrow("not connected");
    expect(unread.tries).toEqual([]);
    expect(await cancelAll(marketOf({ a: [] }, 1).means)).toEqual({ cancelled: 1, left: null, refusal: null });
  });

  test("is told as the answer of a tool", () => {
    const refusal = { code: "forbidden", message: "Not yours." };
    expect(replyOf({ cancelled: 1, left: 0, refusal: null })).toEqual({
      kind: "result",
      isError: false,
      result: { message: "1 order was cancelled; none of yours is open." },
    });
    const errors = [
      { cancelled: 2, left: 1, refusal },
      { cancelled: 0, left: 3, refusal: null },
      { cancelled: 2, left: null, refusal: null },
    ].map((out) => replyOf(out)).map((reply) => reply.kind === "result" && [reply.isError, reply.result["error"]]);
    expect(errors).toEqual([
      [true, { code: "forbidden", message: "2 orders were cancelled, and 1 is still open. Not yours." }],
      [true, { code: "incomplete", message: "0 orders were cancelled, and 3 are still open." }],
      [true, { code: "timeout", message: "2 orders were cancelled; then the open orders could not be read." }],
    ]);
  });
});
