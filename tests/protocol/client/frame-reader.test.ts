import { expect, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import { FrameReader } from "../../../protocol/client/frame-reader.ts";

const read = (message: unknown) => new FrameReader(logger("test")).read(JSON.stringify(message));
const INVALID = { kind: "unreadable", fault: "invalid_message" } as const;

test("an unreadable event keeps its number, if it has one; other messages have none", () => {
  expect(read({ kind: "event", sequence: 7 })).toEqual([{ ...INVALID, sequence: 7 }]);
  expect(read({ kind: "event", sequence: 0.5 })).toEqual([INVALID]);
  expect(read({ kind: "event" })).toEqual([INVALID]);
  expect(read({ kind: "snapshotEnd", sequence: -7 })).toEqual([INVALID]);
});

test("an unreadable module keeps its path, and its place among the messages", () => {
  const removed = { statePath: "/ENTITY/b", state: null };
  const messages = [{ statePath: "/ENTITY/a", state: { id: "a" } }, removed];
  expect(read(messages)).toEqual([{ kind: "unreadable", fault: "invalid_module", statePath: "/ENTITY/a" }, removed]);
});
