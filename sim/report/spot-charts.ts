// Charts of spot prices: over time with regimes, events and congestion, how long each price lasted, and the mean day.

import type { Chart } from "../../common/plot/chart.ts";
import type { Band, Layer } from "../../common/plot/layers.ts";
import { seriesTone } from "../../common/plot/svg.ts";
import { localTime } from "../../common/plot/time-marks.ts";
import { CENTS_PER_DOLLAR } from "../../engine/market/units.ts";
import { MINUTE_MS } from "../../protocol/time-units.ts";
import { durationCurve, type NodeSamples, type SpotBucket, type SpotSamples } from "./spot-samples.ts";
import type { TimeBucket } from "./time-buckets.ts";

export interface ShownEvent {
  readonly time: number;
  readonly until: number;
  readonly type: string;
  /** Null: all nodes. */
  readonly node: string | null;
  readonly size: number;
}

interface SpotOptions {
  readonly samples: SpotSamples;
  readonly end: number;
  readonly events: readonly ShownEvent[];
  readonly width: number;
  /** Dollars/MWh, for charts that are compared; absent: of these prices. */
  readonly domain?: readonly [number, number] | undefined;
}

/** Dollars/MWh at which the scale of prices changes from linear to logarithmic. */
const BEND = 20;
const CURVE_POINTS = 201;
const ROW = 17;
const MOST_EVENT_ROWS = 12;
const LEFT = 104;

/** Prices over time, and below them what was special at each time. */
export function spotOverTime({ samples, end, events, width, domain }: SpotOptions): [Chart, Chart] {
  const { start, timezone } = samples;
  const x = { kind: "time", timezone, domain: [start, end] } as const;
  const shown = samples.nodes.map((node) => ({ node, buckets: node.buckets.upTo(end) }));
  const bands = (regime: "spikes" | "drops") =>
    joined(shown.flatMap(({ buckets }) => buckets.filter(({ value }) => value[regime] > 0)));
  // Where hours are summed up, nearly every bucket of a long time has an hour with a spike: the rows below show how many.
  const isSummedUp = shown.some(({ buckets }) => buckets.some(({ value }) => value.count > 12));
  const { from = 0, to = 0 } = shown[0]?.buckets[0] ?? {};
  const bucketMs = to - from;
  const isSteps = shown.every(({ buckets }) => buckets.every(({ value }) => value.count === 1));
  const prices: Chart = {
    title: isSteps ? "Spot prices" : `Spot prices, mean and range of ${lengthOf(bucketMs)}`,
    description: `Prices of ${
      shown.map(({ node }) => node.name).join(" and ")
    } on a scale that is linear near zero and logarithmic beyond.`,
    x,
    y: { kind: "bent", bend: BEND, label: "$/MWh", ...(domain === undefined ? {} : { domain }) },
    layers: [
      ...(isSummedUp ? [] : [
        { kind: "bands", axis: "x", tone: "spike", name: "a node in a spike", bands: bands("spikes") } as const,
        { kind: "bands", axis: "x", tone: "drop", name: "a node in a drop", bands: bands("drops") } as const,
      ]),
      // The first node is drawn last: usually the prices are equal.
      ...shown.toReversed().flatMap(({ node, buckets }, at) =>
        priceLayers(node, buckets, samples.nodes.length - 1 - at, end)
      ),
    ],
    width,
    height: 270,
    left: LEFT,
  };
  return [prices, stripChart(samples, shown, events, { end, width })];
}

/** Such as 80 minutes or 16 hours. */
function lengthOf(durationMs: number): string {
  const minutes = durationMs / MINUTE_MS;
  return minutes < 120 || minutes % 60 !== 0 ? `${minutes} minutes` : `${minutes / 60} hours`;
}

function priceLayers(
  { name }: NodeSamples,
  buckets: readonly TimeBucket<SpotBucket>[],
  place: number,
  end: number,
): Layer[] {
  const last = buckets.at(-1);
  const mean = ({ sum, count }: SpotBucket) => sum / count / CENTS_PER_DOLLAR;
  const ending = last === undefined ? [] : [[Math.min(end, last.to), mean(last.value)] as const];
  const isSummedUp = buckets.some(({ value: { low, high } }) => low !== high);
  return [
    ...(isSummedUp
      ? [{
        kind: "area" as const,
        tone: seriesTone(place),
        isStepped: true,
        extents: buckets.map(({ from, value: { low, high } }) =>
          [from, low / CENTS_PER_DOLLAR, high / CENTS_PER_DOLLAR] as const
        ),
      }]
      : []),
    {
      kind: "line",
      name,
      tone: seriesTone(place),
      isStepped: true,
      width: place === 0 ? 1.6 : 1.3,
      isDashed: place > 0,
      points: [...buckets.map(({ from, value }) => [from, mean(value)] as const), ...ending],
    },
  ];
}

