// The texts of the two registers of a group: what a replica takes them for, whoever has written them.

import { expect, test } from "bun:test";
import { desiredUserOf, desiredUserText } from "../../../replicas/group/desired-user.ts";
import { freezeOf, freezeText, THAWED } from "../../../replicas/group/shared-kill-switch.ts";

const known = (value: string) => ({ key: "mkt:kill-switch", known: { version: 1, value } });
const UNREADABLE = { reason: "mkt:kill-switch on Redis can't be read, which counts as frozen", since: null };

test("a freeze has its reason and its time, a thaw is none, and so is a switch that nobody has ever set", () => {
  const since = "2030-01-01T00:00:00.000Z";
  expect(freezeOf(known(freezeText(" odd prices ", Date.parse(since))))).toEqual({ reason: "odd prices", since });
  expect(freezeOf(known(freezeText("  ", Date.parse(since))))).toEqual({ reason: null, since });
  expect(freezeOf(known(THAWED))).toBeNull();
  expect(freezeOf({ key: "k", known: null })).toBeNull();
});

test.each<[string, object]>([
  ["", UNREADABLE],
  ["{", UNREADABLE],
  ["false", UNREADABLE],
  ["0", UNREADABLE],
  ['"thawed"', UNREADABLE],
  ["{}", { reason: null, since: null }],
  ["[]", { reason: null, since: null }],
  ['{"reason":5,"since":"now"}', { reason: null, since: "now" }],
  ['{"reason":"r","since":null}', { reason: "r", since: null }],
])("a switch with %p counts as frozen", (text, freeze) => expect(freezeOf(known(text))).toEqual(freeze as never));

test.each<[string | null, string | null]>([
  [desiredUserText("anna"), "anna"],
  [desiredUserText(null), null],
  [desiredUserText("null"), "null"],
  [desiredUserText(""), ""],
  [null, null],
  ["anna", null],
  ["{}", null],
  ["5", null],
])("%p asks for the user %p", (value, user) => {
  expect(desiredUserOf(value === null ? null : { version: 1, value })).toBe(user);
});
