// `mkt watch [TOPIC]`: follows the events of a market until a signal, as lines to read or as JSON lines.
//
// It calls one tool again and again, and each call continues after the last one. So no event comes twice, and the tool says
// how many were lost. A lost connection is restored, and the next call continues where the last one ended. stderr reports
// both.

import { z } from "zod";
import { printNote, write } from "../../common/output.ts";
import { safeJsonLine, safeText } from "../../common/safe-text.ts";
import { connectToOneEngine } from "../../core/backend/same-engine.ts";
import { keepConnecting, paused } from "../../core/backend/auto-connect.ts";
import { logger } from "../../common/logger.ts";
import { callOnce, reportOf } from "./call-tool.ts";
import { textOf, ToolError } from "../../core/error.ts";
import type { Runtime } from "../../core/runtime.ts";

/** The longest that a call may wait, so a quiet market costs two calls a minute. */
const WAIT_SECONDS = 30;
const EVENTS_A_CALL = 1000;
/** Between calls that can't wait, because the connection is being restored. */
const PAUSE_MS = 250;
const MAX_LINE_LENGTH = 1000;

interface WatchRequest {
  readonly tool: string;
  /** Filters of the tool. */
  readonly filters: Readonly<Record<string, string>>;
  readonly json: boolean;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

const watchPage = z.looseObject({
  events: z.array(z.looseObject({
    sequence: z.int(),
    type: z.string(),
    time: z.string(),
    data: z.record(z.string(), z.unknown()),
  })),
  latestSequence: z.int(),
  missed: z.int().nullable(),
  hasMore: z.boolean(),
  waited: z.boolean().optional(),
  stale: z.boolean().optional(),
});
type WatchPage = z.output<typeof watchPage>;

/**
 * Resolves when the signal aborts. Throws an Error of one line if it can't connect at first, if the engine refuses to connect
 * again, or if the tool refuses.
 */
export async function watch(runtime: Runtime, request: WatchRequest): Promise<void> {
  const { tool, filters, json, signal } = request;
  const { services, configuration: { backend } } = runtime;
  await connectToOneEngine(services, backend.userId, signal).catch((error: unknown) => {
    if (!signal.aborted) throw oneLineError(error);
  });
  const notes = new ConnectionNotes();
  /** Undefined: from now on. */
  let since: number | undefined;
  while (!signal.aborted) {
    const input = {
      ...filters,
      since,
      limit: EVENTS_A_CALL,
      waitSeconds: WAIT_SECONDS,
      ...(json && { detail: "full" }),
    };
    const answer = await callOnce(runtime, tool, input, signal);
    if (signal.aborted) return;
    const error = reportOf(answer);
    if (error?.code === "not_connected") {
      notes.lost();
      await reconnect(runtime, signal);
      continue;
    }
    if (error !== null) throw new Error(textOf(error));
    const page = watchPage.parse(answer.kind === "json" ? answer.value : null);
    if (page.stale) notes.lost();
    else notes.restored();
    notes.missed(page.missed);
    const isFirst = since === undefined;
    since = page.latestSequence;
    for (const line of linesOf(page, json)) await write(`${line}\n`);
    const mayCallAtOnce = page.hasMore || page.waited || page.events.length > 0 || isFirst;
    if (!mayCallAtOnce) await paused(PAUSE_MS, signal);
  }
}

/** Notes on stderr about the connection and about lost events, each once. */
class ConnectionNotes {
  #isLost = false;

  lost(): void {
    if (!this.#isLost) printNote("mkt: the connection to the engine was lost; connecting again");
    this.#isLost = true;
  }

  restored(): void {
    if (this.#isLost) printNote("mkt: connected again; the events since then follow");
    this.#isLost = false;
  }

  /** Null: unknown. */
  missed(count: number | null): void {
    if (count === 0) return;
    const what = count === null ? "events may have been" : count === 1 ? "1 event was" : `${count} events were`;
    printNote(`mkt: ${what} missed before the next line`);
  }
}

/** Throws what the engine refuses for good. */
async function reconnect({ services, configuration: { backend } }: Runtime, signal: AbortSignal): Promise<void> {
  let refusal: unknown = null;
  const connect = async (cancelled: AbortSignal) => {
    refusal = null;
    await connectToOneEngine(services, backend.userId, cancelled).catch((error: unknown) => {
      refusal = error;
      throw error;
    });
  };
  await keepConnecting({ pubsub: services.pubsub, connect, signal, log: logger("watch") });
  if (refusal !== null && !signal.aborted) throw oneLineError(refusal);
  await paused(PAUSE_MS, signal);
}

function oneLineError(error: unknown): unknown {
  return error instanceof ToolError ? new Error(textOf(error)) : error;
}

function* linesOf({ events }: WatchPage, json: boolean): Generator<string> {
  for (const event of events) yield json ? safeJsonLine(JSON.stringify(event)) : lineOf(event);
}

/** For example `08:15:02.120  new.order  id=o-17 contractId=N-H12 side=BUY price=3450 quantity=5`. */
function lineOf({ time, type, data }: WatchPage["events"][number]): string {
  const words = Object.entries(data).map(([name, value]) => `${name}=${wordOf(value)}`);
  return safeText(`${time.slice(11, 23)}  ${type.padEnd(12)}  ${words.join(" ")}`, MAX_LINE_LENGTH);
}

function wordOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(levelOf).join(",");
  return typeof value === "string" && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}

/** A level of the book, [price, volume], as 12@3450; anything else as JSON. */
function levelOf(value: unknown): string {
  return Array.isArray(value) && value.length === 2 ? `${value[1]}@${value[0]}` : JSON.stringify(value);
}
