// The rows of the feed. All rows have the same height, and only those in view are in the document, however many there are.
// Whoever scrolls away from the newest row pauses the feed, so that what they read stays in its place.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { count } from "../../components/format.ts";
import { Icon } from "../../components/icon.tsx";
import { rowsBetween, Spacer } from "../../components/long-table.tsx";
import "../../components/data-table.css";
import type { FeedEvent } from "../../contract/update.ts";
import { type EventFeed, type FeedEntry, isGap } from "../live/event-feed.ts";
import { Time } from "../live/time.tsx";
import { eventWords } from "./event-words.ts";
import { address } from "./page.ts";

const ROW_HEIGHT = 27;
/** Above and below what can be seen. */
const MARGIN_ROWS = 10;

interface EventTableProps {
  readonly feed: EventFeed;
  readonly selected: FeedEvent | null;
  readonly onSelect: (event: FeedEvent) => void;
  readonly onScrollAway: () => void;
}

export function EventTable({ feed, selected, onSelect, onScrollAway }: EventTableProps) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const { isPaused } = feed;
  useLayoutEffect(() => {
    if (!isPaused && box.current !== null) box.current.scrollTop = 0;
  }, [isPaused]);
  useEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => setView({ top: element.scrollTop, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const onScroll = () => {
    const { scrollTop, clientHeight } = box.current!;
    if (scrollTop > ROW_HEIGHT && !feed.isPaused) onScrollAway();
    setView({ top: scrollTop, height: clientHeight });
  };
  const { first, last } = rowsBetween(view.top, view.top + view.height, feed.length, ROW_HEIGHT, MARGIN_ROWS);
  const entries = Array.from({ length: last - first }, (_, index) => feed.at(first + index)!);
  return (
    <div class="table-box events-box" role="region" aria-label="Events" tabIndex={0} ref={box} onScroll={onScroll}>
      <table class="data-table events-table" aria-rowcount={feed.length + 1}>
        <thead>
          <tr>
            <th scope="col" class="events-time">Time</th>
            <th scope="col" class="events-type">Event</th>
            <th scope="col">What</th>
            <th scope="col" class="events-contract">Contract</th>
            <th scope="col" class="events-entity">Entity</th>
            <th scope="col" class="events-order">Order</th>
          </tr>
        </thead>
        <tbody>
          <Spacer rows={first} rowHeight={ROW_HEIGHT} />
          {entries.map((entry, index) => (
            <Row
              key={isGap(entry) ? `gap ${entry.sequence}` : entry.sequence}
              entry={entry}
              index={first + index}
              isSelected={entry === selected}
              onSelect={onSelect}
            />
          ))}
          <Spacer rows={feed.length - last} rowHeight={ROW_HEIGHT} />
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly entry: FeedEntry;
  readonly index: number;
  readonly isSelected: boolean;
  readonly onSelect: (event: FeedEvent) => void;
}

function Row({ entry, index, isSelected, onSelect }: RowProps) {
  if (isGap(entry)) {
    return (
      <tr aria-rowindex={index + 2} class="events-gap">
        <td colSpan={3}>
          <Icon name="alert" /> {entry.missed === null || entry.missed === 0
            ? "Events may be missing here: the page lost its connection."
            : `${count(entry.missed)} events are missing here: they came faster than they could be sent.`}
        </td>
        <td class="events-contract" />
        <td class="events-entity" />
        <td class="events-order" />
      </tr>
    );
  }
  const { side, text, contractId, entityIds, orderId } = eventWords(entry);
  return (
    <tr aria-rowindex={index + 2} aria-selected={isSelected}>
      <td class="events-time">
        <Time value={entry.time} />
      </td>
      <td class="events-type">
        <button type="button" class={`events-open events-${entry.category}`} onClick={() => onSelect(entry)}>
          <span class="events-dot" aria-hidden="true" />
          <span class="events-name">{entry.type}</span>
        </button>
      </td>
      <td class="events-what">
        {side !== null && <span class={`events-side events-${side}`}>{side}</span>}
        <span class="name">{text}</span>
      </td>
      <td class="events-contract">{contractId !== null && <Link page="contract" id={contractId} />}</td>
      <td class="events-entity">
        {entityIds.map((id, place) => (
          <span key={place}>
            {place > 0 && " · "}
            <Link page="entities" id={id} />
          </span>
        ))}
      </td>
      <td class="events-order">{orderId !== null && <Link page="order" id={orderId} />}</td>
    </tr>
  );
}

function Link({ page, id }: { readonly page: string; readonly id: string }) {
  return <a class="name" href={address(page, id)} title={id}>{id}</a>;
}
