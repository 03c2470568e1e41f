// Which calls are refused while the process ends, is frozen or only reads, and what a session that views may do.

import { describe, expect, test } from "bun:test";
import {
  checkAccess,
  checkMayChange,
  checkMayRun,
  checkNotFrozen,
  isOfferedBy,
} from "../../../core/guardrails/call-checks.ts";
import type { ToolContext } from "../../../core/tools/context.ts";
import { configurationFor, pubsubThatIs, servicesWith } from "../support/services.ts";

const CHANGE = { annotations: { readOnlyHint: false } };
const READ = { annotations: { readOnlyHint: true } };
const RUNNING = new AbortController().signal;
const ENDING = AbortSignal.abort();
const READ_ONLY = configurationFor({ MKT_READ_ONLY: "1" });
const FREEZE = { reason: "odd prices", since: "2030-01-01T00:00:00.000Z" };

const contextWith = (parts: Partial<ToolContext> = {}) => ({ ...servicesWith(), ...parts }) as unknown as ToolContext;

function codeOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}

type Parts = Parameters<typeof checkMayChange>;
const frozen = contextWith({ frozen: () => FREEZE });
const readOnly = contextWith({ configuration: READ_ONLY });

test.each<[string, Parts[0], Parts[1], AbortSignal, string | null]>([
  ["a change", CHANGE, contextWith(), RUNNING, null],
  ["a change at the end", CHANGE, contextWith(), ENDING, "shutting_down"],
  [
    "a change at the end that is allowed otherwise",
    {
      ...CHANGE,
      allowedInReadOnly: true,
      allowedWhenFrozen: true,
    },
    contextWith(),
    ENDING,
    "shutting_down",
  ],
  ["reading at the end", READ, contextWith(), ENDING, null],
  ["a change while frozen", CHANGE, frozen, RUNNING, "frozen"],
  ["one that is allowed while frozen", { ...CHANGE, allowedWhenFrozen: true }, frozen, RUNNING, null],
  ["one that is allowed in read-only while frozen", { ...CHANGE, allowedInReadOnly: true }, frozen, RUNNING, "frozen"],
  ["reading while frozen", READ, frozen, RUNNING, null],
  ["a change in read-only", CHANGE, readOnly, RUNNING, "read_only"],
  ["one that is allowed in read-only", { ...CHANGE, allowedInReadOnly: true }, readOnly, RUNNING, null],
  [
    "one that is allowed while frozen in read-only",
    { ...CHANGE, allowedWhenFrozen: true },
    readOnly,
    RUNNING,
    "read_only",
  ],
  ["reading in read-only", READ, readOnly, RUNNING, null],
  ["a change at the end while frozen", CHANGE, frozen, ENDING, "shutting_down"],
  [
    "a change while frozen in read-only",
    CHANGE,
    contextWith({ frozen: () => FREEZE, configuration: READ_ONLY }),
    RUNNING,
    "frozen",
  ],
])("%s", (_what, tool, context, ending, code) => {
  expect(codeOf(() => checkMayChange(tool, context, ending))).toBe(code);
});

test.each<[Parameters<typeof isOfferedBy>[1], boolean, boolean]>([
  [CHANGE, true, false],
  [READ, true, true],
  [{ ...CHANGE, allowedInReadOnly: true }, true, true],
  [{ ...CHANGE, allowedWhenFrozen: true }, true, false],
])("%j is offered: %p, in read-only: %p", (tool, offered, inReadOnly) => {
  expect([isOfferedBy(configurationFor(), tool), isOfferedBy(READ_ONLY, tool)]).toEqual([offered, inReadOnly]);
});

test.each([
  [FREEZE, " since 2030-01-01T00:00:00.000Z (odd prices); nothing was sent."],
  [{ reason: null, since: null }, "server (no reason was given); nothing was sent."],
])("a freeze is told with its reason and its time: %j", (freeze, text) => {
  expect(() => checkNotFrozen(CHANGE, () => freeze)).toThrow(`An operator has frozen this`);
  expect(() => checkNotFrozen(CHANGE, () => freeze)).toThrow(text);
});

test("the kill switch is only looked at for what it applies to", () => {
  let looks = 0;
  const look = () => (looks += 1, null);
  checkNotFrozen(READ, look);
  checkNotFrozen({ ...CHANGE, allowedWhenFrozen: true }, look);
  expect(looks).toBe(0);
  checkNotFrozen(CHANGE, look);
  expect(looks).toBe(1);
});

describe("a session", () => {
  const allows = { ...CHANGE, allowedForViewers: ((input: { ok: boolean }) => input.ok) as never };
  test.each<[ToolContext["access"], Parts[0], Record<string, unknown> | null, string | null]>([
    ["control", CHANGE, {}, null],
    [undefined, CHANGE, {}, null],
    ["view", READ, {}, null],
    ["view", CHANGE, {}, "forbidden"],
    ["view", allows, { ok: true }, null],
    ["view", allows, { ok: false }, "forbidden"],
    ["view", allows, null, "forbidden"],
    ["control", allows, { ok: false }, null],
  ])("of access %p may, or may not: %j with %j", (access, tool, input, code) => {
    expect(codeOf(() => checkAccess(tool, input, contextWith({ access })))).toBe(code);
  });
});

test("all checks run in order: end, freeze, access, connection", () => {
  const tool = { ...CHANGE, requires: { connection: "write" as const } };
  const all = { frozen: () => FREEZE, access: "view" as const };
  const code = (parts: Partial<ToolContext>, ending = RUNNING) =>
    codeOf(() => checkMayRun(tool, {}, contextWith(parts), ending));
  expect(code(all, ENDING)).toBe("shutting_down");
  expect(code(all)).toBe("frozen");
  expect(code({ access: "view" })).toBe("forbidden");
  expect(code({})).toBe("not_connected");
  expect(code({ pubsub: pubsubThatIs("connected") })).toBeNull();
});
