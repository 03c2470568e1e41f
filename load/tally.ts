// Counts what came of the requests of a run, with their latencies from when they were due.
//
// A request without an answer counts with the time for which it was waited for, as its answer would have come later still. One
// that was not sent has no latency.

import { createHistogram } from "node:perf_hooks";
import { OPERATION_KINDS, type OperationKind, type Outcome } from "./operation.ts";

const HOUR_US = 3_600_000_000;

/** Milliseconds. */
export interface LatencyFigures {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/**
 * Latencies in a histogram of the runtime (HdrHistogram): three significant digits, from a microsecond to an hour, in constant
 * memory.
 */
export class Latencies {
  readonly #histogram = createHistogram({ lowest: 1, highest: HOUR_US, figures: 3 });

  record(milliseconds: number): void {
    this.#histogram.record(Math.min(HOUR_US, Math.max(1, Math.round(milliseconds * 1000))));
  }

  /** Null before the first. */
  figures(): LatencyFigures | null {
    const histogram = this.#histogram;
    if (histogram.count === 0) return null;
    // A percentile is the upper end of its bucket, which may be above the greatest value.
    const at = (percent: number) => Math.min(histogram.percentile(percent), histogram.max) / 1000;
    const percentiles = { p50: at(50), p90: at(90), p99: at(99), p999: at(99.9) };
    return { count: Number(histogram.count), ...percentiles, max: histogram.max / 1000 };
  }
}

export type Counts = Readonly<Record<string, number>>;

export interface TallyFigures {
  readonly sent: Counts;
  readonly confirmed: number;
  /** By code. */
  readonly refused: Counts;
  /** By code. */
  readonly failed: Counts;
  /** Not answered in time. */
  readonly unknown: number;
  /** Due while there was no connection, or while this process did not keep up. */
  readonly notSent: number;
  readonly latencyMs: Readonly<Record<"all" | OperationKind, LatencyFigures | null>>;
  /** How late requests left this process. */
  readonly lateMs: LatencyFigures | null;
}

export class Tally {
  readonly #latencies = {
    all: new Latencies(),
    submit: new Latencies(),
    cancel: new Latencies(),
    modify: new Latencies(),
  };
  readonly #late = new Latencies();
  readonly #sent = new Map<string, number>();
  readonly #refused = new Map<string, number>();
  readonly #failed = new Map<string, number>();
  #confirmed = 0;
  #unknown = 0;
  #notSent = 0;
  /** Orders of which nobody knows whether they are in the market. */
  unknownSubmits = 0;

  /** A request is about to be sent. */
  leaving(lateMs: number): void {
    this.#late.record(lateMs);
  }

  /** Requests that were due and can't be sent any more. */
  missed(requests: number): void {
    this.#notSent += requests;
  }

  settled(kind: OperationKind, outcome: Outcome, latencyMs: number): void {
    if (outcome.kind === "not_sent") {
      this.#notSent += 1;
      return;
    }
    count(this.#sent, kind);
    if (outcome.kind === "confirmed") this.#confirmed += 1;
    if (outcome.kind === "unknown") this.#unknown += 1;
    if (outcome.kind === "unknown" && kind === "submit") this.unknownSubmits += 1;
    if (outcome.kind === "refused") count(this.#refused, outcome.code);
    if (outcome.kind === "failed") count(this.#failed, outcome.code);
    this.#latencies.all.record(latencyMs);
    this.#latencies[kind].record(latencyMs);
  }

  figures(): TallyFigures {
    const { all, submit, cancel, modify } = this.#latencies;
    return {
      sent: Object.fromEntries(OPERATION_KINDS.map((kind) => [kind, this.#sent.get(kind) ?? 0])),
      confirmed: this.#confirmed,
      refused: sorted(this.#refused),
      failed: sorted(this.#failed),
      unknown: this.#unknown,
      notSent: this.#notSent,
      latencyMs: { all: all.figures(), submit: submit.figures(), cancel: cancel.figures(), modify: modify.figures() },
      lateMs: this.#late.figures(),
    };
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** The most frequent first. */
function sorted(counts: ReadonlyMap<string, number>): Counts {
  return Object.fromEntries([...counts].toSorted(([, one], [, other]) => other - one));
}