/** A row for each event; if there are many, one for each type. */
function eventRows(events: readonly ShownEvent[]): [ShownEvent, ...ShownEvent[]][] {
  if (events.length <= MOST_EVENT_ROWS) return events.map((event) => [event]);
  const rows = new Map<string, [ShownEvent, ...ShownEvent[]]>();
  for (const event of events) {
    const row = rows.get(event.type);
    if (row === undefined) rows.set(event.type, [event]);
    else row.push(event);
  }
  return [...rows.values()];
}

/** Rows for the regimes of each node, for congestion, and for events. */
function stripChart(
  { start, timezone, congestion }: SpotSamples,
  nodes: readonly { readonly node: NodeSamples; readonly buckets: readonly TimeBucket<SpotBucket>[] }[],
  events: readonly ShownEvent[],
  { end, width }: { readonly end: number; readonly width: number },
): Chart {
  const isTwo = nodes.length === 2;
  const shownEvents = events.filter(({ time, until }) => until > start && time < end);
  const rows = eventRows(shownEvents);
  const names = [
    ...nodes.map(({ node }) => node.name),
    ...(isTwo ? ["congested"] : []),
    ...rows.map(([{ type }]) => type.replaceAll("_", " ")),
  ];
  const row = (at: number): [number, number] => [at - 0.36, at + 0.36];
  const boxes = (at: number, buckets: readonly { from: number; to: number; strength: number }[]) =>
    joined(buckets.filter(({ strength }) => strength > 0)).map(({ from, to, strength }) => ({
      x: [from, Math.min(to, end)] as const,
      y: row(at),
      strength: 0.35 + 0.65 * strength,
    }));
  const regimes = (regime: "spikes" | "drops") =>
    nodes.flatMap(({ buckets }, at) =>
      boxes(at, buckets.map(({ from, to, value }) => ({ from, to, strength: value[regime] / value.count })))
    );
  const congested = congestion.upTo(end).map(({ from, to, value }) => ({
    from,
    to,
    strength: value.congested / value.count,
  }));
  return {
    title: "",
    description: "When each node was in a spike or a drop, when the line was congested, and when events acted.",
    x: { kind: "time", timezone, domain: [start, end], label: `market time, ${timezone}` },
    y: { kind: "names", names },
    layers: [
      { kind: "boxes", tone: "spike", name: "spike", boxes: regimes("spikes") },
      { kind: "boxes", tone: "drop", name: "drop", boxes: regimes("drops") },
      ...(isTwo
        ? [{
          kind: "boxes" as const,
          tone: "congestion" as const,
          name: "congestion",
          boxes: boxes(nodes.length, congested),
        }]
        : []),
      ...(shownEvents.length === 0 ? [] : [{
        kind: "boxes" as const,
        tone: "event" as const,
        name: "event",
        boxes: rows.flatMap((each, at) =>
          each.map(({ time, until, type, node, size }) => ({
            x: [Math.max(start, time), Math.min(end, until)] as const,
            y: row(nodes.length + (isTwo ? 1 : 0) + at),
            title: `${type}, size ${size}, ${node ?? "all nodes"}, ${localTime(time, timezone)} to ${
              localTime(until, timezone)
            }`,
          }))
        ),
      }]),
    ],
    width,
    height: 62 + names.length * ROW,
    left: LEFT,
    emptyText: "no spike, no drop, no congestion, no event",
  };
}

/** How long each price lasted, and the mean price of each hour of the day. */
export function spotSummaries({ nodes }: SpotSamples, width: number): [Chart, Chart] {
  const line = (place: number, name: string, points: readonly (readonly [number, number])[]): Layer => ({
    kind: "line",
    tone: seriesTone(place),
    name,
    points,
    isDashed: place > 0,
  });
  const duration: Chart = {
    title: "How long prices lasted",
    description: "The price that was reached or exceeded for a share of the time.",
    x: { kind: "linear", domain: [0, 100], label: "% of the time at this price or above" },
    y: { kind: "bent", bend: BEND, label: "$/MWh" },
    layers: nodes.map(({ name, prices }, place) =>
      line(
        place,
        name,
        durationCurve(prices, CURVE_POINTS).map(([percent, cents]) => [percent, cents / CENTS_PER_DOLLAR] as const),
      )
    ),
    width,
    height: 230,
  };
  const day: Chart = {
    title: "Mean price by hour of the day",
    x: { kind: "linear", domain: [0, 23], markEvery: 3, label: "local hour" },
    y: { kind: "linear", label: "$/MWh", isRounded: true },
    layers: nodes.map(({ name, hours }, place) =>
      line(
        place,
        name,
        hours.flatMap(({ sum, count }, hour) => count === 0 ? [] : [[hour, sum / count / CENTS_PER_DOLLAR] as const]),
      )
    ),
    width,
    height: 230,
  };
  return [duration, day];
}

/** Bands that touch or overlap become one, if they are equally strong. */
function joined<Each extends Band & { readonly strength?: number }>(bands: readonly Each[]) {
  const all: { from: number; to: number; strength: number }[] = [];
  for (const { from, to, strength = 1 } of bands.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && from <= last.to && strength === last.strength) last.to = Math.max(last.to, to);
    else all.push({ from, to, strength });
  }
  return all;
}
