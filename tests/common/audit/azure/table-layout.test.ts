import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { auditId } from "../../../../common/audit/audit-id.ts";
import { dayRanges, eventIn, indexRanges, keyPart, rowsOf } from "../../../../common/audit/azure/table-layout.ts";
import type { AuditEvent } from "../../../../protocol/index.ts";
import { DAY_MS, EPOCH, EventMaker, NOW } from "../support/events.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 300 }),
  fc.string({ unit: fc.constantFrom(..."/\\#?'\"!~% \t\n\u0000\u001f\u007f\u009f"), minLength: 1, maxLength: 20 }),
  fc.constantFrom("ORD-1", "A:B", "day!1", "~", "!"),
);

const anyEvent = fc.record({ moduleType: anyText, moduleId: anyText, event: anyText, orderId: fc.option(anyText) })
  .map((fields) => new EventMaker().next(fields));

describe("a row of table storage", () => {
  test("has a unique key of allowed characters and bounded length", () => {
    fc.assert(fc.property(anyEvent, (event) => {
      const rows = rowsOf(event);
      for (const { partitionKey, rowKey, type } of rows) {
        for (const key of [partitionKey, rowKey, type]) expect(key).toMatch(/^[A-Za-z0-9._:~!-]{1,300}$/);
      }
      expect(new Set(rows.map(({ partitionKey, rowKey }) => `${partitionKey} ${rowKey}`)).size).toBe(rows.length);
    }));
  });

  test("contains its event, however long the details are", () => {
    const details = { text: "é\u2028\u{1F4C8}'\"\\".repeat(20_000) };
    const event = new EventMaker().next({ details });
    for (const row of rowsOf(event)) {
      expect(eventIn(row)).toEqual(event);
      for (const value of Object.values(row)) expect(value.length).toBeLessThanOrEqual(32_768);
    }
  });

  test("comes before the rows of all older events", () => {
    const place = fc.record({ day: fc.integer({ min: 0, max: 400 }), number: fc.integer({ min: 1, max: 1e9 }) });
    fc.assert(fc.property(place, place, (one, other) => {
      const [older, newer] = one.number < other.number ? [one, other] : [other, one];
      if (older.number === newer.number) return;
      const rowsAt = ({ number }: typeof one, day: number): AuditEvent => ({
        ...new EventMaker().next({ time: new Date(NOW + day * DAY_MS).toISOString() }),
        id: auditId(EPOCH, number),
      });
      const [firstDay, lastDay] = [Math.min(one.day, other.day), Math.max(one.day, other.day)];
      const [before, after] = [rowsOf(rowsAt(older, firstDay)), rowsOf(rowsAt(newer, lastDay))];
      const keyOf = (row?: { partitionKey: string; rowKey: string }) => `${row?.partitionKey}\u0000${row?.rowKey}`;
      expect(keyOf(after[0]) < keyOf(before[0])).toBe(true);
      for (const index of [1, 2]) expect((after[index]?.rowKey ?? "") < (before[index]?.rowKey ?? "")).toBe(true);
    }));
  });
});

test("similar values are different parts of keys", () => {
  const values = ["a", "A", "a ", "a/", "a\\", "a'", "~a", "", "é", "e\u0301"];
  expect(new Set(values.map(keyPart)).size).toBe(values.length);
});

test("a range of days is one range of partitions; a position in it splits it in two", () => {
  expect(dayRanges("2026-01-01", "2026-01-14", null)).toHaveLength(1);
  expect(dayRanges("2026-01-01", "2026-01-14", { day: "2026-01-07", id: auditId(EPOCH, 1) })).toHaveLength(2);
  expect(dayRanges("2026-01-07", "2026-01-14", { day: "2026-01-07", id: auditId(EPOCH, 1) })).toHaveLength(1);
});

test("an index needs one range for each year, newest first", () => {
  const partitions = indexRanges("subject", "ORD-1", "2024-12-31", "2026-01-01", null)
    .map((range) => "partition" in range ? range.partition : "");
  expect(partitions).toEqual(["subject!2026", "subject!2025", "subject!2024"]);
});
