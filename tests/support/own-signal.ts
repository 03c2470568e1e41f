// A signal that can be told from every other one. For toEqual any two plain signals are the same, aborted or not.

/** Never aborted. */
export function ownSignal(): AbortSignal {
  return Object.assign(new AbortController().signal, { isOwn: true });
}
