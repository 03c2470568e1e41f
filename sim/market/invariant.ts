// What must hold whatever anyone sends. If it does not, the state is wrong, and going on would make it worse: it throws,
// and the process ends (sim/server/host/engine-failure.ts).

/** Throws unless `holds`. `what` is what should hold, as a statement; it costs nothing while it does. */
export function invariant(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`broken invariant: ${what}`);
}
