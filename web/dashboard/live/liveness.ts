// Whether what is shown may be older than the market: the page has no contact with its server, or the server none with the
// market.

import { computed } from "@preact/signals";
import { market } from "./market-store.ts";
import { contact } from "./stream.ts";

export const isAway = computed(() => {
  const { state } = contact.value;
  if (state === "off") return false;
  if (state === "live") return market.connection.value?.status !== "connected";
  // A page that has just been opened shows nothing yet.
  return state !== "connecting" || market.isKnown.value;
});
