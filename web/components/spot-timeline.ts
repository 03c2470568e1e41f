// Spot prices on one axis of time: what they were, what the market pays for the hours to come, and what was special at each
// time. Times are seconds since 1970, prices cents/MWh.

import type { SpotResult } from "../contract/tool-results.ts";
import { type Lane, lanesOf } from "./spot-lanes.ts";
import { HOUR, seconds } from "./spot-news.ts";

/** A price from one time to another. */
export interface PriceStep {
  readonly from: number;
  readonly to: number;
  readonly price: number;
}

/** What contracts of coming hours cost, by node, the earliest first. */
export type Outlook = ReadonlyMap<string, readonly PriceStep[]>;

interface TimelineNode {
  readonly node: string;
  readonly past: readonly PriceStep[];
  readonly ahead: readonly PriceStep[];
  /** Spot price now. */
  readonly price: number;
}

export interface Timeline {
  readonly from: number;
  readonly now: number;
  readonly to: number;
  readonly nodes: readonly TimelineNode[];
  readonly lanes: readonly Lane[];
}

/** Beyond it nothing is drawn. */
const MOST_AHEAD = 48 * HOUR;
/** Room right of the present. */
const LEAST_AHEAD = HOUR;

/** Null: no price is known. */
export function timelineOf(spot: SpotResult, outlook: Outlook = new Map()): Timeline | null {
  const { nodes } = spot;
  const begins = nodes.flatMap(({ history }) => history.slice(0, 1).map(({ time }) => seconds(time)));
  if (begins.length === 0) return null;
  const now = Math.max(...nodes.map(({ time }) => seconds(time)));
  const shown = nodes.map(({ node, history, price }): TimelineNode => ({
    node,
    price,
    past: history.map(({ time, price }) => ({ from: seconds(time), to: Math.min(seconds(time) + HOUR, now), price }))
      .filter(({ from, to }) => to > from),
    ahead: (outlook.get(node) ?? []).filter(({ from }) => from >= now && from < now + MOST_AHEAD),
  }));
  const ends = [
    ...shown.flatMap(({ ahead }) => ahead.map(({ to }) => to)),
    ...spot.events.map((e) => seconds(e.endsAt)),
  ];
  const from = Math.min(...begins, now - HOUR);
  const to = Math.min(Math.max(now + LEAST_AHEAD, ...ends), now + MOST_AHEAD);
  return { from, now, to, nodes: shown, lanes: lanesOf(spot, now) };
}

/** Every price of it. */
export function pricesOf({ nodes }: Timeline): number[] {
  return nodes.flatMap((
    { past, ahead, price },
  ) => [price, ...past.map((each) => each.price), ...ahead.map((e) => e.price)]);
}

export interface Reading {
  /** By node; null: unknown. Up to now these are spot prices, later what the market pays. */
  readonly prices: readonly { readonly node: string; readonly price: number | null }[];
  readonly isAhead: boolean;
  /** `NORTH: spike`, `congestion: WEST dearer`, `heat wave`. */
  readonly notes: readonly string[];
}

export function readingAt({ nodes, lanes, now }: Timeline, at: number): Reading {
  const isAt = ({ from, to }: { readonly from: number; readonly to: number }) => from <= at && at < to;
  const isAhead = at > now;
  return {
    isAhead,
    prices: nodes.map(({ node, past, ahead, price }) => ({
      node,
      price: at === now ? price : (isAhead ? ahead : past).find(isAt)?.price ?? null,
    })),
    notes: lanes.flatMap(({ name, boxes }) =>
      boxes.filter(isAt).map(({ kind, label }) => kind === "event" ? label : `${name}: ${label}`)
    ),
  };
}

/** Hour by hour, the newest first: what a table of the picture shows. `isAhead` rows are contracts. */
export function hoursOf(timeline: Timeline): readonly { readonly from: number; readonly reading: Reading }[] {
  const begins = timeline.nodes.flatMap(({ past, ahead }) => [...past, ...ahead].map(({ from }) => from));
  return [...new Set(begins)].sort((a, b) => b - a).map((from) => ({ from, reading: readingAt(timeline, from) }));
}
