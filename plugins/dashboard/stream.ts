// GET /dashboard/stream (web/contract/update.ts): what has changed, at most every UPDATE_MS. A browser that connects again
// sends the id of its last update, and goes on after it.

import type { RouteContext, RouteRequest } from "../../core/routes/route.ts";
import { eventStream, type ServerSentEvent } from "../../core/routes/event-stream.ts";
import type { BufferedEvent } from "../../core/market/event-reader.ts";
import type { Book, Connection, ContractRow, Frozen, Market } from "../../web/contract/market.ts";
import type { Update } from "../../web/contract/update.ts";
import { bookOf, contractRow, contractRows } from "./contract-rows.ts";

const UPDATE_MS = 100;
/** The longest time without an update, which has the market time. */
const QUIET_MS = 1_000;
/** Events in one update. */
const MAX_EVENTS = 2_000;

export function stream(request: RouteRequest, context: RouteContext): Response {
  const since = positionOf(request.headers.get("Last-Event-ID") ?? request.url.searchParams.get("since"));
  const watched = (request.url.searchParams.get("contracts") ?? "").split(",").filter((id) => id !== "");
  return eventStream(updates(context, since, watched));
}

async function* updates(
  context: RouteContext,
  since: { epoch: number; sequence: number } | null,
  watched: readonly string[],
): AsyncGenerator<ServerSentEvent> {
  const { events, snapshot, signal } = context;
  let epoch = events.epoch;
  let position = since !== null && since.epoch === epoch ? since.sequence : null;
  while (!signal.aborted) {
    const isWhole = position === null || events.epoch !== epoch;
    epoch = events.epoch;
    const page = isWhole ? events.read({ limit: 200 }) : events.read({ since: position!, limit: MAX_EVENTS });
    const changed = contractsIn(page.events);
    const contracts: ContractRow[] = isWhole
      ? contractRows(snapshot)
      : [...changed].map((id) => contractRow(id, snapshot)).filter((row) => row !== null);
    const books: Book[] = watched.filter((id) => isWhole || changed.has(id))
      .map((id) => bookOf(id, snapshot)).filter((book) => book !== null);
    position = page.hasMore ? page.events.at(-1)!.sequence : page.latestSequence;
    const update: Update = {
      sequence: position,
      epoch,
      isWhole,
      position: `${epoch ?? 0}.${position}`,
      continues: !isWhole,
      missed: page.missed,
      events: page.events.map(({ sequence, category, type, time, data }) => ({ sequence, category, type, time, data })),
      contracts,
      unlisted: [],
      books,
      markets: marketsOf(context),
      connection: connectionOf(context),
      frozen: context.frozen() as Frozen | null,
    };
    yield { id: `${epoch ?? 0}.${position}`, data: update };
    await Bun.sleep(UPDATE_MS);
    if (!page.hasMore) await nextEvent(context, QUIET_MS - UPDATE_MS, position);
  }
}

function contractsIn(events: readonly BufferedEvent[]): Set<string> {
  const ids = new Set<string>();
  for (const { data } of events) if (typeof data["contractId"] === "string") ids.add(data["contractId"]);
  return ids;
}

async function nextEvent({ events, signal }: RouteContext, limitMs: number, after: number): Promise<void> {
  if (events.latestSequence > after) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = events.onNext({}, resolve);
  const timer = setTimeout(resolve, limitMs);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
  end();
}

function marketsOf({ snapshot }: RouteContext): Market[] {
  return snapshot.find("MARKET", { limit: Infinity }).modules.map((
    { id, name, code, status, halted, haltReason, preopen, open, close, timezone, nodes },
  ) => ({ id, name, code, status, halted, haltReason, preopen, open, close, timezone, nodes }));
}

function connectionOf({ pubsub, snapshot, configuration }: RouteContext): Connection {
  const { status, userId, entityId, marketTime, clock, since, incomplete, lastError } = pubsub.facts();
  return {
    status,
    userId,
    entityId,
    permissions: [...pubsub.session?.capabilities ?? []],
    hasBeenConnected: since !== null,
    marketTime,
    speed: clock === null || clock.mode === "lockstep" ? null : clock.speed,
    stale: status !== "connected",
    asOf: snapshot.asOf,
    incomplete,
    problem: status === "connected" ? null : lastError,
    offersFreeze: configuration.guardrails.freezeFile !== null,
  };
}

function positionOf(text: string | null): { epoch: number; sequence: number } | null {
  const [, epoch, sequence] = /^(\d+)\.(\d+)$/.exec(text ?? "") ?? [];
  return epoch === undefined || sequence === undefined ? null : { epoch: Number(epoch), sequence: Number(sequence) };
}
