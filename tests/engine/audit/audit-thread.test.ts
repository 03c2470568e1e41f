// The code of the audit trail's thread, run in this thread: so each message is handled before the next one is given.

import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { auditId } from "../../../common/audit/audit-id.ts";
import { recordedOf } from "../../../engine/audit/audit-events.ts";
import {
  type AuditQuestion,
  CELL,
  type FromAuditThread,
  newCells,
  SPACE,
  THREAD,
} from "../../../engine/audit/audit-messages.ts";
import { BlockMaker } from "../../../engine/audit/audit-blocks.ts";
import { StorageFull } from "../../../engine/journal/journal.ts";
import { auditLine } from "../../../engine/api/audit-lines.ts";
import type { ToAuditThread } from "../../../engine/audit/audit-messages.ts";
import { EPOCH, EventMaker, NOW, orderQuery, query } from "../../common/audit/support/events.ts";
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

/**
 * The answer of a search, by a clock that shows these times one after the other and then stands. Only the search reads it:
 * timers that others in this process have left get the true time.
 */
async function answerAt(times: readonly number[], question: AuditQuestion): Promise<unknown> {
  const left = [...times];
  const now = performance.now.bind(performance);
  const clock = spyOn(performance, "now").mockImplementation(() => {
    if (!new Error().stack?.includes("audit-pages.ts")) return now();
    return left.length > 1 ? left.shift()! : left[0]!;
  });
  try {
    const number = ++asked;
    tell({ kind: "ask", number, question });
    const mine = (each: FromAuditThread) => "number" in each && each.number === number;
    for (let turns = 0; turns < 1000 && !told.some(mine); turns++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return told.find(mine);
  } finally {
    clock.mockRestore();
  }
}

test("a search ends after a second, with a cursor at the last event that it read", async () => {
  const question = { kind: "query", query: query({ search: "not there", limit: 1000 }), viewer: undefined } as const;
  const [secondBlock, thirdBlock] = [2561, 2305].map((position) => auditId(EPOCH, position));
  const ended = (cursor: string) => ({ answer: { events: [], hasMore: true, cursor } });
  expect(await answerAt([5, 5 + 999, 5 + 1000], question)).toMatchObject(ended(secondBlock!));
  expect(await answerAt([5, 5, 5, 5 + 1000], question)).toMatchObject(ended(thirdBlock!));
  expect(await answerAt([5, 5 + 999], question)).toMatchObject({ answer: { hasMore: false } });
});

test("events and blocks are read after a position, and a sync has no answer", async () => {
  const after = await answerTo({ kind: "after", position: 10, limit: 2 });
  expect(after).toMatchObject({ answer: [{ id: auditId(EPOCH, 11) }, { id: auditId(EPOCH, 12) }] });
  const blocks = await answerTo({ kind: "blocksAfter", position: 2816 });
  expect(blocks).toMatchObject({ answer: [{ first_position: 2817, last_position: 3000 }] });
  expect(await answerTo({ kind: "sync" })).toMatchObject({ kind: "answer", answer: undefined });
});

/** Records an event while the disk is full for some attempts. Returns what the cells show whenever space is asked for. */
function recordedOnFullDisk(line: string, attempts: number, answer: number): unknown[] {
  const shown: unknown[] = [];
  const insert = spyOn(BlockMaker.prototype, "insert");
  for (let left = attempts; left > 0; left--) {
    insert.mockImplementationOnce(() => {
      throw new StorageFull("the disk is full");
    });
  }
  scope.postMessage = (message: FromAuditThread) => {
    told.push(message);
    if (message.kind !== "full") return;
    shown.push([cells[CELL.space], cells[CELL.state]]);
    Atomics.store(cells, CELL.space, answer);
  };
  try {
    tell({ kind: "record", lines: line });
    return shown;
  } finally {
    insert.mockRestore();
  }
}

const lineAt = (position: number) =>
  auditLine(recordedOf({ ...new EventMaker().next(), id: auditId(EPOCH, position) }));

test("a trail whose disk is full asks for space until it can write, and then runs on", async () => {
  const before = cells[CELL.written]!;
  const asked = [SPACE.asked, THREAD.needsSpace];
  expect(recordedOnFullDisk(lineAt(3001), 3, SPACE.made)).toEqual([asked, asked, asked]);
  expect([cells[CELL.written], cells[CELL.state]]).toEqual([before + 1, THREAD.runs]);
  expect(await answerTo({ kind: "after", position: 3000, limit: 9 })).toMatchObject({
    answer: [{ id: auditId(EPOCH, 3001) }],
  });
});

test("a trail is cut off, begins anew and is marked, and a fault is told once and shown in the cells", async () => {
  const before = cells[CELL.written]!;
  const more = auditLine(recordedOf({ ...new EventMaker().next(), id: auditId(EPOCH, 2991) }));
  tell({ kind: "truncate", position: 2990 });
  tell({ kind: "record", lines: more });
  tell({ kind: "markDelivered", position: 7 });
  expect(await answerTo({ kind: "blocksAfter", position: 2990 })).toMatchObject({
    answer: [{ first_position: 2991, last_position: 2991 }],
  });
  expect(cells[CELL.written]).toBe(before + 1);
  tell({ kind: "truncate", position: 0 });
  tell({ kind: "beginAfter", position: 5000 });
  tell({ kind: "record", lines: more });
  expect(await answerTo({ kind: "blocksAfter", position: 0 })).toMatchObject({ answer: [] });
  expect([told.filter(({ kind }) => kind === "failed"), cells[CELL.state]]).toEqual([[], THREAD.runs]);
  const earlier = { ...new EventMaker().next({ time: "2020-01-01T00:00:00.000Z" }), id: auditId(EPOCH, 5002) };
  const later = { ...new EventMaker().next(), id: auditId(EPOCH, 5001) };
  tell({ kind: "record", lines: [later, earlier].map((event) => auditLine(recordedOf(event))).join("") });
  expect(told.at(-1)).toMatchObject({ kind: "failed", message: expect.stringContaining("of 2020-01-01 after") });
  expect(cells[CELL.state]).toBe(THREAD.failed);
});

test("a trail whose disk is full has failed if the engine has no space for it", () => {
  tell({ kind: "open", directory: null, cells: cells.fill(0) });
  expect(recordedOnFullDisk(lineAt(1), 9, SPACE.none)).toEqual([[SPACE.asked, THREAD.needsSpace]]);
  expect([told.at(-1), cells[CELL.written], cells[CELL.state]])
    .toEqual([{ kind: "failed", message: "the disk is full" }, 0, THREAD.failed]);
});
