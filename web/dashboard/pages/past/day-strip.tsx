// A day of the market as a strip: sessions and halts, releases of held orders, how dense the events were, and spot prices out
// of their calm regime. Below it the same in words, each of which leads to its time. A click into the strip does so too.

import { count } from "../../../components/format.ts";
import { ErrorNote, Skeleton } from "../../../components/notices.tsx";
import { Panel } from "../../../components/panel.tsx";
import { time } from "../../../components/time-format.ts";
import { Time } from "../../live/time.tsx";
import type { PastDay } from "../../../contract/past.ts";
import type { SpotResult } from "../../../contract/tool-results.ts";
import { market } from "../../live/market-store.ts";
import { usePolled } from "../../live/polled.ts";
import { readTool, send } from "../../live/server.ts";
import {
  activityOf,
  burstMarks,
  knownOf,
  type Lane,
  type Mark,
  notable,
  type Range,
  releaseMarks,
  spotMarks,
  statusLanes,
} from "./day-marks.ts";
import { isoOf } from "./past-query.ts";
import { instantsOf, localDay } from "./time-words.ts";

/** Marks that are told in words. */
const MAX_TOLD = 12;
const HOURS = [0, 3, 6, 9, 12, 15, 18, 21] as const;
const HOUR_MS = 3_600_000;
/** The simulator keeps so many hours of spot prices. */
const SPOT_HOURS = 168;

interface DayStripProps {
  /** From one midnight of the market's time zone to the next. */
  readonly day: Range;
  readonly now: number;
  readonly timezone: string;
  /** What the list below shows. */
  readonly shown: Range;
  readonly onChoose: (range: Range) => void;
  /** A click at a time. */
  readonly onJump: (at: number) => void;
}

export function DayStrip(props: DayStripProps) {
  const { day, now, timezone } = props;
  const asked = `from=${isoOf(day.from)}&to=${isoOf(day.to)}`;
  const past = usePolled(
    async (signal) => await send("GET", `/dashboard/past/day?${asked}`, undefined, signal) as PastDay,
    asked,
    null,
  );
  const spot = usePolled(
    (signal) => readTool<SpotResult>("mkt_sim_get_spot_prices", { hours: SPOT_HOURS }, signal),
    "spot",
    null,
  );
  return (
    <Panel title={`The market on ${time(day.from, timezone, "date")}`} actions={<Since day={past.value} />}>
      {past.error !== null && <ErrorNote report={past.error} onRetry={past.reload} />}
      {past.value === null
        ? past.error === null && <Skeleton label="Reading the day" />
        : <Strip {...props} past={past.value} spot={spot.value} known={knownOf(past.value, day, now)} />}
    </Panel>
  );
}

/** From when on there are records. */
function Since({ day }: { readonly day: PastDay | null }) {
  if (day === null) return null;
  if (day.oldest === null) return <span>no records yet</span>;
  return (
    <span>
      records since <Time value={day.oldest} parts="dateTime" />
    </span>
  );
}

interface StripProps extends DayStripProps {
  readonly past: PastDay;
  /** Null: unknown. */
  readonly spot: SpotResult | null;
  readonly known: Range;
}

function Strip({ day, timezone, shown, past, spot, known, onChoose, onJump }: StripProps) {
  const isToday = known.to < day.to;
  const current = new Map(isToday ? market.markets.value.map(({ id, status }) => [id, status]) : []);
  const activity = activityOf(past.activity ?? []);
  const status = statusLanes(past.changes, known, current);
  const releases: Lane = { title: "Releases", marks: releaseMarks(past.releases) };
  const nodes = spot?.nodes ?? [];
  const spots = nodes.map((node): Lane => ({ title: `${node.node}, spot`, marks: spotMarks(node, day) }));
  const told = notable([...status, releases, ...spots].flatMap(({ marks }) => marks).concat(burstMarks(activity)));
  const at = (event: MouseEvent & { readonly currentTarget: HTMLElement }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    if (width > 0) onJump(day.from + (event.clientX - left) / width * (day.to - day.from));
  };
  return (
    <div class="past-day">
      <div class="past-strip" role="img" aria-label="The same in time; the list below says it in words">
        {status.map((lane) => <LaneOf key={lane.title} lane={lane} day={day} shown={shown} onClick={at} />)}
        <LaneOf lane={releases} day={day} shown={shown} onClick={at} />
        <div class="past-lane">
          <span class="past-title">Events</span>
          <div class="past-track past-bars" onClick={at}>
            {activity.map(({ from, to, height, isBurst }) => (
              <span
                key={from}
                class={`past-bar ${isBurst ? "past-burst" : ""}`}
                style={{ ...placeOf({ from, to }, day), height: `${height * 100}%` }}
              />
            ))}
            <span class="past-shown" style={placeOf(shown, day)} />
          </div>
        </div>
        {spots.map((lane) => <LaneOf key={lane.title} lane={lane} day={day} shown={shown} onClick={at} />)}
        <Hours day={day} timezone={timezone} />
      </div>
      <Told marks={told} timezone={timezone} onChoose={onChoose} />
      <Gaps past={past} spot={spot} day={day} known={known} timezone={timezone} />
    </div>
  );
}

