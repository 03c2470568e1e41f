// The limits of what a page may ask: exactly as much as is allowed is answered, and one more is refused.

import { describe, expect, test } from "bun:test";
import { categoryOf } from "../../../protocol/index.ts";
import { feedEvent } from "../../../plugins/dashboard/feed-event.ts";
import { history } from "../../../plugins/dashboard/history.ts";
import { search } from "../../../plugins/dashboard/search.ts";
import { stream } from "../../../plugins/dashboard/stream.ts";
import { positionOf } from "../../../plugins/dashboard/stream-position.ts";
import type { SearchAnswer } from "../../../web/contract/search.ts";
import type { RouteContext } from "../../../core/routes/route.ts";
import { MarketInProcess } from "../../core/support/market-in-process.ts";
import { servicesWith } from "../../core/support/services.ts";
import { BASE, MARKET, PEAK, SECRET } from "../support/market.ts";

const market = new MarketInProcess(MARKET, SECRET);
await market.connect("olga");
const context = { ...servicesWith(market.services), signal: new AbortController().signal } as unknown as RouteContext;

function asked(parameters: readonly (readonly [string, string])[]) {
  const url = new URL("http://localhost/");
  for (const [name, value] of parameters) url.searchParams.append(name, value);
  return { url, headers: new Headers(), parameters: { contractId: BASE } } as never;
}

const ids = (count: number, length = 1) =>
  Array.from({ length: count }, (_, at) => ["contract", String(at).padStart(length, "x")] as const);
const words = (count: number) => [["text", Array(count).fill("a").join(" ")]] as const;

test.each(
  [
    ["characters of a search", search, [["text", "x".repeat(200)]], [["text", "x".repeat(201)]]],
    ["words of a search", search, words(12), words(13)],
    ["watched contracts", stream, ids(64), ids(65)],
    ["characters of a watched contract", stream, ids(1, 200), ids(1, 201)],
    ["trades of a contract", history, [["trades", "5000"]], [["trades", "5001"]]],
    ["trades of a contract, of which there may be none", history, [["trades", "0"]], [["trades", "-1"]]],
  ] as const,
)("the number of %s", async (_, route, most, more) => {
  const answer = async (parameters: readonly (readonly [string, string])[]) => await route(asked(parameters), context);
  expect((await answer(most)).status).toBe(200);
  await expect(answer(more)).rejects.toMatchObject({ code: "invalid_input" });
});

test("a position of 200 characters is read, and a longer one begins anew", () => {
  const position = (length: number) => `1.2.${"u".repeat(length - 8)}.s.3`;
  expect(positionOf(position(200))).toMatchObject({ epoch: 1, sequence: 2, rows: { state: "s", version: 3 } });
  expect(positionOf(position(201))).toBeNull();
});

test("an event of an unknown type has up to 4000 characters of data", () => {
  const type = "new.thing";
  const data = (length: number) => ({ a: "x".repeat(length - 8) });
  const event = { sequence: 1, category: categoryOf(type), type, time: "", book: null };
  expect(feedEvent({ ...event, data: data(4_000) }).data).toEqual(data(4_000));
  expect(feedEvent({ ...event, data: data(4_001) }).data).toEqual({});
});

describe("a search", () => {
  const found = async (text: string) => await (await search(asked([["text", text]]), context)).json() as SearchAnswer;
  const send = (name: string, count: number) => {
    for (let at = 0; at < count; at++) {
      const order = { contractId: PEAK, side: 0, price: 4_200, quantity: 5, clientOrderId: `${name}${at}` } as const;
      market.execute("alice", "order.submit", order);
    }
  };

  test("of which there are 20 results has no more, and one of 21 has", async () => {
    send("twenty-q", 20);
    send("single-z", 21);
    const [twenty, more] = [await found("twenty-q"), await found("single-z")];
    expect([twenty.results.length, twenty.hasMore, more.results.length, more.hasMore]).toEqual([20, false, 20, true]);
  });

  test("looks at a part of a clientOrderId from 6 characters on", async () => {
    send("qzqzqzq", 1);
    expect((await found("qzqzqz")).results).toHaveLength(1);
    expect((await found("qzqzq")).results).toEqual([]);
  });
});

test("a stream goes on after what the browser has received itself, and else after what the page names", async () => {
  const first = async (since: string, lastEventId?: string) => {
    const request = asked([["since", since]]) as { headers: Headers };
    if (lastEventId !== undefined) request.headers.set("Last-Event-ID", lastEventId);
    const reader = stream(request as never, context).body!.getReader();
    const text = String((await reader.read()).value);
    await reader.cancel();
    return { id: /^id: (.*)$/m.exec(text)![1]!, continues: text.includes('"continues":true') };
  };
  const { id, continues } = await first("nothing");
  expect(continues).toBe(false);
  market.execute("alice", "order.submit", { contractId: PEAK, side: 0, price: 4_200, quantity: 5 });
  expect((await first(id)).continues).toBe(true);
  expect((await first("nothing", id)).continues).toBe(true);
  expect((await first(id, "nothing")).continues).toBe(false);
});
