// Spot prices over time, what the market pays for the hours to come, and below them, on the same axis, what was special at each
// time. Lines are drawn; boxes and words are elements, so they have the reader's colours and font. The mouse or the arrow keys
// read a time out; the table has the same figures.

import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { price } from "./format.ts";
import "./node-colours.css";
import { timeMarks } from "./spot-axis.ts";
import type { Lane } from "./spot-lanes.ts";
import { HOUR } from "./spot-news.ts";
import "./spot-picture.css";
import { priceScale } from "./spot-scale.ts";
import { pricesOf, type PriceStep, type Reading, readingAt, type Timeline } from "./spot-timeline.ts";
import { time, zoneName } from "./time-format.ts";

interface SpotPictureProps {
  readonly timeline: Timeline;
  readonly timezone: string;
  /** What there is to see, in sentences. */
  readonly summary: string;
  /** Of the prices, CSS pixels. */
  readonly height: number;
}

/** Units of the drawing, which is stretched to its box. */
const SIZE = 1_000;
const MOST_TIME_MARKS = 9;
/** A mark further right has no room for its label. */
const LAST_MARK = 0.97;
/** Of the words of an event, CSS pixels. */
const EFFECT_HEIGHT = 16;

export function SpotPicture({ timeline, timezone, summary, height }: SpotPictureProps) {
  const { from, now, to, nodes, lanes } = timeline;
  const [at, setAt] = useState<number | null>(null);
  const scale = useMemo(() => priceScale(pricesOf(timeline)), [timeline]);
  const marks = useMemo(() => timeMarks(from, to, timezone, MOST_TIME_MARKS), [from, to, timezone]);
  const place = (seconds: number) => (seconds - from) / (to - from);
  const shown = at === null ? null : Math.min(to, Math.max(from, at));
  const onKeyDown = (event: KeyboardEvent) => {
    const next = readNext(event.key, shown ?? now, timeline);
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
  };
  const onPointerMove = ({ clientX, currentTarget }: PointerEvent & { readonly currentTarget: HTMLElement }) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt(Math.round(from + (clientX - left) / width * (to - from)));
  };
  const events = lanes.flatMap(({ boxes }) => boxes.filter(({ kind }) => kind === "event"));
  return (
    <div class="spot-picture">
      <Legend timeline={timeline} />
      <div class="spot-axes">
        <div class="spot-scale" aria-hidden="true" style={{ height: `${height}px` }}>
          {scale.marks.map((mark) => (
            <span key={mark} style={{ bottom: percent(scale.at(mark)) }}>{price(mark).replace(/\.00$/, "")}</span>
          ))}
        </div>
        <div
          class="spot-area"
          role="img"
          aria-label={`Spot prices, $/MWh. ${summary} Left and right read out an hour, Home and End the ends.`}
          tabIndex={0}
          style={{ height: `${height}px` }}
          onKeyDown={onKeyDown}
          onBlur={() => setAt(null)}
          onPointerMove={onPointerMove}
          onPointerLeave={() => setAt(null)}
        >
          {events.map(({ from, to }, index) => (
            <Band
              key={index}
              class="spot-band"
              from={place(from)}
              to={place(to)}
            />
          ))}
          <svg viewBox={`0 0 ${SIZE} ${SIZE}`} preserveAspectRatio="none">
            {marks.map(({ at }) => <path key={at} class="spot-grid" d={`M${unit(place(at))} 0V${SIZE}`} />)}
            {scale.marks.map((mark) => (
              <path
                key={mark}
                class={mark === 0 ? "spot-zero" : "spot-grid"}
                d={`M0 ${unit(1 - scale.at(mark))}H${SIZE}`}
              />
            ))}
            <path class="spot-now" d={`M${unit(place(now))} 0V${SIZE}`} />
            {nodes.map(({ node, past, ahead }, index) => (
              <g key={node} class={`spot-line spot-node-${index % 2}`}>
                <path d={pathOf(past, place, scale.at)} />
                <path class="spot-ahead" d={pathOf(ahead, place, scale.at)} />
              </g>
            ))}
            {shown !== null && <path class="spot-pointer" d={`M${unit(place(shown))} 0V${SIZE}`} />}
          </svg>
          <span class="spot-now-label" style={{ left: percent(place(now)) }}>now</span>
          {events.map(({ from, label, effect }, index) => (
            <span
              key={index}
              class="spot-effect"
              style={{ left: percent(Math.max(0, place(from))), top: `${index * EFFECT_HEIGHT}px` }}
            >
              {label}: {effect}
            </span>
          ))}
          {shown !== null && (
            <Readout
              at={shown}
              isRight={place(shown) > 0.5}
              timeline={timeline}
              timezone={timezone}
            />
          )}
        </div>
        {lanes.map((lane) => <LaneRow key={lane.name} lane={lane} place={place} />)}
        <div class="spot-times" aria-hidden="true">
          {marks.filter(({ at }) => place(at) <= LAST_MARK).map(({ at, label }) => (
            <span key={at} style={{ left: percent(place(at)) }}>{label}</span>
          ))}
        </div>
      </div>
      <p class="visually-hidden" role="status">{shown !== null && readoutText(timeline, shown, timezone)}</p>
    </div>
  );
}

