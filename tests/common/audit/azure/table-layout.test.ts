import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { auditId } from "../../../../common/audit/audit-id.ts";
import {
  dayRanges,
  eventIn,
  indexRanges,
  keyPart,
  type KeyRange,
  rowsOf,
  type TableRow,
} from "../../../../common/audit/azure/table-layout.ts";
import type { AuditEvent } from "../../../../protocol/index.ts";
import { codePoint } from "../../../support/code-point.ts";
import { DAY_MS, EPOCH, EventMaker, NOW } from "../support/events.ts";

const anyText = fc.oneof(
  fc.string({ unit: codePoint, minLength: 1, maxLength: 300 }),
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
    const details = { text: "é\u2028\u2029\u{1F4C8}'\"\\".repeat(20_000) };
    const event = new EventMaker().next({ details });
    for (const row of rowsOf(event)) {
      expect(eventIn(row)).toEqual(event);
      for (const value of Object.values(row)) {
        expect(value.length).toBeLessThanOrEqual(32_768);
        expect(/[\u2028\u2029]/.test(value)).toBe(false);
      }
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

/** The events that a service finds in the ranges, in its order. */
function found(rows: readonly TableRow[], ranges: readonly KeyRange[]): string[] {
  const isIn = ({ partitionKey, rowKey }: TableRow, range: KeyRange) =>
    "partition" in range
      ? partitionKey === range.partition && rowKey > range.after && rowKey < range.before
      : partitionKey >= range.fromPartition && partitionKey <= range.toPartition;
  const keyOf = ({ partitionKey, rowKey }: TableRow) => `${partitionKey} ${rowKey}`;
  return ranges.flatMap((range) =>
    rows.filter((row) => isIn(row, range)).toSorted((one, other) => keyOf(one) < keyOf(other) ? -1 : 1)
      .map((row) => eventIn(row).id)
  );
}

test("each index finds the events of its days, of two years, newest first, and those after a position", () => {
  const maker = new EventMaker();
  const days = ["2025-12-30", "2025-12-31", "2025-12-31", "2026-01-01", "2026-01-02"];
  const events = days.map((day) =>
    maker.next({ time: `${day}T23:59:59.999Z`, event: "e", moduleId: "m", orderId: "o" })
  );
  const [rows, all] = [events.flatMap(rowsOf), events.map(({ id }) => id)];
  const [from, to] = ["2025-12-31", "2026-01-01"];
  for (const [place, expected] of [[null, [3, 2, 1]], [3, [2, 1]], [2, [1]], [1, []]] as const) {
    const position = place === null ? null : { day: days[place]!, id: all[place]! };
    const answers = [
      dayRanges(from, to, position),
      indexRanges("name", "e", from, to, position),
      ...["m", "o"].map((subject) => indexRanges("subject", subject, from, to, position)),
    ].map((ranges) => found(rows, ranges));
    expect(answers).toEqual(Array(4).fill(expected.map((at) => all[at]!)));
  }
  expect(indexRanges("name", "e", from, to, { day: from, id: all[1]! })).toHaveLength(1);
});

test("an event has a row for its order only if that is another module", () => {
  const countOf = (orderId: string | null) => rowsOf(new EventMaker().next({ moduleId: "m", orderId })).length;
  expect([null, "m", "o"].map(countOf)).toEqual([3, 3, 4]);
});

test("days before 1970 and after 2243 count as the first and the last one", () => {
  expect(dayRanges("1960-01-01", "2300-01-01", null)).toEqual([{
    fromPartition: "day!00000",
    toPartition: "day!99999",
  }]);
  expect(indexRanges("name", "e", "0001-01-01", "1970-01-02", null)).toHaveLength(1);
});

test("similar values are different parts of keys", () => {
  const values = ["a", "A", "a ", "a/", "a\\", "a'", "~a", "", "é", "e\u0301"];
  expect(new Set(values.map(keyPart)).size).toBe(values.length);
  expect([200, 201].map((length) => keyPart("x".repeat(length)).length)).toEqual([200, 65]);
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
