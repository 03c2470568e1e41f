// What the page has of the market: whether it may be old, because the page has no contact with its server, or the server none
// with the market; and whether the first data is still to come.

import { computed, signal } from "@preact/signals";
import type { ErrorReport } from "../../contract/calls.ts";
import { market } from "./market-store.ts";
import { contact } from "./stream.ts";

/** Why the page's last try to connect the server to the market failed; null if it did not. */
export const connectProblem = signal<ErrorReport | null>(null);

export const isAway = computed(() => {
  const { state } = contact.value;
  if (state === "off") return false;
  if (state === "live") return market.connection.value?.status !== "connected" && !isAwaited.value;
  // A page that has just been opened shows nothing yet.
  return state !== "connecting" || market.isKnown.value;
});

/** Whether the page is about to get its first data, so that an empty list says nothing, and no data is no fault. */
export const isAwaited = computed(() => {
  const { state } = contact.value;
  if (state === "connecting") return !market.isKnown.value;
  const connection = market.connection.value;
  if (state !== "live" || connection === null || connection.asOf !== null) return false;
  const { status, wasDisconnected, problem } = connection;
  if (status === "connecting") return true;
  // The page connects it (frame/auto-connect.tsx).
  return status === "disconnected" && !wasDisconnected && problem === null && connectProblem.value === null;
});
