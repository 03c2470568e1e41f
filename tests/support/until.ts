// The one way in which tests wait: for a condition, never for a fixed time.

/** Long enough for a machine that is very busy with other things. */
const PATIENCE_MS = 600_000;
const MAX_PAUSE_MS = 50;

/**
 * Reads again until the value holds, and returns it: by default until it is truthy. Throws if that takes too long; the
 * message tells the condition, or `holds` if it is a text that describes it, and what was read last.
 */
export async function until<Value>(
  read: () => Value | Promise<Value>,
  holds: string | ((value: Value) => boolean) = Boolean,
): Promise<Value> {
  const test = typeof holds === "string" ? Boolean : holds;
  const deadline = performance.now() + PATIENCE_MS;
  for (let pauseMs = 1;; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    const value = await read();
    if (test(value)) return value;
    if (performance.now() > deadline) {
      const what = typeof holds === "string" ? holds : `${read} to fit ${holds}`;
      throw new Error(`waited ${PATIENCE_MS} ms for ${what}; last read ${Bun.inspect(value).slice(0, 500)}`);
    }
    await Bun.sleep(pauseMs);
  }
}
