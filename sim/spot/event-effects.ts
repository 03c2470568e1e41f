// How events act on the prices of the two nodes, now and as the market expects it of later hours.
//
// An event has a lift, in normal prices, which is added to the price of its node; a factor on the price level; and factors
// on the probabilities that spikes and drops begin. An event at one node also reaches the other node, as far as the line
// carries: a share of its effects that is smaller if the line is congested. Congestion itself acts behind the line only.
//
// Now, an event acts with the share of its size that remains. The market sees that share, but not when the event ends: it
// expects the event to last with an exponential remaining life, so in t hours the event still acts with the chance
// e^(-t / mean life). In the first hours of an event it expects a shorter life. Effects are expected values over that chance,
// events being independent.

import { HOUR_MS } from "../../protocol/time-units.ts";
import type { Hazards } from "./regimes.ts";
import { EVENT_PROFILES, type EventProfile, remainingOf } from "./spot-events.ts";
import type { SpotEvent } from "./spot-prices.ts";

/** The share of an event's effects that reaches the other node. */
const CARRIED = 0.7;
const CARRIED_IF_CONGESTED = 0.2;
/** A new event may be a false alarm: the expected life grows evenly with its age, to the whole one at BELIEF_MS. */
const BELIEF_MS = 3 * HOUR_MS;
const FIRST_BELIEF_MS = 0.5 * HOUR_MS;

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
  /** The present, in milliseconds since the epoch: what the market knows. */
  readonly now: number;
  /** From now on. */
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
  events: readonly SpotEvent[],
  when: EffectTime,
): Effects {
  if (events.length === 0) return NO_EFFECTS;
  const carried = carriedShare(events, when);
  let [lift, level, spikes, drops] = [0, 1, 1, 1];
  for (const event of events) {
    const share = shareAt(event, place, nodes, carried) * chanceAt(event, when);
    const size = event.size * remainingOf(event, when.now);
    if (share === 0 || size === 0) continue;
    const profile = EVENT_PROFILES[event.type];
    lift += share * Math.expm1((profile.lift ?? 0) * size) * weightOf(profile, when.localHour);
    level *= 1 + share * Math.expm1((profile.level ?? 0) * size);
    spikes *= 1 + share * Math.expm1((profile.spikes ?? 0) * size);
    drops *= 1 + share * Math.expm1((profile.drops ?? 0) * size);
  }
  return { lift, level, hazards: { spikes, drops } };
}

/** The factor of the fuel shocks at a node itself: a line carries power, not fuel. */
export function fuelFactorAt(node: string, events: readonly SpotEvent[], now: number): number {
  return events.filter((event) => event.node === null || event.node === node)
    .reduce(
      (factor, event) =>
        factor * Math.exp((EVENT_PROFILES[event.type].level ?? 0) * event.size * remainingOf(event, now)),
      1,
    );
}

/** The expected share of effects that reaches the other node. An event of congestion takes the line up to its size. */
function carriedShare(events: readonly SpotEvent[], when: EffectTime): number {
  let free = when.freeChance;
  for (const event of events) {
    if (event.type !== "line_congestion") continue;
    free *= 1 - Math.min(1, event.size * remainingOf(event, when.now)) * chanceAt(event, when);
  }
  return CARRIED_IF_CONGESTED + free * (CARRIED - CARRIED_IF_CONGESTED);
}

/** The share of an event that acts at a node. Congestion without a named node is behind the line, at the second node. */
function shareAt({ type, node }: SpotEvent, place: 0 | 1, nodes: readonly [string, string], carried: number): number {
  if (type === "line_congestion") return (node ?? nodes[1]) === nodes[place] ? 1 : 0;
  return node === null || node === nodes[place] ? 1 : carried;
}

/** The chance that an event of now still acts. */
function chanceAt({ type, startTime }: SpotEvent, { now, time }: EffectTime): number {
  if (time === now) return 1;
  const belief = Math.min(1, (now - startTime + FIRST_BELIEF_MS) / BELIEF_MS);
  return Math.exp(-(time - now) / (belief * EVENT_PROFILES[type].expectedHours * HOUR_MS));
}

function weightOf({ hours, otherwise = 1 }: EventProfile, localHour: number): number {
  const acts = hours === undefined || hours.some(([from, until]) => localHour >= from && localHour < until);
  return acts ? 1 : otherwise;
}
