// The code of the audit trail's thread, run in this thread: so each message is handled before the next one is given.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { recordedOf } from "../../../engine/audit/audit-events.ts";
import {
  type AuditQuestion,
  CELL,
  type FromAuditThread,
  newCells,
  THREAD,
} from "../../../engine/audit/audit-messages.ts";
import { auditLine } from "../../../engine/api/audit-lines.ts";
import type { ToAuditThread } from "../../../engine/audit/audit-messages.ts";
import { EventMaker, NOW, orderQuery, query } from "../../common/audit/support/events.ts";
import { until } from "../../support/until.ts";

const scope = globalThis as unknown as { postMessage: unknown; onmessage: unknown };
const before = { postMessage: scope.postMessage, onmessage: scope.onmessage };
const told: FromAuditThread[] = [];
const cells = newCells();
let tell: (message: ToAuditThread) => void;

beforeAll(async () => {
  scope.postMessage = (message: FromAuditThread) => void told.push(message);
  await import("../../../engine/audit/audit-thread.ts");
  const take = scope.onmessage as (message: { data: ToAuditThread }) => void;
  tell = (data) => take({ data });
  const lines = new EventMaker().many(3_000).map((event) => auditLine(recordedOf(event))).join("");
  tell({ kind: "open", directory: null, cells });
  tell({ kind: "record", lines });
});

afterAll(() => {
  Object.assign(scope, before);
});

let asked = 0;

async function answerTo(question: AuditQuestion, isCancelled = false): Promise<FromAuditThread> {
  const number = ++asked;
  tell({ kind: "ask", number, question });
  if (isCancelled) tell({ kind: "cancel", number });
  const mine = (each: FromAuditThread) => "number" in each && each.number === number;
  return await until(() => told.find(mine), "an answer") as FromAuditThread;
}

test("a trail tells how far it is when it opens, and counts what is written", () => {
  expect(told.slice(0, 1)).toEqual([{ kind: "opened", lastPosition: 0, delivered: null }]);
  expect([cells[CELL.written], cells[CELL.state]]).toEqual([1, THREAD.runs]);
});

test.each<[string, AuditQuestion]>([
  ["of events", { kind: "query", query: query({ search: "not there" }), viewer: undefined }],
  [
    "of an order's history",
    { kind: "orderEvents", orderId: "ORD-1", query: orderQuery({ limit: 1000 }), now: NOW },
  ],
])("a search %s that nobody waits for is not carried through", async (_, question) => {
  expect(await answerTo(question, true)).toMatchObject({ kind: "refused", code: null });
});

test("a question that has no answer is refused with its code and its hint", async () => {
  const foreign = { kind: "query", query: query({ cursor: "of another trail" }), viewer: undefined } as const;
  expect(await answerTo(foreign)).toMatchObject({ kind: "refused", code: "invalid_input", hint: expect.any(String) });
});

test("an order's history ends with the day of the question, and its viewer's events are the viewer's alone", async () => {
  const history = { kind: "orderEvents", orderId: "ORD-1", query: orderQuery(), now: NOW } as const;
  expect(await answerTo(history)).toMatchObject({ answer: { range: { to: "2026-01-14" }, hasMore: true } });
  const viewer = { entityId: "another", permissions: new Set([]) };
  expect(await answerTo({ kind: "query", query: query(), viewer })).toMatchObject({ answer: { events: [] } });
});
