// What stands out in a day of the market: sessions and halts, releases of held orders, bursts of events, spot prices out of
// their calm regime. Times are milliseconds since 1970.

import { count, price } from "../../../components/format.ts";
import { regimeBoxes } from "../../../components/spot-lanes.ts";
import type { PastCount, PastDay, PastEvent } from "../../../contract/past.ts";
import type { SpotNode } from "../../../contract/tool-results.ts";
import { text } from "../event-words.ts";

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A part of the day. `kind` gives its colour (past.css). */
export interface Mark extends Range {
  readonly kind: string;
  readonly label: string;
}

export interface Lane {
  readonly title: string;
  readonly marks: readonly Mark[];
}

/** A burst is so many times as dense as the day. */
const BURST = 4;
const MIN_BURST = 20;
/** Events of one moment count as if they took so long. */
const MIN_SPAN = 1_000;

/** The status of each market over the day, as far as it is recorded. `known`: of this range there are records. */
export function statusLanes(changes: readonly PastEvent[], known: Range, now: ReadonlyMap<string, string>): Lane[] {
  const byMarket = Map.groupBy(
    changes.filter(({ details }) => text(details, "status") !== null),
    ({ moduleId }) => moduleId,
  );
  const ids = [...new Set([...now.keys(), ...byMarket.keys()])];
  return ids.map((id) => {
    const marks: Mark[] = [];
    const own = byMarket.get(id) ?? [];
    const begin = own[0] === undefined ? now.get(id) ?? null : text(own[0].details, "previousStatus");
    let last = { from: known.from, status: begin, reason: "" };
    const end = (to: number) => {
      const { from, status, reason } = last;
      if (status !== null && to > from) marks.push({ from, to, kind: status, label: `${status}${reason}` });
    };
    for (const { time, details } of own) {
      const reason = text(details, "reason");
      end(Date.parse(time));
      last = { from: Date.parse(time), status: text(details, "status"), reason: reason === null ? "" : `: ${reason}` };
    }
    end(known.to);
    return { title: ids.length === 1 ? "Market" : id, marks };
  });
}

export function releaseMarks(releases: readonly PastCount[]): Mark[] {
  return releases.map((release) => ({
    ...rangeOf(release),
    kind: "release",
    label: `${count(release.count)} held ${release.count === 1 ? "order" : "orders"} released`,
  }));
}

interface Activity extends Range {
  readonly count: number;
  /** Share of the densest span, 0 to 1. */
  readonly height: number;
  readonly isBurst: boolean;
}

/** How dense the events were. */
export function activityOf(counts: readonly PastCount[]): Activity[] {
  const spans = counts.map((each) => ({ ...rangeOf(each), count: each.count }));
  const [first, last] = [spans[0], spans.at(-1)];
  if (first === undefined || last === undefined) return [];
  const rate = ({ from, to, count }: Range & { readonly count: number }) => count / Math.max(MIN_SPAN, to - from);
  const total = spans.reduce((sum, { count }) => sum + count, 0);
  const mean = rate({ from: first.from, to: last.to, count: total });
  const densest = Math.max(...spans.map(rate));
  return spans.map((span) => ({
    ...span,
    height: densest === 0 ? 0 : Math.sqrt(rate(span) / densest),
    isBurst: rate(span) >= BURST * mean && span.count >= MIN_BURST,
  }));
}

/** Bursts that follow each other are one. */
export function burstMarks(activity: readonly Activity[]): Mark[] {
  const bursts: (Range & { count: number })[] = [];
  for (const { from, to, count, isBurst } of activity) {
    const last = bursts.at(-1);
    if (!isBurst) continue;
    if (last?.to === from) bursts[bursts.length - 1] = { from: last.from, to, count: last.count + count };
    else bursts.push({ from, to, count });
  }
  return bursts.map(({ from, to, count: events }) => ({
    from,
    to,
    kind: "burst",
    label: `burst of ${count(events)} events in ${count(Math.max(1, Math.round((to - from) / 1_000)))} s`,
  }));
}

/** Spans in which a node's price was not in its calm regime, within a range. */
export function spotMarks(node: SpotNode, range: Range): Mark[] {
  return regimeBoxes(node, Date.parse(node.time) / 1_000).flatMap(({ label: regime, from, to }) => {
    const span = within({ from: from * 1_000, to: to * 1_000 }, range);
    if (span === null) return [];
    const prices = [...node.history, node].filter((point) => {
      const at = Date.parse(point.time);
      return point.regime === regime && at >= span.from && at <= span.to;
    }).map(({ price }) => price);
    const peak = prices.length === 0 ? "" : regime === "drop" ? Math.min(...prices) : Math.max(...prices);
    return [{
      ...span,
      kind: regime,
      label: `${regime} at ${node.node}${peak === "" ? "" : `: ${price(peak)} $/MWh`}`,
    }];
  });
}

/** What is worth a look, oldest first. A market that is open, or closed, is not. */
export function notable(marks: readonly Mark[]): Mark[] {
  return marks.filter(({ kind }) => !["open", "closed", "preopen"].includes(kind)).toSorted((a, b) => a.from - b.from);
}

/** The part of the day of which there are records. */
export function knownOf({ oldest }: Pick<PastDay, "oldest">, day: Range, now: number): Range {
  return { from: Math.max(day.from, oldest === null ? now : Date.parse(oldest)), to: Math.min(day.to, now) };
}

/** Null: nothing of it is. */
function within({ from, to }: Range, range: Range): Range | null {
  const span = { from: Math.max(from, range.from), to: Math.min(to, range.to) };
  return span.from < span.to ? span : null;
}

function rangeOf({ from, to }: PastCount): Range {
  return { from: Date.parse(from), to: Date.parse(to) };
}
