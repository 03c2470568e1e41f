// The events that act on the prices of a process, in the order in which they were triggered.

import { HOUR_MS } from "../../protocol/time-units.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import { EventCourse, type KnownEvent, meanOf, remainingOf } from "./event-course.ts";
import { eventFault } from "./spot-events.ts";
import type { ActiveSpotEvent, SpotEvent, SpotEventRequest } from "./spot-prices.ts";

export class MarketEvents {
  #courses: EventCourse[] = [];
  #count = 0;

  /** `random` decides how events go. */
  constructor(private readonly nodes: readonly string[], private readonly random: SeededRandom) {}

  /** Throws RangeError for an invalid request. */
  trigger(request: SpotEventRequest, now: number): EventCourse {
    const fault = eventFault(request, this.nodes, this.activeAt(now).length);
    if (fault !== null) throw new RangeError(fault);
    const { type, node, size, durationHours, falseAlarmChance = 0 } = request;
    const announcedTime = Math.max(now, request.announcedTime ?? now);
    const startTime = Math.max(announcedTime, request.startTime ?? announcedTime);
    const endTime = startTime + durationHours * HOUR_MS;
    const announced: SpotEvent = { id: `event-${++this.#count}`, type, node, size, durationHours, startTime, endTime };
    const course = new EventCourse(announced, { announcedTime, falseAlarmChance }, () => this.random.next());
    this.add(course);
    return course;
  }

  add(course: EventCourse): void {
    this.#courses.push(course);
  }

  /** Forgets those that have ended. */
  forget(now: number): void {
    this.#courses = this.#courses.filter(({ endTime }) => endTime > now);
  }

  knownAt(time: number): KnownEvent[] {
    return this.#courses.map((course) => course.knownAt(time)).filter((known) => known !== null);
  }

  /** Whether the market learns something of an event after `before`, up to `now`. */
  isNewsIn(before: number, now: number): boolean {
    return this.#courses.some((course) => course.stageAt(before) !== course.stageAt(now));
  }

  /** As the market knows them: size and end are the expected ones. */
  activeAt(now: number): ActiveSpotEvent[] {
    return this.#courses.flatMap((course) => {
      const known = course.knownAt(now);
      if (known === null) return [];
      const size = meanOf(known, ({ size }) => size);
      const endTime = meanOf(known, ({ endTime }) => endTime);
      const acting = meanOf(known, (each) => each.size * remainingOf(each, now));
      if (acting === 0) return [];
      const shown = { size: rounded(size), endTime: Math.round(endTime), remaining: rounded(acting / size) };
      return [{ ...course.announced, ...shown }];
    });
  }
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
