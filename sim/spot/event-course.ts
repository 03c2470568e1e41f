// How an event goes, and what the market knows of that.
//
// An event is announced, before it begins or as it does, with a size and a duration. Both are expectations. What comes is
// drawn when it is triggered: a size and a duration around those announced, or nothing if it is a false alarm. The market
// learns the size, or the false alarm, half an hour after the beginning, and the end after a quarter of the announced
// duration, before even the shortest course begins to fade. Until then all prices, present and expected ones, are means over
// the courses that are still possible. So nobody can know in which direction an event will move a forecast after its
// announcement.
//
// The laws are our choice. Only their shape matters here: what was announced is the mean.

import { HOUR_MS, MINUTE_MS } from "../../protocol/time-units.ts";
import type { SpotEvent, SpotEventType } from "./spot-prices.ts";

/** One way in which an event may go. */
interface Course {
  /** Given what is known; the chances of an event sum to 1. */
  readonly chance: number;
  /** 0: it was a false alarm. */
  readonly size: number;
  readonly startTime: number;
  readonly endTime: number;
}

/** An event as the market knows it. */
export interface KnownEvent {
  readonly type: SpotEventType;
  readonly node: string | null;
  readonly courses: readonly Course[];
}

interface Announcement {
  readonly announcedTime: number;
  readonly falseAlarmChance: number;
}

/** Equally likely, as shares of what was announced. */
const SIZES = [2 / 3, 1, 4 / 3] as const;
const DURATIONS = [1 / 2, 1, 3 / 2] as const;
const SIZE_KNOWN_MS = 30 * MINUTE_MS;
const END_KNOWN_SHARE = 1 / 4;

export class EventCourse {
  /** When the market learns of it. */
  readonly announcedTime: number;
  readonly #endKnownTime: number;
  readonly #sizeKnownTime: number;
  readonly #courses: readonly Course[];
  readonly #true: Course;

  /** `next`: uniform random numbers in [0, 1), of which three are drawn. */
  constructor(readonly announced: SpotEvent, { announcedTime, falseAlarmChance }: Announcement, next: () => number) {
    this.announcedTime = announcedTime;
    const { startTime, durationHours, size } = announced;
    const quarterMs = durationHours * HOUR_MS * END_KNOWN_SHARE;
    this.#endKnownTime = startTime + quarterMs;
    this.#sizeKnownTime = startTime + Math.min(SIZE_KNOWN_MS, quarterMs);
    const real = SIZES.map((share) => ({ size: size * share, chance: (1 - falseAlarmChance) / SIZES.length }));
    const sizes = [...real, { size: 0, chance: falseAlarmChance }].filter(({ chance }) => chance > 0);
    this.#courses = sizes.flatMap(({ size, chance }) =>
      DURATIONS.map((share) => ({
        chance: chance / DURATIONS.length,
        size,
        startTime,
        endTime: startTime + share * durationHours * HOUR_MS,
      }))
    );
    const isFalse = next() < falseAlarmChance;
    const trueSize = isFalse ? 0 : size * SIZES[placeOf(next(), SIZES)]!;
    const endTime = startTime + DURATIONS[placeOf(next(), DURATIONS)]! * durationHours * HOUR_MS;
    this.#true = { chance: 1, size: trueSize, startTime, endTime };
  }

  /** The end of the course that it takes. */
  get endTime(): number {
    return this.#true.size === 0 ? this.#sizeKnownTime : this.#true.endTime;
  }

  /** How much was announced by then. */
  stageAt(time: number): number {
    return [this.announcedTime, this.#sizeKnownTime, this.#endKnownTime].filter((each) => each <= time).length;
  }

  /** Null before it is announced. */
  knownAt(time: number): KnownEvent | null {
    const { type, node } = this.announced;
    if (time < this.announcedTime) return null;
    const possible = this.#courses.filter(({ size, endTime }) =>
      (time < this.#sizeKnownTime || size === this.#true.size) &&
      (time < this.#endKnownTime || endTime === this.#true.endTime)
    );
    const total = possible.reduce((sum, { chance }) => sum + chance, 0);
    return { type, node, courses: possible.map((course) => ({ ...course, chance: course.chance / total })) };
  }
}

/** The share of a course's size that acts at `time`: 1 in the first half of its duration, then falling to 0 at its end. */
export function remainingOf({ startTime, endTime }: Pick<Course, "startTime" | "endTime">, time: number): number {
  if (time < startTime || time >= endTime) return 0;
  return Math.min(1, 2 * (endTime - time) / (endTime - startTime));
}

/** The mean over the courses that are possible. */
export function meanOf({ courses }: KnownEvent, value: (course: Course) => number): number {
  return courses.reduce((sum, course) => sum + course.chance * value(course), 0);
}

function placeOf(uniform: number, { length }: readonly number[]): number {
  return Math.floor(uniform * length);
}
