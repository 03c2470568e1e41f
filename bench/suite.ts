// What a bench is: suites of cases, each a path of mkt and a peer that does the same in the obvious way. The ratio of the
// two is the figure; both check their own result before they are measured and after.

export interface Subject {
  /** What is measured. */
  readonly run: () => unknown;
  /** Runs before each measured run, unmeasured. */
  readonly before?: () => Promise<void>;
  /** Throws where what `run` answers, or has done so far, is not right. */
  readonly check: () => void | Promise<void>;
  readonly end?: () => Promise<void>;
}

/** Makes a subject over so many items. */
export type Prepare = (items: number) => Subject | Promise<Subject>;

export interface Case {
  readonly name: string;
  readonly peerName: string;
  readonly mkt: Prepare;
  readonly peer: Prepare;
  /** Operations in one run, by which its time is divided; 1 where absent. */
  readonly operations?: (items: number) => number;
}

export interface Suite {
  readonly name: string;
  /** What is measured, and what the items are. */
  readonly description: string;
  /** Empty where nothing grows: then its cases get one item. */
  readonly sizes: readonly number[];
  readonly cases: readonly Case[];
}

/** A bench whose runs are no samples for mitata: it measures and checks for itself. */
export interface Chapter {
  readonly name: string;
  /** Its figures as Markdown, under a heading of its name. Throws where a result is not right. */
  readonly tables: () => string;
}

export const SIZES = [1_000, 10_000, 100_000] as const;
