// What was special at each time, as lanes below spot prices: spikes and drops of each node, congestion, market events. Times
// are seconds since 1970.

import type { SpotEvent, SpotNode, SpotResult } from "../contract/tool-results.ts";
import { price } from "./format.ts";
import { eventName, HOUR, priceBefore, seconds } from "./spot-news.ts";

interface LaneBox {
  readonly from: number;
  readonly to: number;
  readonly kind: "spike" | "drop" | "other" | "congestion" | "event";
  /** What it is, in a few words. */
  readonly label: string;
  /** What it did to the prices of its nodes: `NORTH 45.20 → 78.90`. */
  readonly effect?: string;
}

export interface Lane {
  readonly name: string;
  readonly boxes: readonly LaneBox[];
}

const CALM = "base";
/** Spot prices move every five minutes. */
const STEP = 300;
/** Cents/MWh: nodes whose prices differ by more have a full line between them (docs/spot-model.md). */
const CONGESTED = 100;

/** A lane for each node, one for congestion if there are two nodes, and one for each type of event that acts. */
export function lanesOf({ nodes, congested, events }: Omit<SpotResult, "status">, now: number): Lane[] {
  const [first, second] = nodes;
  const types = Map.groupBy(events, ({ type }) => type);
  return [
    ...nodes.map((node) => ({ name: node.node, boxes: regimeBoxes(node, now) })),
    ...(nodes.length === 2 && first !== undefined && second !== undefined
      ? [{ name: "congestion", boxes: congestionBoxes(first, second, congested, now) }]
      : []),
    ...[...types].map(([type, ofType]) => ({
      name: eventName(type),
      boxes: ofType.map((event) => eventBox(event, nodes)),
    })),
  ];
}

/** The spans in which the price was not in its calm regime. One that goes on ends now. */
export function regimeBoxes({ history, regime }: SpotNode, now: number): LaneBox[] {
  const boxes: LaneBox[] = [];
  const add = (from: number, to: number, name: string) => {
    if (name === CALM || to <= from) return;
    addBox(boxes, { from, to, kind: name === "spike" || name === "drop" ? name : "other", label: name });
  };
  for (const point of history) add(seconds(point.time), Math.min(seconds(point.time) + HOUR, now), point.regime);
  // An hour in progress may have turned a moment ago, which its mean does not show.
  if (boxes.at(-1)?.to !== now) add(now - STEP, now, regime);
  return boxes;
}

/** The hours in which the means of both nodes differ by more than a line with room allows, and now if it is full now. */
export function congestionBoxes(first: SpotNode, second: SpotNode, isNow: boolean, now: number): LaneBox[] {
  const boxes: LaneBox[] = [];
  const others = new Map(second.history.map(({ time, price }) => [time, price]));
  const add = (from: number, to: number, difference: number) => {
    const dearer = difference > 0 ? first.node : second.node;
    const label = `${dearer} dearer`;
    if (to > from) addBox(boxes, { from, to, kind: "congestion", label });
  };
  for (const { time, price } of first.history) {
    const other = others.get(time);
    const from = seconds(time);
    const to = Math.min(from + HOUR, now);
    if (other !== undefined && Math.abs(price - other) > CONGESTED) add(from, to, price - other);
    else if (other !== undefined && to === now && isNow) add(from, to, first.price - second.price);
  }
  return boxes;
}

/** From the begin of an event to its expected end. */
function eventBox(event: SpotEvent, nodes: readonly SpotNode[]): LaneBox {
  const { type, node, startedAt, endsAt } = event;
  const label = `${eventName(type)}${node === null ? "" : ` at ${node}`}`;
  const effect = nodes.filter((each) => node === null || each.node === node)
    .map((each) => `${each.node} ${price(priceBefore(each, event))} → ${price(each.price)}`).join(", ");
  return { from: seconds(startedAt), to: seconds(endsAt), kind: "event", label, effect };
}

/** One that goes on where the last box ends makes that one longer. */
function addBox(boxes: LaneBox[], box: LaneBox): void {
  const last = boxes.at(-1);
  if (last?.to === box.from && last.label === box.label) boxes[boxes.length - 1] = { ...last, to: box.to };
  else boxes.push(box);
}
