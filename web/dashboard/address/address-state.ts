// State of a page that is kept in its address: filter, sort order, time. It outlives the page, so whoever comes back by the
// navigation finds it as it was; an address with parameters of its own replaces all of it. A change adds no entry to the
// browser's history.

import { computed, type Signal, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { addressParts, changedQuery, pageOf, withQuery } from "./address-text.ts";

/** By page, as its address has or had them. */
const queries = new Map<string, Signal<string>>();

function queryOf(page: string): Signal<string> {
  const known = queries.get(page);
  if (known !== undefined) return known;
  const made = signal("");
  queries.set(page, made);
  return made;
}

function arrive(): void {
  const { place, query } = addressParts(location.hash);
  const kept = queryOf(pageOf(place));
  if (query !== "") kept.value = query;
  else if (kept.peek() !== "") history.replaceState(null, "", withQuery(place, kept.peek()));
}

arrive();
addEventListener("hashchange", arrive);

function change(page: string, changes: Readonly<Record<string, string | null>>): void {
  const { place } = addressParts(location.hash);
  const kept = queryOf(page);
  kept.value = changedQuery(kept.peek(), changes);
  if (pageOf(place) === page) history.replaceState(null, "", withQuery(place, kept.peek()));
}

/** A value that parameters of a page's address stand for. */
interface Addressed<Value> {
  value: Value;
  /** Calls `listener` at once, and after each change. Returns what ends that. */
  subscribe(listener: (value: Value) => void): () => void;
}

interface Form<Value> {
  /** Anything may stand in an address: what is not understood is left out. */
  readonly read: (parameters: URLSearchParams) => Value;
  /** All parameters of the value; empty: left out of the address. */
  readonly write: (value: Value) => Readonly<Record<string, string>>;
}

export function inAddress<Value>(page: string, { read, write }: Form<Value>): Addressed<Value> {
  const kept = queryOf(page);
  let last: Value;
  let written: string | undefined;
  // The same object until it says something else: other values of the page stand in the same address.
  const value = computed(() => {
    const next = read(new URLSearchParams(kept.value));
    const text = JSON.stringify(write(next));
    if (text === written) return last;
    written = text;
    return last = next;
  });
  return {
    get value() {
      return value.value;
    },
    set value(next) {
      change(page, write(next));
    },
    subscribe: (listener) => value.subscribe(listener),
  };
}

/** One parameter of the page that is shown, as text. `first`, which stands for itself if the parameter is absent. */
export function useAddressed(name: string, first: string): readonly [value: string, change: (value: string) => void] {
  const page = useMemo(() => pageOf(location.hash), []);
  const value = new URLSearchParams(queryOf(page).value).get(name) ?? first;
  return [value, (next) => change(page, { [name]: next === first ? null : next })];
}
