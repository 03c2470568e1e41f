// Audit events as lines of text: the engine writes a line for each event, and whoever stores or reads the events takes the
// lines apart. So an event costs the engine's thread no object, and any number of events goes to another thread as one text.
//
// A line is columns with tabs between them, and a line feed at the end:
//
//   position, epoch, time, userId, event, moduleType, moduleId, orderId, entityId, details
//
// Each column is JSON: the first three are integers, the details an object, the others strings, or null where the type below
// allows it. JSON has neither a tab nor a line feed within a text, so the first nine tabs end the first nine columns. Epoch,
// time and userId are the same for all events of a call. Lines are joined by concatenation.

import { jsonOf } from "../text/text-writer.ts";

/** An audit event as the engine records it. Its id is made of `epoch` and `position`. */
export interface RecordedEvent {
  /** Its running number in the audit trail, from 1. */
  readonly position: number;
  readonly epoch: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly userId: string | null;
  readonly event: string;
  readonly moduleType: string;
  readonly moduleId: string;
  readonly orderId: string | null;
  readonly entityId: string | null;
  /** JSON text of an object, without spaces between its tokens. */
  readonly details: string;
}

export function auditLine(recorded: RecordedEvent): string {
  const { position, epoch, time, userId, event, moduleType, moduleId, orderId, entityId, details } = recorded;
  const texts = [userId, event, moduleType, moduleId, orderId, entityId].map((text) => jsonOf(text));
  return [position, epoch, time, ...texts, details].join("\t") + "\n";
}

/** The events of lines. `lines` must be as `auditLine` writes them. */
export function recordedEvents(lines: string): RecordedEvent[] {
  const events: RecordedEvent[] = [];
  for (let start = 0; start < lines.length;) {
    const end = lines.indexOf("\n", start);
    events.push(recordedEvent(lines.slice(start, end)));
    start = end + 1;
  }
  return events;
}

/** Position of the newest event of lines; 0 if there is none. */
export function lastPositionIn(lines: string): number {
  if (lines === "") return 0;
  const start = lines.lastIndexOf("\n", lines.length - 2) + 1;
  return Number(lines.slice(start, lines.indexOf("\t", start)));
}

function recordedEvent(line: string): RecordedEvent {
  let start = 0;
  const column = () => {
    const end = line.indexOf("\t", start);
    const text = line.slice(start, end);
    start = end + 1;
    return text;
  };
  return {
    position: Number(column()),
    epoch: Number(column()),
    time: Number(column()),
    userId: textOrNull(column()),
    event: textOf(column()),
    moduleType: textOf(column()),
    moduleId: textOf(column()),
    orderId: textOrNull(column()),
    entityId: textOrNull(column()),
    details: line.slice(start),
  };
}

function textOrNull(column: string): string | null {
  return column === "null" ? null : textOf(column);
}

/** Few texts have a character that JSON escapes. */
function textOf(column: string): string {
  return column.includes("\\") ? JSON.parse(column) : column.slice(1, -1);
}
