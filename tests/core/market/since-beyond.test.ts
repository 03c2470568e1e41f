// A `since` that no event has reached: made up, of another market, or of a replica that is ahead.

import { expect, test } from "bun:test";
import { EventBuffer } from "../../../core/market/event-buffer.ts";

const EPOCH = 1_000_000;

test("a since beyond the newest event gives missed null and the true number, unless its group may have reached it", () => {
  const buffer = new EventBuffer(10);
  buffer.begin(EPOCH, EPOCH);
  buffer.push({ sequence: EPOCH + 1, type: "new.order", time: "2030-01-01T00:00:00.000Z", data: {} });
  const read = (since: number) => {
    const { events, latestSequence, missed } = buffer.read({ since: EPOCH + since, limit: 5 });
    return [events.length, latestSequence - EPOCH, missed];
  };
  expect([read(1), read(2), read(99)]).toEqual([[0, 1, 0], [0, 1, null], [0, 1, null]]);
  let reached = EPOCH + 3;
  buffer.followGroup(() => reached);
  expect([read(2), read(3), read(4)]).toEqual([[0, 2, 0], [0, 3, 0], [0, 1, null]]);
  reached = Infinity;
  expect(read(99)).toEqual([0, 99, 0]);
  reached = 0;
  expect(read(2)).toEqual([0, 1, null]);
});
