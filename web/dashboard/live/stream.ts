// Follows the market by server-sent events. The browser connects again by itself, after the last update it has.

import { signal } from "@preact/signals";
import type { Update } from "../../contract/update.ts";
import { applyUpdate } from "./market-store.ts";

/** Whether the page is in contact with its server. */
export const isLive = signal(false);

let source: EventSource | null = null;

/** Follows the market, and the books of these contracts. */
export function follow(contracts: readonly string[]): void {
  source?.close();
  const query = contracts.length === 0 ? "" : `?contracts=${contracts.map(encodeURIComponent).join(",")}`;
  source = new EventSource(`/dashboard/stream${query}`);
  source.onopen = () => void (isLive.value = true);
  source.onerror = () => void (isLive.value = false);
  source.onmessage = ({ data }) => applyUpdate(JSON.parse(data) as Update);
}
