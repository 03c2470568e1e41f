// What happened: the events of any time of which the audit trail has records, and the market's day about it. The address has
// the time and the filters, so it can be kept and shared.

import { computed } from "@preact/signals";
import { useState } from "preact/hooks";
import { Button } from "../../../components/button.tsx";
import { Choice } from "../../../components/choice.tsx";
import { count } from "../../../components/format.ts";
import { EmptyState, ErrorNote, Skeleton } from "../../../components/notices.tsx";
import { Panel } from "../../../components/panel.tsx";
import { time } from "../../../components/time-format.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../protocol/time-units.ts";
import { marketNow, timezone } from "../../live/market-clock.ts";
import { PageHead } from "../page-head.tsx";
import { address, type PageProps } from "../page.ts";
import type { Range } from "./day-marks.ts";
import { DayStrip } from "./day-strip.tsx";
import { PastFilterFields } from "./past-filters.tsx";
import { parametersOf, type PastQuery, queryOf } from "./past-query.ts";
import { PastTable } from "./past-table.tsx";
import "./past.css";
import { localDay, startOfDay } from "./time-words.ts";
import { MAX_EVENTS, usePast } from "./use-past.ts";
import { When } from "./when.tsx";

const LENGTHS: readonly (readonly [string, string])[] = [
  [String(MINUTE_MS), "1 min"],
  [String(10 * MINUTE_MS), "10 min"],
  [String(HOUR_MS), "1 h"],
  [String(DAY_MS), "1 day"],
];
const USUAL = 10 * MINUTE_MS;
/** Shown before and after what has been chosen in the strip. */
const MARGIN = MINUTE_MS / 2;

const isTimeKnown = computed(() => marketNow.value !== null);

export default function PastPage({ argument }: PageProps) {
  return (
    <div class="page">
      <PageHead title="What happened">
        <a class="past-live" href={address("events")}>Live events</a>
      </PageHead>
      {isTimeKnown.value ? <Past argument={argument} /> : (
        <EmptyState title="The time of the market is unknown">
          The past is shown once this server is connected to the market.
        </EmptyState>
      )}
    </div>
  );
}

function Past({ argument }: PageProps) {
  const zone = timezone.value;
  const now = marketNow.peek()!;
  const [query, setQuery] = useState(() => queryOf(argument, now, USUAL));
  const go = (next: PastQuery) => {
    setQuery(next);
    // Not by location.hash, which would begin the page anew.
    history.replaceState(null, "", address("past", parametersOf(next)));
  };
  const length = query.to - query.from;
  const choose = ({ from, to }: Range) => go({ ...query, from: from - MARGIN, to: to + MARGIN });
  const jump = (at: number) => {
    const from = Math.floor(at / MINUTE_MS) * MINUTE_MS;
    go({ ...query, from, to: from + Math.min(length, USUAL) });
  };
  const midnight = localDay(query.from, zone);
  const day = { from: startOfDay(midnight, zone), to: startOfDay(midnight + DAY_MS, zone) };
  return (
    <>
      <When length={length} onMeant={(range) => go({ ...query, ...range })} />
      <div class="past-steps">
        <Button small icon="up" onClick={() => go({ ...query, from: query.from - length, to: query.from })}>
          Earlier
        </Button>
        <Choice
          label="Length"
          options={LENGTHS}
          value={String(length)}
          onChange={(value) => go({ ...query, to: query.from + Number(value) })}
        />
        <Button
          small
          icon="down"
          unavailable={query.to > now ? "This is the newest." : null}
          onClick={() => go({ ...query, from: query.to, to: query.to + length })}
        >
          Later
        </Button>
      </div>
      <DayStrip day={day} now={now} timezone={zone} shown={query} onChoose={choose} onJump={jump} />
      <PastFilterFields filters={query} onChange={(filters) => go({ ...query, ...filters })} />
      <Events query={query} zone={zone} />
    </>
  );
}

function Events({ query, zone }: { readonly query: PastQuery; readonly zone: string }) {
  const { events, cursor, searchedTo, error, isReading, more } = usePast(parametersOf(query));
  const { from, to } = query;
  const isOneDay = localDay(from, zone) === localDay(to - 1, zone);
  const title = `${time(from, zone, "dateTime")} to ${time(to, zone, isOneDay ? "time" : "dateTime")}`;
  const hasMore = cursor !== null;
  const isFull = events.length >= MAX_EVENTS;
  return (
    <Panel
      title={title}
      actions={<span role="status">{isReading ? "reading …" : `${count(events.length)} events`}</span>}
      flush
    >
      {error !== null && <ErrorNote report={error} onRetry={more} />}
      {events.length > 0 && <PastTable events={events} hasDays={!isOneDay} />}
      {events.length === 0 && isReading && <Skeleton label="Reading the audit trail" />}
      {events.length === 0 && !isReading && error === null && !hasMore && (
        <EmptyState title="Nothing is recorded of this time">No event in this range passes the filters.</EmptyState>
      )}
      {hasMore && !isReading && (
        <p class="past-more">
          {searchedTo !== null && `Everything after ${time(searchedTo, zone, "dateTime")} has been looked at. `}
          {isFull
            ? `Only ${count(MAX_EVENTS)} events are shown: choose a shorter time, or a filter.`
            : <Button small onClick={more}>Show earlier ones</Button>}
        </p>
      )}
    </Panel>
  );
}
