import { expect, test } from "bun:test";
import { EVENTS, type EventType } from "../../../protocol/index.ts";
import { EventHeads } from "../../../engine/transaction/event-heads.ts";
import { GrowingText } from "../../../engine/transaction/growing-text.ts";
import { TextWriter } from "../../../engine/text/text-writer.ts";

test("an event begins with its number, its type and its time, in whatever order numbers and times come", () => {
  const [heads, writer] = [new EventHeads(), new TextWriter()];
  const FIRST = 1_768_395_600_000_000;
  const TIME = Date.parse("2026-01-14T13:00:00.001Z");
  const calls: [sequence: number, time: number, type?: EventType][] = [
    [FIRST, TIME],
    [FIRST + 1, TIME],
    [FIRST + 9, TIME],
    [FIRST + 10, TIME + 1],
    [FIRST + 999_999, TIME + 86_400_000],
    [FIRST + 1_000_000, TIME],
    [FIRST, TIME - 1],
    [FIRST, TIME - 1, "new.fill"],
    [FIRST + 2, TIME + 5],
    [1e15, 0],
    [1e15 - 1, TIME],
    [7, TIME],
    [Number.MAX_SAFE_INTEGER, TIME],
    [FIRST, Date.parse("+010000-01-01T00:00:00.000Z")],
    [FIRST + 3, TIME],
  ];
  for (const [sequence, now, only] of calls) {
    for (const type of only === undefined ? Object.keys(EVENTS) as EventType[] : [only]) {
      const time = new Date(now).toISOString();
      heads.write(writer, type, sequence, now, time);
      expect(`${writer.take()}{}}`).toBe(JSON.stringify({ kind: "event", sequence, type, time, data: {} }));
    }
  }
});

test("the text of a call goes on in the next one until it is read or full, and is then an array of its own", () => {
  const writer = new TextWriter();
  const add = (text: GrowingText, message: string) => {
    const start = text.begin();
    writer.text(message);
    return start;
  };
  const first = new GrowingText(writer);
  expect([add(first, "{1}"), add(first, "{2}")]).toEqual([1, 5]);
  expect(first.next()).toBe(first);
  expect(add(first, "{3}")).toBe(9);
  expect([first.text, first.text]).toEqual(["[{1},{2},{3}]", "[{1},{2},{3}]"]);
  const second = first.next();
  expect(second).not.toBe(first);
  const long = `"${"x".repeat(48 << 10)}"`;
  expect(add(second, long)).toBe(1);
  const third = second.next();
  expect(third).not.toBe(second);
  expect([add(third, "{4}"), third.next() === third]).toEqual([1, true]);
  expect([second.text === `[${long}]`, third.text, first.text]).toEqual([true, "[{4}]", "[{1},{2},{3}]"]);
});
