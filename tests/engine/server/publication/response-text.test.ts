import { expect, test } from "bun:test";
import type { WrittenAnswer } from "../../../../engine/api/market-engine.ts";
import { responseText } from "../../../../engine/server/publication/response-text.ts";

const ok = { operationId: "op-1", status: "ok" } as const;
const shown = { kind: "response", requestId: "r-1", operationId: "op-1", status: "ok" };

test.each<[string, WrittenAnswer, object]>([
  ["without more", ok, shown],
  ["with a result", { ...ok, result: '{"halted":["A"]}' }, { ...shown, result: { halted: ["A"] } }],
  ["with an order alone", { ...ok, order: '{"id":"ORD-7"}' }, { ...shown, result: { order: { id: "ORD-7" } } }],
  ["with a message", { ...ok, message: "done" }, { ...shown, message: "done" }],
  [
    "of a refusal",
    { operationId: "op-1", status: "rejected", code: "market_closed", message: 'no "trade"\n' },
    { ...shown, status: "rejected", code: "market_closed", message: 'no "trade"\n' },
  ],
  [
    "of a refusal without a message",
    { operationId: "op-1", status: "error", code: "internal_error" },
    { ...shown, status: "error", code: "internal_error" },
  ],
  ["of an id that JSON escapes", { ...ok, operationId: 'a"\\\u0001' }, { ...shown, operationId: 'a"\\\u0001' }],
])("a response %s has its fields and no other", (_, answer, message) => {
  expect(JSON.parse(responseText("r-1", answer))).toEqual(message);
});

test("each response begins anew, and names its request", () => {
  expect(["a", 'b"', "c"].map((id) => JSON.parse(responseText(id, ok)).requestId)).toEqual(["a", 'b"', "c"]);
});
