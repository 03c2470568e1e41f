// The events of a range, read from the server a part at a time.

import { useEffect, useRef, useState } from "preact/hooks";
import type { ErrorReport } from "../../../contract/calls.ts";
import type { Past, PastEvent } from "../../../contract/past.ts";
import { reportOf } from "../../live/polled.ts";
import { send } from "../../live/server.ts";

/** Rows that are shown at most; for more, a narrower range or a filter. */
export const MAX_EVENTS = 2_000;

interface PastState {
  /** What was asked for. */
  readonly parameters: string;
  /** Newest first. */
  readonly events: readonly PastEvent[];
  /** Null: all of the range has been read. */
  readonly cursor: string | null;
  readonly searchedTo: string | null;
  readonly error: ErrorReport | null;
  readonly isReading: boolean;
}

/** Reads anew when `parameters` (past-query.ts) change. A read ends when the page is left. */
export function usePast(parameters: string) {
  const begin: PastState = { parameters, events: [], cursor: null, searchedTo: null, error: null, isReading: true };
  const [state, setState] = useState(begin);
  const shown = state.parameters === parameters ? state : begin;
  const abort = useRef(new AbortController());
  const read = async (before: PastState, { signal }: AbortController) => {
    setState({ ...before, error: null, isReading: true });
    try {
      const cursor = before.cursor === null ? "" : `&cursor=${encodeURIComponent(before.cursor)}`;
      const past = await send("GET", `/dashboard/past?${parameters}${cursor}`, undefined, signal) as Past;
      if (signal.aborted) return;
      setState({ ...before, ...past, events: [...before.events, ...past.events], error: null, isReading: false });
    } catch (error) {
      if (!signal.aborted) setState({ ...before, error: reportOf(error), isReading: false });
    }
  };
  useEffect(() => {
    abort.current = new AbortController();
    void read(begin, abort.current);
    return () => abort.current.abort();
  }, [parameters]);
  return { ...shown, more: () => void read(shown, abort.current) };
}