/** The time that a key leads to; null: none; undefined: the key means nothing. */
function readNext(key: string, at: number, { from, to }: Timeline): number | null | undefined {
  if (key === "ArrowLeft") return Math.max(from, at - HOUR);
  if (key === "ArrowRight") return Math.min(to, at + HOUR);
  if (key === "Home") return from;
  if (key === "End") return to;
  return key === "Escape" ? null : undefined;
}

function Legend({ timeline: { nodes } }: { readonly timeline: Timeline }) {
  const hasAhead = nodes.some(({ ahead }) => ahead.length > 0);
  return (
    <ul class="spot-legend">
      {nodes.map(({ node }, index) => (
        <li key={node}>
          <span class={`spot-key spot-node-${index % 2}`} aria-hidden="true" />
          <span class="name">{node}</span>
        </li>
      ))}
      {hasAhead && (
        <li>
          <span class="spot-key spot-key-ahead" aria-hidden="true" />what the market pays for an hour to come
        </li>
      )}
    </ul>
  );
}

interface BandProps {
  readonly class: string;
  /** Parts of the width. */
  readonly from: number;
  readonly to: number;
  readonly children?: ComponentChildren;
}

/** Cut at both ends of the picture. */
function Band({ class: name, from, to, children }: BandProps) {
  const [left, right] = [Math.max(0, from), Math.min(1, to)];
  if (right <= 0 || left >= 1) return null;
  return (
    <div class={name} style={{ left: percent(left), width: percent(right - left) }}>
      <span>{children}</span>
    </div>
  );
}

interface LaneRowProps {
  readonly lane: Lane;
  readonly place: (seconds: number) => number;
}

function LaneRow({ lane: { name, boxes }, place }: LaneRowProps) {
  return (
    <>
      <span class="spot-lane-name name">{name}</span>
      <div class="spot-lane" aria-hidden="true">
        {boxes.map(({ from, to, kind, label }, index) => (
          <Band key={index} class={`spot-box spot-${kind}`} from={place(from)} to={place(to)}>{label}</Band>
        ))}
      </div>
    </>
  );
}

interface ReadoutProps {
  readonly at: number;
  readonly isRight: boolean;
  readonly timeline: Timeline;
  readonly timezone: string;
}

function Readout({ at, isRight, timeline, timezone }: ReadoutProps) {
  const { prices, notes } = readingAt(timeline, at);
  return (
    <div class={`spot-readout ${isRight ? "spot-readout-left" : ""}`} aria-hidden="true">
      <b>{time(at * 1_000, timezone, "dateTime").slice(0, -3)} {zoneName(at * 1_000, timezone)}</b>
      {prices.map(({ node, price: cents }) => (
        <span key={node}>
          <bdi>{node}</bdi> {price(cents)}
        </span>
      ))}
      {notes.map((note) => <span key={note}>{note}</span>)}
    </div>
  );
}

function readoutText(timeline: Timeline, at: number, timezone: string): string {
  const reading = readingAt(timeline, at);
  return `${time(at * 1_000, timezone, "dateTime").slice(0, -3)}: ${pricesText(reading)}${
    reading.notes.map((note) => `, ${note}`).join("")
  }`;
}

function pricesText({ prices, isAhead }: Reading): string {
  const each = prices.map(({ node, price: cents }) => `${node} ${cents === null ? "unknown" : price(cents)}`);
  return `${each.join(", ")}${isAhead ? " in the market" : ""}`;
}

function pathOf(steps: readonly PriceStep[], x: (seconds: number) => number, y: (cents: number) => number): string {
  let end: number | null = null;
  return steps.map(({ from, to, price }) => {
    const up = unit(1 - y(price));
    const begin = end === from ? `V${up}` : `M${unit(x(from))} ${up}`;
    end = to;
    return `${begin}H${unit(x(to))}`;
  }).join("");
}

/** Of the drawing, to a tenth. */
function unit(part: number): number {
  return Math.round(part * SIZE * 10) / 10;
}

function percent(part: number): string {
  return `${Math.round(part * 10_000) / 100}%`;
}
