// A fault: one small change of one source file, as a careless edit would make it.

export interface Fault {
  /** Relative to the repository. */
  readonly path: string;
  readonly line: number;
  /** Text of the line in which the change begins. */
  readonly sourceLine: string;
  readonly kind: FaultKind;
  /** Offsets of what is replaced. */
  readonly from: number;
  readonly to: number;
  readonly before: string;
  readonly after: string;
}

export const FAULT_KINDS = [
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

/** Names a fault without its line number, which moves. docs/testing.md explains a survivor under this name. */
export function nameOf({ path, kind, sourceLine, before, after }: Fault): string {
  return `${path}: ${kind}: ${sourceLine}: ${shortened(before)} -> ${shortened(after)}`;
}

export function withFault(source: string, { from, to, after }: Fault): string {
  return source.slice(0, from) + after + source.slice(to);
}

const LONGEST_TEXT = 70;

export function shortened(text: string): string {
  const line = text.trim().split(/\s+/).join(" ");
  return line.length <= LONGEST_TEXT ? line : `${line.slice(0, LONGEST_TEXT - 1)}…`;
}
