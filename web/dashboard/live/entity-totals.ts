// The positions of many entities in all, read a few at a time: first each entity once, then those that have traded since, and
// now and then all others, because their profit changes with prices.

import { useEffect, useRef, useState } from "preact/hooks";
import type { ErrorReport } from "../../contract/calls.ts";
import type { PositionsResult, PositionTotals } from "../../contract/tool-results.ts";
import { onEvents } from "./market-store.ts";
import { repeat, reportOf } from "./polled.ts";
import { RefreshQueue } from "./refresh-queue.ts";
import { readTool } from "./server.ts";

/** Reads at the same time, and the pause after them. */
const AT_ONCE = 4;
const BETWEEN_MS = 100;
const PAUSES = { changedMs: 2_000, unchangedMs: 10_000 };

export type EntityTotals =
  | { readonly kind: "totals"; readonly totals: PositionTotals }
  | { readonly kind: "refused"; readonly report: ErrorReport };

/** By entity id, as far as they have been read. A failure that may pass leaves the totals from before. */
export function useEntityTotals(entityIds: readonly string[]): ReadonlyMap<string, EntityTotals> {
  const [known, setKnown] = useState<ReadonlyMap<string, EntityTotals>>(new Map());
  const queue = useRef(new RefreshQueue(PAUSES));
  useEffect(() => queue.current.want(entityIds), [entityIds.join("\n")]);
  useEffect(() =>
    onEvents((events) => {
      for (const { type, data } of events) {
        if (type !== "new.trade") continue;
        queue.current.changed(String(data["buyEntityId"]));
        queue.current.changed(String(data["sellEntityId"]));
      }
    }), []);
  useEffect(() => {
    const abort = new AbortController();
    void repeat(abort.signal, BETWEEN_MS, async () => {
      const due = queue.current.take(AT_ONCE, performance.now());
      if (due.length === 0) return;
      const read = await Promise.all(due.map(async (id) => [id, await readTotals(id, abort.signal)] as const));
      if (abort.signal.aborted) return;
      for (const [id, answer] of read) if (isPassing(answer)) queue.current.changed(id);
      setKnown((before) => {
        const isKept = ([id, answer]: (typeof read)[number]) => isPassing(answer) && before.get(id)?.kind === "totals";
        return new Map([...before, ...read.filter((one) => !isKept(one))]);
      });
    });
    return () => abort.abort();
  }, []);
  return known;
}

/** Whether it is worth asking again soon. Not after a lack of permission. */
export function isPassing(answer: EntityTotals): answer is EntityTotals & { readonly kind: "refused" } {
  return answer.kind === "refused" && answer.report.code !== "forbidden";
}

async function readTotals(entityId: string, signal: AbortSignal): Promise<EntityTotals> {
  try {
    const given = { entityId, positions: true, limit: 1 };
    const { totals } = await readTool<PositionsResult>("mkt_get_entity", given, signal);
    return { kind: "totals", totals };
  } catch (error) {
    if (signal.aborted) return { kind: "refused", report: { code: "aborted", message: "" } };
    return { kind: "refused", report: reportOf(error) };
  }
}
