// How events act on the prices of the two nodes, now and as the market expects it of later hours.
//
// An event has a lift, in normal prices, which is added to the price of its node; a factor on the price level; and factors
// on the probabilities that spikes and drops begin. An event at one node also reaches the other node, as far as the line
// carries: a share of its effects that is smaller if the line is congested. Congestion itself acts behind the line only.
//
// An event acts with the share of its size that remains. Effects are means over the courses that it may still take
// (event-course.ts), events being independent.

import { type KnownEvent, meanOf, remainingOf } from "./event-course.ts";
import type { Hazards } from "./regimes.ts";
import { EVENT_PROFILES, type EventProfile } from "./spot-events.ts";

/** The share of an event's effects that reaches the other node. */
const CARRIED = 0.7;
const CARRIED_IF_CONGESTED = 0.2;

/** The combined effects on one node at one time. */
export interface Effects {
  /** Added to the price, in normal prices. */
  readonly lift: number;
  /** Factor on the level. */
  readonly level: number;
  readonly hazards: Hazards;
}

export const NO_EFFECTS: Effects = { lift: 0, level: 1, hazards: { spikes: 1, drops: 1 } };

/** When effects are asked for. */
interface EffectTime {
  /** In milliseconds since the epoch. */
  readonly time: number;
  /** Local hour of `time`. */
  readonly localHour: number;
  /** The chance that the line is free at `time`, without regard to events. */
  readonly freeChance: number;
}

/** The effects on the node at `place` in `nodes`. */
export function effectsOn(
  place: 0 | 1,
  nodes: readonly [string, string],
  events: readonly KnownEvent[],
  when: EffectTime,
): Effects {
  if (events.length === 0) return NO_EFFECTS;
  const carried = carriedShare(events, when);
  let [lift, level, spikes, drops] = [0, 1, 1, 1];
  for (const event of events) {
    const share = shareAt(event, place, nodes, carried);
    if (share === 0 || !mayAct(event, when.time)) continue;
    const profile = EVENT_PROFILES[event.type];
    lift += share * growthOf(event, profile.lift, when.time) * weightOf(profile, when.localHour);
    level *= 1 + share * growthOf(event, profile.level, when.time);
    spikes *= 1 + share * growthOf(event, profile.spikes, when.time);
    drops *= 1 + share * growthOf(event, profile.drops, when.time);
  }
  return { lift, level, hazards: { spikes, drops } };
}

/** The factor of the fuel shocks at a node itself: a line carries power, not fuel. */
export function fuelFactorAt(node: string, events: readonly KnownEvent[], now: number): number {
  return events.filter((event) => event.node === null || event.node === node)
    .reduce((factor, event) => factor * (1 + growthOf(event, EVENT_PROFILES[event.type].level, now)), 1);
}

function mayAct({ courses }: KnownEvent, time: number): boolean {
  return courses.some(({ size, endTime }) => size > 0 && time < endTime);
}

/** The mean relative growth by an event whose effect has this logarithm at size 1. */
function growthOf(event: KnownEvent, log: number | undefined, time: number): number {
  return log === undefined ? 0 : meanOf(event, (course) => Math.expm1(log * course.size * remainingOf(course, time)));
}

/** The expected share of effects that reaches the other node. An event of congestion takes the line up to its size. */
function carriedShare(events: readonly KnownEvent[], when: EffectTime): number {
  let free = when.freeChance;
  for (const event of events) {
    if (event.type !== "line_congestion") continue;
    free *= 1 - meanOf(event, (course) => Math.min(1, course.size * remainingOf(course, when.time)));
  }
  return CARRIED_IF_CONGESTED + free * (CARRIED - CARRIED_IF_CONGESTED);
}

/** The share of an event that acts at a node. Congestion without a named node is behind the line, at the second node. */
function shareAt({ type, node }: KnownEvent, place: 0 | 1, nodes: readonly [string, string], carried: number): number {
  if (type === "line_congestion") return (node ?? nodes[1]) === nodes[place] ? 1 : 0;
  return node === null || node === nodes[place] ? 1 : carried;
}

function weightOf({ hours, otherwise = 1 }: EventProfile, localHour: number): number {
  const acts = hours === undefined || hours.some(([from, until]) => localHour >= from && localHour < until);
  return acts ? 1 : otherwise;
}
