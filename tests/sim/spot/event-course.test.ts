// What comes of an event, and when the market learns of it.

import { expect, test } from "bun:test";
import { EventCourse, meanOf, remainingOf } from "../../../sim/spot/event-course.ts";
import { HOUR_MS, START } from "./support.ts";

const HALF = HOUR_MS / 2;

function courseOf(numbers: readonly number[], durationHours = 8, falseAlarmChance = 0) {
  const left = [...numbers];
  const endTime = START + durationHours * HOUR_MS;
  const announced = {
    id: "e",
    type: "heat_wave",
    node: null,
    size: 3,
    durationHours,
    startTime: START,
    endTime,
  } as const;
  return new EventCourse(announced, { announcedTime: START - HOUR_MS, falseAlarmChance }, () => left.shift() ?? NaN);
}

test.each([
  [[0.5, 0, 0], 2, 4],
  [[0.5, 0.34, 0.34], 3, 8],
  [[0.5, 0.99, 0.99], 4, 12],
  [[0.5, 0, 0.99], 2, 12],
])("the size and the length of an event are drawn apart: %j", (numbers, size, hours) => {
  const course = courseOf(numbers);
  expect((course.endTime - START) / HOUR_MS).toBe(hours);
  const known = course.knownAt(START + 2 * HOUR_MS);
  expect(known?.courses).toEqual([{ chance: 1, size, startTime: START, endTime: START + hours * HOUR_MS }]);
});

test("the market learns of an event, then its size after half an hour, and its end after a quarter of its length", () => {
  const course = courseOf([0.5, 0.99, 0]);
  const at = (time: number) => {
    const known = course.knownAt(time);
    return known === null ? null : [known.courses.length, meanOf(known, ({ size }) => size), course.stageAt(time)];
  };
  expect(at(START - HOUR_MS - 1)).toBeNull();
  expect(course.stageAt(START - HOUR_MS - 1)).toBe(0);
  expect(at(START - HOUR_MS)).toEqual([9, expect.closeTo(3, 9), 1]);
  expect(at(START + HALF - 1)).toEqual([9, expect.closeTo(3, 9), 1]);
  expect(at(START + HALF)).toEqual([3, expect.closeTo(4, 9), 2]);
  expect(at(START + 2 * HOUR_MS - 1)).toEqual([3, expect.closeTo(4, 9), 2]);
  expect(at(START + 2 * HOUR_MS)).toEqual([1, expect.closeTo(4, 9), 3]);
});

test("all of a short event is known after a quarter of its length", () => {
  expect(courseOf([0.5, 0.5, 0.5], 1).stageAt(START + HOUR_MS / 4 - 1)).toBe(1);
  expect(courseOf([0.5, 0.5, 0.5], 1).stageAt(START + HOUR_MS / 4)).toBe(3);
});

test("a false alarm is over when it is known to be one, and until then counts with its chance", () => {
  const course = courseOf([0.24, 0.5, 0.5], 8, 0.25);
  expect(course.endTime).toBe(START + HALF);
  const before = course.knownAt(START)!;
  expect(meanOf(before, ({ size }) => size)).toBeCloseTo(0.75 * 3, 9);
  expect(before.courses.reduce((sum, { chance }) => sum + chance, 0)).toBeCloseTo(1, 9);
  expect(course.knownAt(START + HALF)!.courses.map(({ size }) => size)).toEqual([0, 0, 0]);
  expect(courseOf([0.25, 0.5, 0.5], 8, 0.25).endTime).toBe(START + 8 * HOUR_MS);
});

test("an event acts fully in the first half of its length, and fades in the second", () => {
  const times = { startTime: START, endTime: START + 4 * HOUR_MS };
  const shares = [-0.01, 0, 2, 3, 3.5, 4].map((hours) => remainingOf(times, START + hours * HOUR_MS));
  expect(shares).toEqual([0, 1, 1, 0.5, 0.25, 0]);
});
