// How many events are counted as lost.

import { expect, test } from "bun:test";
import { bufferOf, EPOCH, event } from "./support/event-model.ts";

test("consecutive gaps count once each, however many they are", () => {
  const buffer = bufferOf(5);
  for (let number = 1; number <= 100; number += 1) buffer.gap(EPOCH + number, EPOCH + number);
  buffer.push(event(EPOCH + 101));
  buffer.gap(EPOCH + 102, EPOCH + 103);
  expect(buffer.stats().gapEvents).toBe(102);
  expect(buffer.read({ since: EPOCH + 90, limit: 5 })).toMatchObject({ missed: 12, latestSequence: EPOCH + 103 });
});

test("what was lost in a history that is over does not count in the next one", () => {
  const buffer = bufferOf(5);
  for (const begin of [() => buffer.clear(), () => buffer.begin(EPOCH, EPOCH)]) {
    buffer.begin(EPOCH, EPOCH);
    buffer.gap(EPOCH + 1, EPOCH + 3);
    expect(buffer.stats().gapEvents).toBe(3);
    begin();
    expect(buffer.stats().gapEvents).toBe(0);
  }
});

test("what came before this process is lost to its readers, and no gap for its replicas", () => {
  const buffer = bufferOf(5);
  buffer.begin(EPOCH, EPOCH + 9);
  expect([buffer.gaps, buffer.stats().gapEvents]).toEqual([[], 0]);
  expect(buffer.read({ since: EPOCH + 2, limit: 5 }).missed).toBe(7);
  // Adjacent to what came before.
  buffer.gap(EPOCH + 10, EPOCH + 11);
  expect(buffer.gaps).toEqual([{ from: EPOCH + 10, to: EPOCH + 11 }]);
  expect(buffer.read({ since: EPOCH + 2, limit: 5 }).missed).toBe(9);
});
