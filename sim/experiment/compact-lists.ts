// Personas and events in the short form of the command line:
//
//   --personas zic:20,zip:10
//   --events heat_wave@6h:size=2,hours=12,node=NORTH,fuel_shock@1.5h
//
// An event is TYPE@TIME, hours after the start, then settings; a comma separates settings and events. `none` is an empty
// list of events. The results are JSON of an experiment, whose schema checks names and ranges.

import { didYouMean, oneLine } from "../../common/command-line.ts";

interface CompactItem {
  /** For faults: what names it in the text. */
  readonly name: string;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface CompactList {
  readonly items: readonly CompactItem[];
  /** One line each. */
  readonly faults: readonly string[];
}

/** The settings of an event, by their short names. */
const EVENT_SETTINGS = { size: "size", hours: "durationHours", node: "node" } as const;
const NO_EVENTS = "none";

export function personasFromText(text: string): CompactList {
  const faults: string[] = [];
  const items = text.split(",").flatMap((part): CompactItem[] => {
    const [, strategy, count] = /^\s*([^:\s]+):(\d{1,9})\s*$/.exec(part) ?? [];
    if (strategy !== undefined) return [{ name: part.trim(), json: { strategy, count: Number(count) } }];
    faults.push(`"${oneLine(part)}" is not a strategy and a number, such as zic:20`);
    return [];
  });
  return { items, faults };
}

export function eventsFromText(text: string): CompactList {
  if (text.trim() === NO_EVENTS) return { items: [], faults: [] };
  const events = new EventList();
  for (const part of text.split(",")) {
    const [, type, time, setting] = /^\s*([^@=]*)@([^:]*)(?::(.*))?$/.exec(part) ?? [];
    if (type !== undefined && time !== undefined) events.begin(type, time, part);
    const given = type === undefined ? part : setting;
    if (given !== undefined) events.set(given);
  }
  return events;
}

class EventList implements CompactList {
  readonly items: { readonly name: string; readonly json: Record<string, unknown> }[] = [];
  readonly faults: string[] = [];

  begin(type: string, time: string, part: string): void {
    const [, hours] = /^(\d+(?:\.\d+)?)h$/.exec(time.trim()) ?? [];
    if (hours === undefined) {
      this.faults.push(`"${oneLine(part)}" does not say after how many hours, such as ${oneLine(type)}@6h`);
    }
    this.items.push({ name: `${type}@${time}`, json: { type, afterHours: Number(hours ?? 0) } });
  }

  set(given: string): void {
    const event = this.items.at(-1);
    const [, name, value] = /^\s*([^=]*)=(.*)$/.exec(given) ?? [];
    if (event === undefined || name === undefined || value === undefined) {
      this.faults.push(
        `"${oneLine(given)}" is neither an event, such as heat_wave@6h, nor a setting of one, such as size=2`,
      );
      return;
    }
    if (!isSetting(name)) {
      const names = Object.keys(EVENT_SETTINGS);
      this.faults.push(`no setting "${oneLine(name)}"${didYouMean(name, names)}; use ${names.join(", ")}`);
      return;
    }
    const field = EVENT_SETTINGS[name];
    if (field in event.json) this.faults.push(`${oneLine(event.name)}: ${name} is given twice`);
    event.json[field] = name === "node" ? value.trim() : numberOf(value);
  }
}

function isSetting(name: string): name is keyof typeof EVENT_SETTINGS {
  return Object.hasOwn(EVENT_SETTINGS, name);
}

/** The text itself if it is not a number: the schema then names it. */
function numberOf(text: string): number | string {
  return /^\s*-?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : text;
}
