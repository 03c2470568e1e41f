import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { Deadlines } from "../../common/deadlines.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test("each wait expires at its own deadline, and not before", () => {
  const expired: string[] = [];
  const deadlines = new Deadlines(1000);
  deadlines.begin(() => expired.push("first"));
  jest.advanceTimersByTime(400);
  deadlines.begin(() => expired.push("second"));
  jest.advanceTimersByTime(599);
  expect(expired).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(expired).toEqual(["first"]);
  jest.advanceTimersByTime(399);
  expect(expired).toEqual(["first"]);
  jest.advanceTimersByTime(1);
  expect(expired).toEqual(["first", "second"]);
});

test("a wait that has ended doesn't expire, and later ones still do", () => {
  const expired: number[] = [];
  const deadlines = new Deadlines(10);
  const waits = Array.from({ length: 5 }, (_, number) => deadlines.begin(() => expired.push(number)));
  for (const wait of waits.slice(0, 3)) deadlines.end(wait);
  jest.advanceTimersByTime(10);
  expect(expired).toEqual([3, 4]);
});

test("there is one timer for all waits, and none after the last deadline until there is a wait again", () => {
  const deadlines = new Deadlines(10);
  for (let count = 0; count < 100; count++) deadlines.end(deadlines.begin(() => {}));
  expect(jest.getTimerCount()).toBe(1);
  jest.advanceTimersByTime(10);
  expect(jest.getTimerCount()).toBe(0);
  const expired = jest.fn();
  deadlines.begin(expired);
  jest.advanceTimersByTime(10);
  expect(expired).toHaveBeenCalledTimes(1);
});