interface LaneProps {
  readonly lane: Lane;
  readonly day: Range;
  readonly shown: Range;
  readonly onClick: (event: MouseEvent & { readonly currentTarget: HTMLElement }) => void;
}

function LaneOf({ lane: { title, marks }, day, shown, onClick }: LaneProps) {
  return (
    <div class="past-lane">
      <span class="past-title name">{title}</span>
      <div class="past-track" onClick={onClick}>
        {marks.map((mark, index) => (
          <span key={index} class={`past-mark past-${mark.kind}`} style={placeOf(mark, day)} title={mark.label} />
        ))}
        <span class="past-shown" style={placeOf(shown, day)} />
      </div>
    </div>
  );
}

/** Times of the market's clocks; those that are skipped when clocks are set forward are left out. */
function Hours({ day, timezone }: { readonly day: Range; readonly timezone: string }) {
  const midnight = localDay(day.from, timezone);
  return (
    <div class="past-lane past-hours">
      <span class="past-title" />
      <div class="past-track">
        {HOURS.flatMap((hour) => instantsOf(midnight + hour * HOUR_MS, timezone).slice(0, 1)).map((instant) => (
          <span key={instant} class="past-hour" style={{ left: placeOf({ from: instant, to: instant }, day).left }}>
            {time(instant, timezone, "minutes")}
          </span>
        ))}
      </div>
    </div>
  );
}

interface ToldProps {
  readonly marks: readonly Mark[];
  readonly timezone: string;
  readonly onChoose: (range: Range) => void;
}

/** The newest ones. */
function Told({ marks, timezone, onChoose }: ToldProps) {
  if (marks.length === 0) return <p class="past-quiet">No halt, release, burst or spike is known of this day.</p>;
  const left = marks.length - MAX_TOLD;
  return (
    <>
      {left > 0 && <p class="past-quiet">{count(left)} earlier ones are in the strip only.</p>}
      <ul class="past-told">
        {marks.slice(-MAX_TOLD).map((mark, index) => (
          <li key={index}>
            <button type="button" class="past-choose" onClick={() => onChoose(mark)}>
              <span class={`past-dot past-${mark.kind}`} aria-hidden="true" />
              {time(mark.from, timezone)} <span class="name">{mark.label}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What the sources do not know of the day. */
function Gaps({ past, spot, day, known, timezone }: Pick<StripProps, "past" | "spot" | "day" | "known" | "timezone">) {
  const spotSince = Math.min(
    ...(spot?.nodes ?? []).flatMap(({ history: [first] }) => first === undefined ? [] : [Date.parse(first.time)]),
  );
  const notes = [
    known.from > known.to
      ? "There are no records of this day."
      : known.from > day.from
      ? `Before ${time(known.from, timezone)} there are no records of this day.`
      : null,
    past.activity === null ? "This audit trail doesn't tell how dense its events were." : null,
    past.isCut ? "There are more changes or releases, earlier on this day." : null,
    spot === null
      ? "Spot prices are unknown."
      : spotSince > day.from
      ? spotSince > day.to
        ? "There are no spot prices of this day."
        : `Spot prices are known since ${time(spotSince, timezone, "dateTime")}.`
      : null,
  ].filter((note) => note !== null);
  return notes.length === 0 ? null : <p class="past-quiet">{notes.join(" ")}</p>;
}

/** Of the part of a range that is within the day. */
function placeOf({ from, to }: Range, day: Range): { readonly left: string; readonly width: string } {
  const share = (at: number) => Math.min(1, Math.max(0, (at - day.from) / (day.to - day.from))) * 100;
  return { left: `${share(from)}%`, width: `${share(to) - share(from)}%` };
}
