// Audit events as lines of text: the engine writes a line for each event, and whoever stores or reads the events takes the
// lines apart. So an event costs the engine's thread no object, and any number of events goes to another thread as one text.
//
// A line is columns with tabs between them, and a line feed at the end:
//
//   position, epoch, time, userId, event, moduleType, moduleId, orderId, entityId, details
//
// Each column is JSON: the first three are integers, the details an object, the others strings, or null if the type below
// allows it. JSON has neither a tab nor a line feed within a text, so the first nine tabs end the first nine columns. Epoch
// and time are the same for all events of a call; userId is null for what the schedule causes. Lines are joined by
// concatenation.

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

/** The events of lines, which must be as `auditLine` writes them. */
export function recordedEvents(lines: string): RecordedEvent[] {
  const events: RecordedEvent[] = [];
  for (const reader = new AuditLines(lines); reader.next();) events.push(reader.event());
  return events;
}

/** Position of the newest event of lines; 0 if there is none. */
export function lastPositionIn(lines: string): number {
  if (lines === "") return 0;
  const start = lines.lastIndexOf("\n", lines.length - 2) + 1;
  return Number(lines.slice(start, lines.indexOf("\t", start)));
}

const COLUMNS = 10;

/** Whether a text from elsewhere is lines with all columns. What is in the columns is not looked at. */
export function areAuditLines(text: string): boolean {
  if (text !== "" && !text.endsWith("\n")) return false;
  return text.split("\n").slice(0, -1).every((line) => line.split("\t").length === COLUMNS);
}

/**
 * Reads lines with all columns one after the other: `next` goes to the next line, and then the other members read its columns.
 */
export class AuditLines {
  /** Where each column of the line begins. */
  readonly #columns = new Int32Array(COLUMNS);
  #end = 0;

  constructor(private readonly lines: string) {}

  /** False after the last line. */
  next(): boolean {
    let at = this.#end;
    if (at === this.lines.length) return false;
    this.#columns[0] = at;
    for (let column = 1; column < COLUMNS; column++) {
      at = this.lines.indexOf("\t", at) + 1;
      this.#columns[column] = at;
    }
    this.#end = this.lines.indexOf("\n", at) + 1;
    return true;
  }

  /** The line itself, with its line feed. */
  get line(): string {
    return this.lines.slice(this.#columns[0], this.#end);
  }

  get position(): number {
    return Number(this.#column(0));
  }

  get time(): number {
    return Number(this.#column(2));
  }

  /** What the event may be looked up by: its name, the type and id of its module, and its order, if it has one. */
  addKeys(keys: Set<string>): void {
    for (let column = 4; column < 7; column++) keys.add(this.#text(column));
    const orderId = this.#textOrNull(7);
    if (orderId !== null) keys.add(orderId);
  }

  event(): RecordedEvent {
    return {
      position: this.position,
      epoch: Number(this.#column(1)),
      time: this.time,
      userId: this.#textOrNull(3),
      event: this.#text(4),
      moduleType: this.#text(5),
      moduleId: this.#text(6),
      orderId: this.#textOrNull(7),
      entityId: this.#textOrNull(8),
      details: this.lines.slice(this.#columns[COLUMNS - 1], this.#end - 1),
    };
  }

  #column(column: number): string {
    return this.lines.slice(this.#columns[column], this.#columns[column + 1]! - 1);
  }

  #textOrNull(column: number): string | null {
    const json = this.#column(column);
    return json === "null" ? null : textOf(json);
  }

  #text(column: number): string {
    return textOf(this.#column(column));
  }
}

/** Few texts have a character that JSON escapes. */
function textOf(json: string): string {
  return json.includes("\\") ? JSON.parse(json) : json.slice(1, -1);
}
