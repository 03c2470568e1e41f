// The events that pass the filter, newest first, to take along: what the table says of each.

import { count } from "../../components/format.ts";
import { type EventFeed, type FeedEntry, isGap } from "../live/event-feed.ts";
import type { Grid } from "../take-along/csv.ts";
import { eventWords } from "./event-words.ts";

const HEADINGS = ["Time", "Event", "Side", "What", "Contract", "Entities", "Order"];

export function eventGrid(feed: EventFeed): Grid {
  const entries = Array.from({ length: feed.length }, (_, index) => feed.at(index)!);
  return { headings: HEADINGS, rows: entries.map(cellsOf) };
}

function cellsOf(entry: FeedEntry): string[] {
  if (isGap(entry)) {
    const missed = entry.missed === null || entry.missed === 0 ? "Events may be" : `${count(entry.missed)} events are`;
    return ["", "", "", `${missed} missing here`, "", "", ""];
  }
  const { side, text, contractId, entityIds, orderId } = eventWords(entry);
  return [entry.time, entry.type, side ?? "", text, contractId ?? "", entityIds.join(" "), orderId ?? ""];
}
