// What the browser keeps for whoever acts: watchlist, layouts, alerts. It is theirs: after a change of the acting user, or of
// who has signed in, nothing of it is shown or changed, and it comes back with them. Other tabs of the browser share it.

import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { market } from "../live/market-store.ts";
import { session } from "../live/session.ts";
import { store, stored } from "./browser-storage.ts";

/** Characters. A longer text was not written by this page. */
const MAX_LENGTH = 100_000;

interface Owner {
  /** The name of the token; empty without one. */
  readonly caller: string;
  readonly userId: string;
}

let known: Owner | null = null;

/** Who has signed in and acts, as one text; null: unknown. A lost connection to the market changes nothing. */
export const owner = computed(() => {
  const { access = null, caller = null } = session.value ?? {};
  const userId = market.connection.value?.userId ?? null;
  const before = known !== null && known.caller === (caller ?? "") ? known : null;
  if (access === null) known = null;
  else known = userId === null ? before : { caller: caller ?? "", userId };
  return known === null ? null : JSON.stringify([known.caller, known.userId]);
});

export interface Kept<Value> {
  readonly value: ReadonlySignal<Value>;
  /** Does nothing while nobody acts. */
  readonly change: (next: Value) => void;
}

/**
 * `read` makes a value of what was kept, which may be anything: it leaves out what is not right. Of undefined it makes the
 * value of somebody who has kept nothing.
 */
export function kept<Value>(name: string, read: (kept: unknown) => Value): Kept<Value> {
  /** By key, as this page or another tab has written them. */
  const written = signal<ReadonlyMap<string, string | null>>(new Map());
  const keyOf = (owner: string) => `mkt-kept-${name} ${owner}`;
  const textOf = (key: string) => written.value.get(key) ?? stored(key);
  const value = computed(() => read(owner.value === null ? undefined : parsed(textOf(keyOf(owner.value)))));
  const write = (key: string, text: string | null) => void (written.value = new Map([...written.peek(), [key, text]]));
  addEventListener("storage", (event) => {
    const { key, newValue } = event as StorageEvent;
    if (key?.startsWith(keyOf("")) === true) write(key, newValue);
  });
  const change = (next: Value) => {
    const current = owner.peek();
    if (current === null) return;
    const text = JSON.stringify(next);
    write(keyOf(current), text);
    store(keyOf(current), text);
  };
  return { value, change };
}

/** Undefined if it is no JSON. */
function parsed(text: string | null): unknown {
  if (text === null || text.length > MAX_LENGTH) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
