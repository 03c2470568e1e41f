// Lines of audit events: reading what was written.

import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  areAuditLines,
  auditLine,
  AuditLines,
  lastPositionIn,
  type RecordedEvent,
  recordedEvents,
} from "../../../engine/api/audit-lines.ts";
import { codePoint } from "../../support/code-point.ts";

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: codePoint }),
  fc.constantFrom("null", "a\tb", "a\nb", '"', "\\", ""),
);
const textOrNull = fc.option(text);
const number = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const recorded: fc.Arbitrary<RecordedEvent> = fc.record({
  position: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  epoch: number,
  time: number,
  userId: textOrNull,
  event: text,
  moduleType: text,
  moduleId: text,
  orderId: textOrNull,
  entityId: textOrNull,
  details: fc.dictionary(text, fc.jsonValue()).map((details) => JSON.stringify(details)),
});

test("lines give the events that they were written for, whatever the texts", () => {
  fc.assert(fc.property(fc.array(recorded), (events) => {
    const lines = events.map(auditLine).join("");
    expect(recordedEvents(lines)).toEqual(events);
    expect(lastPositionIn(lines)).toBe(events.at(-1)?.position ?? 0);
    expect(areAuditLines(lines)).toBe(true);
  }));
});

test("a text that lacks a tab or a line feed is not lines of events", () => {
  fc.assert(fc.property(fc.array(recorded, { minLength: 1 }), fc.nat(), (events, number) => {
    const lines = events.map(auditLine).join("");
    const separators = [...lines.matchAll(/[\t\n]/g)].map(({ index }) => index);
    const at = separators[number % separators.length]!;
    expect(areAuditLines(lines.slice(0, at) + lines.slice(at + 1))).toBe(false);
  }));
});

test("a line has its columns in a fixed order, as JSON", () => {
  const line = auditLine({
    position: 7,
    epoch: 1_768_413_600_000_000,
    time: 1_768_413_600_123,
    userId: null,
    event: "orderQueued",
    moduleType: "ORDER",
    moduleId: "ORD-1",
    orderId: "ORD-1",
    entityId: 'say "a"',
    details: '{"note":"\\t"}',
  });
  expect(line).toBe(
    '7\t1768413600000000\t1768413600123\tnull\t"orderQueued"\t"ORDER"\t"ORD-1"\t"ORD-1"\t"say \\"a\\""\t{"note":"\\t"}\n',
  );
});

test("lines are read one after the other: each whole, with its position, its time and what it may be looked up by", () => {
  const event = {
    position: 1,
    epoch: 5,
    time: 6,
    userId: "user",
    event: "marketHalted",
    moduleType: "MARKET",
    moduleId: 'the "M"',
    orderId: null,
    entityId: "ENTITY",
    details: "{}",
  };
  const events = [event, { ...event, position: 2, time: 7, moduleId: "M2", orderId: "ORD-1", entityId: null }];
  const lines = new AuditLines(events.map(auditLine).join(""));
  const seen: unknown[] = [];
  while (lines.next()) {
    const keys = new Set<string>();
    lines.addKeys(keys);
    seen.push([lines.line, lines.position, lines.time, [...keys], lines.event()]);
  }
  expect(seen).toEqual([
    [auditLine(events[0]!), 1, 6, ["marketHalted", "MARKET", 'the "M"'], events[0]],
    [auditLine(events[1]!), 2, 7, ["marketHalted", "MARKET", "M2", "ORD-1"], events[1]],
  ]);
  expect([lines.next(), new AuditLines("").next()]).toEqual([false, false]);
});
