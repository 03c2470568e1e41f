// Assertions that no input can make fail. A failed one means that the state is wrong: it throws, and the process ends
// (engine/server/host/fail-stop.ts).

/** Throws unless `holds`. `what` states the condition, such as "a sum is at least 0". */
export function invariant(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`broken invariant: ${what}`);
}
