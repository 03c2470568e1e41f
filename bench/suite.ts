// A suite has cases, each with a path of mkt and a peer that does the same in a simple way. Their ratio is the figure.
// Both check their own result before and after they are measured.

export interface Subject {
  /** The measured work. If `isTimed`, it returns the nanoseconds that count, so it can restore what the work has changed. */
  readonly run: () => unknown;
  readonly isTimed?: boolean;
  /** Called before each measured run; not measured. */
  readonly before?: () => Promise<void>;
  /** Throws if the results of `run` so far are wrong. */
  readonly check: () => void | Promise<void>;
  readonly end?: () => Promise<void>;
}

/** Creates a subject with this many items. */
export type Prepare = (items: number) => Subject | Promise<Subject>;

export interface Case {
  readonly name: string;
  readonly peerName: string;
  readonly mkt: Prepare;
  readonly peer: Prepare;
  /** Operations in one run, to divide its time by; absent: 1. */
  readonly operations?: (items: number) => number;
}

export interface Suite {
  readonly name: string;
  /** What is measured, and what the items are. */
  readonly description: string;
  /** Empty if nothing grows: the cases then get one item. */
  readonly sizes: readonly number[];
  readonly cases: readonly Case[];
}

/** A bench that measures and checks without mitata, because its runs are too long to be samples. */
export interface StandaloneBench {
  readonly name: string;
  /** Its figures as Markdown, with a heading of its name. Throws if a result is wrong. */
  readonly tables: () => string;
}

export const SIZES = [1_000, 10_000, 100_000] as const;
