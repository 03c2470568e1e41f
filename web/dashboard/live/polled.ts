// Something that a page reads again and again while it is open and visible. A failure keeps the last value, beside the error.

import { useEffect, useRef, useState } from "preact/hooks";
import { effect } from "@preact/signals";
import type { ErrorReport } from "../../contract/calls.ts";
import { UNREACHABLE } from "./error-words.ts";
import { isAwaited } from "./liveness.ts";
import { RequestError } from "./server.ts";

interface Polled<Value> {
  /** The last one that was read; null before the first. */
  readonly value: Value | null;
  /** Why the last read failed; null if it did not. */
  readonly error: ErrorReport | null;
  readonly reload: () => void;
}

/** After a refusal for lack of permission, which seldom changes. */
const FORBIDDEN_MS = 60_000;

/**
 * Reads at once, then `everyMs` after the end of each read, and anew when `key` changes. `everyMs` null: once. A read ends when
 * the page is left.
 */
export function usePolled<Value>(
  read: (signal: AbortSignal) => Promise<Value>,
  key: string,
  everyMs: number | null,
): Polled<Value> {
  type State = Omit<Polled<Value>, "reload"> & { readonly key: string };
  const [state, setState] = useState<State>({ key, value: null, error: null });
  const alarm = useRef<Alarm>({ isRung: false, wake: null });
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    const abort = new AbortController();
    alarm.current = { isRung: false, wake: null };
    let isForbidden = false;
    const pauseMs = () => everyMs !== null && isForbidden ? Math.max(everyMs, FORBIDDEN_MS) : everyMs;
    void repeat(abort.signal, pauseMs, async () => {
      try {
        const value = await latest.current(abort.signal);
        isForbidden = false;
        if (!abort.signal.aborted) setState({ key, value, error: null });
      } catch (error) {
        if (abort.signal.aborted) return;
        const report = reportOf(error);
        isForbidden = report.code === "forbidden";
        setState((before) => ({ key, value: before.key === key ? before.value : null, error: report }));
      }
    }, alarm.current);
    return () => abort.abort();
  }, [key, everyMs]);
  const shown = state.key === key ? state : { value: null, error: null };
  const reload = () => {
    alarm.current.isRung = true;
    alarm.current.wake?.();
  };
  return { ...shown, reload };
}

/** What the page says of a failed request. Throws what is no such failure. */
export function reportOf(error: unknown): ErrorReport {
  if (error instanceof RequestError) return error.report;
  // A failed fetch.
  if (error instanceof TypeError) return UNREACHABLE;
  throw error;
}

/** Ends the pause between two rounds. Rung in a round, it ends the pause after it. */
interface Alarm {
  isRung: boolean;
  wake: (() => void) | null;
}

/**
 * Until `signal` aborts. `everyMs` is asked after each round; null: again only when the alarm rings. A hidden page waits until
 * it is visible, and a new one until the market is connected, because all it asked before would fail.
 */
export async function repeat(
  signal: AbortSignal,
  everyMs: number | (() => number | null),
  run: () => Promise<void>,
  alarm: Alarm = { isRung: false, wake: null },
): Promise<void> {
  while (!signal.aborted) {
    await visible(signal);
    await marketCame(signal);
    if (signal.aborted) return;
    alarm.isRung = false;
    await run();
    if (!alarm.isRung) await pause(typeof everyMs === "number" ? everyMs : everyMs(), signal, alarm);
  }
}

function pause(ms: number | null, signal: AbortSignal, alarm: Alarm): Promise<void> {
  return new Promise((resolve) => {
    const timer = ms === null ? undefined : setTimeout(done, ms);
    signal.addEventListener("abort", done);
    alarm.wake = done;
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      alarm.wake = null;
      resolve();
    }
    if (signal.aborted) done();
  });
}

function visible(signal: AbortSignal): Promise<void> {
  if (!document.hidden || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener("visibilitychange", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    document.addEventListener("visibilitychange", done);
    signal.addEventListener("abort", done);
  });
}

function marketCame(signal: AbortSignal): Promise<void> {
  if (!isAwaited.peek() || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = effect(() => {
      if (!isAwaited.value) done();
    });
    signal.addEventListener("abort", done);
    function done() {
      signal.removeEventListener("abort", done);
      // Not from inside the effect.
      queueMicrotask(() => end());
      resolve();
    }
  });
}
