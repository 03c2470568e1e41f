// Which answers a cursor goes on after, and which cursors are refused.

import { expect, test } from "bun:test";
import {
  encodeCursor,
  type ListPosition,
  type ListRequest,
  lostPosition,
  positionOf,
} from "../../../core/tools/cursor.ts";

const LIST: ListRequest = {
  list: "mkt_list_orders",
  filters: { status: "working", node: "hub", entityId: undefined },
  limit: 10,
};
const AT: ListPosition = { rank: 1_700_000_000_000, id: "ORD-1" };
const of = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString("base64url");

test.each<[ListPosition]>([
  [AT],
  [{ rank: null, id: "" }],
  [{ rank: "2030-01-01", id: 'Zoë\u{1F600}"' }],
  [{ rank: -0.5, id: "a/b" }],
  [{ rank: 0, id: "x" }],
])("the position %j comes back, in letters that a URL may have", (position) => {
  const cursor = encodeCursor(LIST, position);
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(positionOf({ ...LIST, cursor })).toEqual(position);
});

test("without a cursor a list begins at its start", () => {
  expect(positionOf(LIST)).toBeUndefined();
  expect(positionOf({ ...LIST, cursor: undefined })).toBeUndefined();
});

test.each<[string, Partial<ListRequest>, boolean]>([
  ["of another length", { limit: 5 }, true],
  ["whose filters come in another order", {
    filters: { a: undefined, entityId: undefined, node: "hub", status: "working" },
  }, true],
  ["of another name", { list: "mkt_list_fills" }, false],
  ["with another value", { filters: { status: "filled", node: "hub" } }, false],
  ["with a further filter", { filters: { ...LIST.filters, entityId: "north" } }, false],
  ["without its filters", { filters: {} }, false],
  ["without one of its filters", { filters: { status: "working" } }, false],
])("a cursor is taken by a list %s: or refused", (_which, other, isTaken) => {
  const request = { ...LIST, ...other, cursor: encodeCursor(LIST, AT) };
  if (isTaken) expect(positionOf(request)).toEqual(AT);
  else expect(() => positionOf(request)).toThrow("cursor belongs to another list or to other filters.");
});

test("lists without filters have a key of their own each, and one with filters has another", () => {
  const whole = { list: "a", filters: {}, limit: 1 };
  const cursor = encodeCursor(whole, AT);
  expect(positionOf({ ...whole, filters: { x: undefined }, cursor })).toEqual(AT);
  expect(() => positionOf({ ...whole, list: "b", cursor })).toThrow("belongs to another list");
  expect(() => positionOf({ ...whole, filters: { x: null }, cursor })).toThrow("belongs to another list");
});

const KEY = JSON.parse(Buffer.from(encodeCursor(LIST, AT), "base64url").toString())[0];
test.each([
  "",
  "%",
  "text",
  of({}),
  of([KEY, 1]),
  of([KEY, 1, "a", 2]),
  of([1, 1, "a"]),
  of([KEY, 1, 2]),
  of([KEY, {}, "a"]),
  of([KEY, true, "a"]),
  Buffer.from(`["${KEY}",1e999,"a"]`).toString("base64url"),
])("%p is no cursor", (cursor) => {
  expect(() => positionOf({ ...LIST, cursor })).toThrow("cursor is not a cursor from an answer.");
});

test("every refusal says what to do", () => {
  expect(lostPosition()).toMatchObject({
    code: "invalid_input",
    message: "cursor can't be continued: the last item of that page is gone.",
    hint: "Start again without cursor.",
  });
});
