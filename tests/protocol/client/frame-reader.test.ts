// What is counted and logged of messages that do not fit the protocol.

import { expect, test } from "bun:test";
import { FrameReader } from "../../../protocol/client/frame-reader.ts";

interface Logged {
  readonly fault: string;
  readonly subject: string;
}

function reader() {
  const logged: Logged[] = [];
  const log = { warn: (_: string, about: Logged) => logged.push(about) };
  return { frames: new FrameReader(log as never), logged };
}

const TIME = "2030-06-01T12:00:00.000Z";
const ENTITY = { id: "a", name: "a", code: "a", userIds: [], creditStatus: "ok" };
const EVENT = { kind: "event", sequence: 3, type: "no.such", time: 5 };

test("each kind of fault is counted by itself and logged once, with the beginning of what did not fit", () => {
  const { frames, logged } = reader();
  const long = `{${"x".repeat(300)}`;
  frames.read(long);
  for (const frame of ["", "[1,2]", '"text"', new Uint8Array(3), '{"kind":"from the future"}', '{"kind":"later"}']) {
    frames.read(frame);
  }
  frames.read('{"statePath":"/MOON/1","state":{"id":"1"}}');
  frames.read(JSON.stringify([EVENT]));
  expect(Object.fromEntries(frames.faults)).toEqual({
    not_json: 2,
    not_a_message: 3,
    not_text: 1,
    unknown_kind: 2,
    unknown_module: 1,
    invalid_message: 1,
  });
  // What an engine of another version may send is not unreadable.
  expect(frames.unreadable).toBe(7);
  expect(logged.map(({ fault }) => fault)).toEqual([
    ...["not_json", "not_a_message", "not_text", "unknown_kind", "unknown_module", "invalid_message"],
  ]);
  expect(logged[0]?.subject).toBe(long.slice(0, 200));
  expect(logged[3]?.subject).toBe('{"kind":"from the future"}');
});

test("what can't be read keeps its place, with the path or the number that it is known by", () => {
  const { frames } = reader();
  const [known] = frames.read('{"kind":"event","sequence":"4","type":"x"}');
  expect(known).toEqual({ kind: "unreadable", fault: "invalid_message", sequence: undefined } as never);
  const mixed = [EVENT, { kind: "later" }, 7, { statePath: "/ORDER/a", state: 5 }, { statePath: 5 }, { kind: "hello" }];
  expect(frames.read(JSON.stringify(mixed))).toEqual([
    { kind: "unreadable", fault: "invalid_message", sequence: 3 },
    { kind: "unreadable", fault: "not_a_message" },
    { kind: "unreadable", fault: "invalid_message", statePath: "/ORDER/a" },
    { kind: "unreadable", fault: "invalid_message", statePath: undefined },
  ] as never);
  const deep = `${"[".repeat(200)}${"]".repeat(200)}`;
  expect(frames.read(deep)).toEqual([{ kind: "unreadable", fault: "too_deep" }]);
  expect(frames.read("[]")).toEqual([]);
});

test.each<[string, unknown, object]>([
  ["an order that does not fit", { kind: "event", sequence: 4, type: "new.order", time: TIME, data: { id: "o" } }, {
    fault: "invalid_module",
    sequence: 4,
    statePath: "/ORDER/o",
  }],
  ["a change of a book that does not fit", {
    ...{ kind: "event", sequence: 4, type: "change.book", time: TIME },
    data: { engineId: "e", id: "other" },
  }, { fault: "invalid_module", sequence: 4, statePath: "/ENGINE/e" }],
  ["an order without an id", { kind: "event", sequence: 4, type: "new.order", time: TIME, data: {} }, {
    fault: "invalid_module",
    sequence: 4,
    statePath: undefined,
  }],
  ["a module that does not fit", { statePath: "/ENTITY/a", state: { id: "a" } }, {
    fault: "invalid_module",
    statePath: "/ENTITY/a",
  }],
  ["a module of another id", { statePath: "/ENTITY/b", state: ENTITY }, {
    fault: "invalid_module",
    statePath: "/ENTITY/b",
  }],
  ["an event with a number that is none", { kind: "event", sequence: 2 ** 53, type: "x", time: TIME, data: {} }, {
    fault: "invalid_message",
    sequence: undefined,
  }],
])("%s is known by its number and its module", (_what, message, expected) => {
  const { frames, logged } = reader();
  expect(frames.read(JSON.stringify(message))).toEqual([{ kind: "unreadable", ...expected }] as never);
  expect([frames.unreadable, logged.length]).toEqual([1, 1]);
});

test.each<[string, unknown, boolean]>([
  ["a module", { statePath: "/ENTITY/a", state: ENTITY }, true],
  ["a module that is gone", { statePath: "/ENTITY/b", state: null }, true],
  [
    "an event that says nothing about a module",
    { kind: "event", sequence: 4, type: "odd", time: TIME, data: {} },
    true,
  ],
  ["a module of another version", { statePath: "/MOON/b", state: null }, false],
  ["a message of another version", { kind: "later", sequence: 4 }, false],
])("%s is passed on, or passed over", (_what, message, isPassedOn) => {
  const { frames } = reader();
  for (const frame of [message, [message]]) {
    expect(frames.read(JSON.stringify(frame))).toEqual((isPassedOn ? [message] : []) as never);
  }
  expect([frames.unreadable, frames.faults.size]).toEqual([0, isPassedOn ? 0 : 1]);
});
