// Simulated time between two decisions of a persona.

export interface Pace {
  /** exponential: independent decisions. jittered: regular intervals, varied by up to a quarter. */
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
