// The events of the market, newest first: by category, with search and pause, and all that is known of one event.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { compact, count } from "../../components/format.ts";
import { EmptyState } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import type { FeedEvent } from "../../contract/update.ts";
import { inAddress } from "../address/address-state.ts";
import { entityName, loadEntities } from "../live/entity-names.ts";
import { CATEGORIES, type Category, EventFeed, type FeedFilter } from "../live/event-feed.ts";
import { events as kept, onEvents } from "../live/market-store.ts";
import { GridTools } from "../take-along/table-tools.tsx";
import { FILTER_IN_ADDRESS } from "./event-address.ts";
import { EventDetails } from "./event-details.tsx";
import { eventGrid } from "./event-grid.ts";
import { EventTable } from "./event-table.tsx";
import "./events.css";
import { PageHead } from "./page-head.tsx";
import { address, type PageProps } from "./page.ts";

const MAX_KEPT = 20_000;
const MAX_SHOWN = 1_000;

/** Outlives the page, so that whoever comes back finds the filter as it was. */
const filter = inAddress<FeedFilter>("events", FILTER_IN_ADDRESS);

export default function Events(_: PageProps) {
  const { feed, pause, resume, lost, rate, hasNames } = useFeed();
  const [selected, setSelected] = useState<FeedEvent | null>(null);
  const toggle = () => feed.isPaused ? resume() : pause();
  useSpace(toggle);
  return (
    <div class="page events-page">
      <PageHead title="Events">
        <span class="events-rate">{rate} events/s</span>
        <span class="events-actions">
          <a href={address("past")}>What happened before</a>
          {feed.isPaused && <span class="events-new" role="status">{count(feed.arrived)} new</span>}
          <Button icon={feed.isPaused ? "play" : "pause"} kind={feed.isPaused ? "primary" : "normal"} onClick={toggle}>
            {feed.isPaused ? "Go on" : "Pause"} <kbd class="events-key">space</kbd>
          </Button>
        </span>
      </PageHead>
      <Filters counts={feed.counts} />
      {!hasNames && <p>The names of entities can't be read now, so the search finds them by their ids only.</p>}
      <div class="events-body">
        <Panel title={feed.isPaused ? "Paused" : "Newest first"} actions={<Bounds feed={feed} lost={lost} />} flush>
          {feed.length === 0
            ? <EmptyState title={feed.received === 0 ? "No events yet" : "No kept event passes the filter"} />
            : <EventTable feed={feed} selected={selected} onSelect={setSelected} onScrollAway={pause} />}
          {feed.length > 0 && <GridTools label="Events" grid={() => eventGrid(feed)} />}
        </Panel>
        {selected !== null && <EventDetails event={selected} onClose={() => setSelected(null)} />}
      </div>
    </div>
  );
}

function useFeed() {
  const feed = useRef<EventFeed>(null);
  const [, draw] = useState(0);
  const [lost, setLost] = useState(0);
  const redraw = () => draw((drawn) => drawn + 1);
  if (feed.current === null) {
    feed.current = new EventFeed(MAX_KEPT, MAX_SHOWN, entityName);
    feed.current.setFilter(filter.value);
  }
  const shown = feed.current;
  const rate = useRate(shown);
  useEffect(() =>
    filter.subscribe((value) => {
      shown.setFilter(value);
      redraw();
    }), []);
  // Together, so that no update comes between the events that are kept and those that follow.
  useLayoutEffect(() => {
    shown.add([...kept.oldestFirst()], { missed: 0, continues: true });
    redraw();
    return onEvents((events, update) => {
      shown.add(events, update);
      redraw();
    });
  }, []);
  const [hasNames, setHasNames] = useState(true);
  useEffect(() => void loadEntities().catch(() => setHasNames(false)), []);
  const pause = () => {
    setLost(0);
    shown.pause();
    redraw();
  };
  const resume = () => {
    setLost(shown.resume());
    redraw();
  };
  return { feed: shown, pause, resume, lost, rate, hasNames };
}

/** Events that arrived in the last second. */
function useRate(feed: EventFeed): string {
  const [rate, setRate] = useState(0);
  useEffect(() => {
    let before = { received: feed.received, at: performance.now() };
    const timer = setInterval(() => {
      const now = { received: feed.received, at: performance.now() };
      setRate(Math.round((now.received - before.received) * 1_000 / (now.at - before.at)));
      before = now;
    }, 1_000);
    return () => clearInterval(timer);
  }, []);
  return rate < 10_000 ? count(rate) : compact(rate);
}

/** The space bar, unless the focus is on something that uses it. */
function useSpace(pressed: () => void): void {
  const latest = useRef(pressed);
  latest.current = pressed;
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.key !== " " || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
      if (
        target instanceof Element && target.closest("input, select, textarea, button, a, dialog, [contenteditable]")
      ) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}

function Filters({ counts }: { readonly counts: Readonly<Record<Category, number>> }) {
  const { hidden, text } = filter.value;
  const toggle = (category: Category) => {
    const next = new Set(hidden);
    if (!next.delete(category)) next.add(category);
    filter.value = { hidden: next, text };
  };
  return (
    <div class="events-filters">
      <div class="events-categories" role="group" aria-label="Categories">
        {CATEGORIES.map((category) => (
          <button
            key={category}
            type="button"
            class={`events-chip events-${category}`}
            aria-pressed={!hidden.has(category)}
            onClick={() => toggle(category)}
          >
            <span class="events-dot" aria-hidden="true" />
            {category} <span class="events-count">{compact(counts[category])}</span>
          </button>
        ))}
        {hidden.size > 0 && (
          <Button
            small
            kind="quiet"
            onClick={() => void (filter.value = { hidden: new Set(), text })}
          >
            Show all
          </Button>
        )}
      </div>
      <input
        type="search"
        class="events-search"
        aria-label="Search events by type, id or name"
        placeholder="Search type, id, name"
        value={text}
        onInput={(event) => void (filter.value = { hidden, text: event.currentTarget.value })}
      />
    </div>
  );
}

function Bounds({ feed, lost }: { readonly feed: EventFeed; readonly lost: number }) {
  return (
    <span>
      {lost > 0 && <strong>{`${count(lost)} events of the pause are no longer kept. `}</strong>}
      {feed.length >= MAX_SHOWN
        ? `The newest ${count(MAX_SHOWN)} that pass the filter`
        : `${count(feed.length)} shown`}, of the last {count(MAX_KEPT)} events
    </span>
  );
}
