// How long a persona waits between two decisions, in simulated time.

export interface Pace {
  /** exponential: decisions come independently of each other. jittered: regularly, off by up to a quarter. */
  readonly kind: "exponential" | "jittered";
  readonly meanMs: number;
}

interface Random {
  next(): number;
  exponential(): number;
}

/** Whole milliseconds, at least 1. */
export function drawDelayMs({ kind, meanMs }: Pace, random: Random): number {
  const share = kind === "exponential" ? random.exponential() : 0.75 + random.next() / 2;
  return Math.max(1, Math.round(meanMs * share));
}
