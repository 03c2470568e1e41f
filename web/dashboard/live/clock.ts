// The present, in real time. Ticks once a second.

import { signal } from "@preact/signals";

/** Milliseconds of Date.now. */
export const now = signal(Date.now());

setInterval(() => void (now.value = Date.now()), 1_000);
