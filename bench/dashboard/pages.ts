// The pages of bench/dashboard.ts: they read streams, and count and check what they get. They don't parse it, because twenty
// pages that did would need more than a processor.

export interface Following {
  readonly url: string;
  readonly pages: number;
  /** With its question mark. */
  readonly query: string;
}

/** Since the question before, of all pages together. */
export interface Read {
  readonly bytes: number;
  readonly updates: number;
  readonly events: number;
  /** Events that the buffer had dropped before a page read them, because the pages were too slow. */
  readonly missed: number;
  /** Updates with an event that came twice, or neither came nor was counted as missed. */
  readonly faults: number;
}

const LINE_FEED = 0x0a;

let read = { bytes: 0, updates: 0, events: 0, missed: 0, faults: 0 };

process.on("message", (question: Following | "read") => {
  if (question !== "read") {
    const hasAll = !question.query.includes("events=");
    for (let page = 0; page < question.pages; page++) void follow(question.url + question.query, hasAll);
  }
  process.send?.(read);
  read = { bytes: 0, updates: 0, events: 0, missed: 0, faults: 0 };
});
process.on("disconnect", () => process.exit(0));

async function follow(url: string, hasAll: boolean): Promise<void> {
  const response = await fetch(url);
  let last: number | null = null;
  let parts: Uint8Array[] = [];
  for await (const part of response.body!) {
    read.bytes += part.byteLength;
    parts.push(part);
    // An update ends with an empty line, and its parts rarely do.
    if (part.at(-1) !== LINE_FEED || part.at(-2) !== LINE_FEED) continue;
    const updates = Buffer.concat(parts).toString("latin1").split("\n\n");
    parts = [];
    for (const update of updates) if (update.includes("data: ")) last = accept(update, last, hasAll);
  }
}

/** The update's sequence number. `last`: that of the one before. */
function accept(update: string, last: number | null, hasAll: boolean): number {
  const [, sequence, continues, missed] = UPDATE.exec(update) ?? [];
  if (sequence === undefined) throw new Error(`this is no update: ${update.slice(0, 200)}`);
  const events = update.split('{"sequence":').length - 2;
  read.updates += 1;
  read.events += events;
  read.missed += Number(missed);
  const isComplete = !hasAll || last === null || events + Number(missed) === Number(sequence) - last;
  if (last !== null && (continues !== "true" || !isComplete)) read.faults += 1;
  return Number(sequence);
}

const UPDATE = /"sequence":(\d+),.*?"continues":(true|false),"missed":(\w+)/;
