// Spot prices as a chart shows them: points, spans of a regime or a market event to be shaded, and the spread of two nodes.

import type { SpotEvent, SpotNode, SpotPoint, SpotResult } from "../contract/tool-results.ts";
import type { ChartBand } from "./chart-bands.ts";
import type { LinePoint } from "./chart-series.ts";

const HOUR = 3_600;
const CALM = "base";

const converted = new WeakMap<readonly SpotPoint[], readonly LinePoint[]>();

/** The history, then the price now. The points of a history are the same objects each time, so a chart knows them again. */
export function linePoints({ history, time, price }: SpotNode): LinePoint[] {
  let points = converted.get(history);
  if (points === undefined) {
    points = history.map((point) => ({ time: seconds(point.time), value: point.price }));
    converted.set(history, points);
  }
  const last = points.at(-1);
  const now = seconds(time);
  return last !== undefined && now <= last.time ? [...points] : [...points, { time: now, value: price }];
}

/** First node less second, cents/MWh, at the hours that both have; empty unless there are two nodes. */
export function spreadPoints(nodes: readonly SpotNode[]): LinePoint[] {
  const [first, second] = nodes;
  if (first === undefined || second === undefined || nodes.length !== 2) return [];
  const others = new Map(linePoints(second).map(({ time, value }) => [time, value]));
  return linePoints(first).flatMap(({ time, value }) => {
    const other = others.get(time);
    return value === undefined || other === undefined ? [] : [{ time, value: value - other }];
  });
}

/** Oldest first. Spans of the same regime at several nodes are one band. */
export function spotBands({ nodes, events }: Pick<SpotResult, "nodes" | "events">): ChartBand[] {
  const begin = Math.min(...nodes.flatMap(({ history }) => history[0] === undefined ? [] : [seconds(history[0].time)]));
  return [...regimeBands(nodes), ...events.map((event) => eventBand(event, begin))].sort((a, b) => a.from - b.from);
}

interface Span {
  readonly regime: string;
  readonly from: number;
  readonly to: number | null;
}

function regimeBands(nodes: readonly SpotNode[]): ChartBand[] {
  const spans = nodes.flatMap((node) => regimeSpans(node).map((span) => ({ span, node: node.node })));
  const same = Map.groupBy(spans, ({ span }) => `${span.regime} ${span.from} ${span.to}`);
  return [...same.values()].map((group) => {
    const { span: { regime, from, to } } = group[0]!;
    const where = group.length === nodes.length && nodes.length > 1
      ? ""
      : `${group.map(({ node }) => node).join(", ")} `;
    return { from, to, colour: colourOf(regime), label: `${where}${regime}` };
  });
}

/** The spans in which the price was not in its calm regime. The last one has no end if it goes on. */
export function regimeSpans({ history, regime, time }: SpotNode): Span[] {
  const spans: Span[] = [];
  const now = seconds(time);
  for (const point of history) {
    const from = seconds(point.time);
    const last = spans.at(-1);
    if (point.regime === CALM) continue;
    const to = Math.max(from, Math.min(from + HOUR, now));
    if (last?.regime === point.regime && last.to === from) spans[spans.length - 1] = { ...last, to };
    else spans.push({ regime: point.regime, from, to });
  }
  if (regime === CALM) return spans;
  const last = spans.at(-1);
  if (last?.regime === regime && last.to !== null && last.to >= now - HOUR) {
    spans[spans.length - 1] = { ...last, to: null };
  } else spans.push({ regime, from: now, to: null });
  return spans;
}

/** An event that began before the chart does is shaded from its begin. */
function eventBand({ type, node, startedAt, endsAt }: SpotEvent, begin: number): ChartBand {
  const label = `${eventName(type)}${node === null ? "" : ` at ${node}`}`;
  return { from: Math.max(seconds(startedAt), begin), to: seconds(endsAt), colour: "warning", label };
}

export function eventName(type: string): string {
  return type.replaceAll("_", " ");
}

function colourOf(regime: string): ChartBand["colour"] {
  if (regime === "spike") return "danger";
  return regime === "drop" ? "good" : "muted";
}

/** The prices as `change.spot` events have made them: the price now, not the history. */
export function withSpotEvent(spot: SpotResult, data: Readonly<Record<string, unknown>>): SpotResult {
  const { node, price, regime, time } = data;
  if (typeof price !== "number" || typeof regime !== "string" || typeof time !== "string") return spot;
  const isNews = (now: SpotNode) => now.node === node && Date.parse(time) >= Date.parse(now.time);
  if (!spot.nodes.some(isNews)) return spot;
  return { ...spot, nodes: spot.nodes.map((now) => isNews(now) ? { ...now, price, regime, time } : now) };
}

function seconds(time: string): number {
  return Math.floor(Date.parse(time) / 1_000);
}
