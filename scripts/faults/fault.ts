// A fault: one small change of one source file, such as a careless edit could make.

export interface Fault {
  /** Relative to the repository. */
  readonly path: string;
  readonly line: number;
  /** Text of the line in which the change starts. */
  readonly sourceLine: string;
  readonly kind: FaultKind;
  /** Offsets of the replaced text. */
  readonly from: number;
  readonly to: number;
  readonly before: string;
  readonly after: string;
}

const FAULT_KINDS = [
  "comparison turned",
  "boundary moved",
  "constant off by one",
  "boolean flipped",
  "negation removed",
  "and for or",
  "least for greatest",
  "branch dropped",
  "check after await dropped",
  "statement dropped",
  "statements swapped",
  "returns early",
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/** The name has no line number, because lines move. docs/testing.md explains surviving faults under these names. */
export function nameOf({ path, kind, sourceLine, before, after }: Fault): string {
  return `${path}: ${kind}: ${sourceLine}: ${shortened(before)} -> ${shortened(after)}`;
}

export function withFault(source: string, { from, to, after }: Fault): string {
  return source.slice(0, from) + after + source.slice(to);
}

const MAX_TEXT = 70;

export function shortened(text: string): string {
  const line = text.trim().split(/\s+/).join(" ");
  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT - 1)}…`;
}
