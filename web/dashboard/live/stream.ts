// Follows the market by server-sent events. Updates are collected and applied at most once a frame. A stream that fails, or
// says nothing for too long, is opened again after the last update received, so no event is lost or seen twice.
//
// The browser's own reconnection is not used: it gives up after an HTTP error, and a new address (other books) would forget
// the position.

import { signal } from "@preact/signals";
import { MAX_WATCHED, type Update } from "../../contract/update.ts";
import { backoffMs } from "./backoff.ts";
import { hiddenPlace } from "./hidden-tabs.ts";
import { applyUpdates, keepBooks } from "./market-store.ts";
import { StreamLedger } from "./stream-ledger.ts";

/** The server sends something each second, so after this much silence what is shown may be old. */
const STALE_MS = 4_000;
/** After this much silence the connection is taken for dead. */
const DEAD_MS = 12_000;

/**
 * The page's contact with its server. `since` is in milliseconds of Date.now: when it became live, or else the time from which
 * what is shown is.
 */
export type Contact =
  | { readonly state: "off" }
  | { readonly state: "connecting"; readonly since: number }
  | { readonly state: "live"; readonly since: number }
  /** Too many hidden tabs follow the market, so this one goes on when it is seen again. */
  | { readonly state: "asleep"; readonly since: number }
  /** Connected, but silent. */
  | { readonly state: "stale"; readonly since: number }
  /** Lost; `attempt` tries have failed. */
  | { readonly state: "reconnecting"; readonly since: number; readonly attempt: number };

export const contact = signal<Contact>({ state: "off" });

const ledger = new StreamLedger();

let source: EventSource | null = null;
let watched: readonly string[] = [];
let attempt = 0;
let retryTimer = 0;
let lastHeard = 0;
let pending: Update[] = [];
let isFrameAsked = false;
let onChange: () => void = () => {};

/**
 * Begins to follow the market. `changed` is called after each failure, because the session may have ended, and when the
 * server is back, because it may be another one.
 */
export function startStream(changed: () => void): void {
  onChange = changed;
  if (contact.value.state !== "off") return;
  contact.value = { state: "connecting", since: Date.now() };
  open();
}

export function stopStream(): void {
  close();
  contact.value = { state: "off" };
}

/** Also follows the books of these contracts, at most MAX_WATCHED, and of no others. */
export function follow(contracts: readonly string[]): void {
  const wanted = [...new Set(contracts)].slice(0, MAX_WATCHED).sort();
  if (wanted.join() === watched.join()) return;
  watched = wanted;
  keepBooks(wanted);
  if (source !== null) open();
}

function open(): void {
  close();
  const query = new URLSearchParams();
  if (ledger.position !== null) query.set("since", ledger.position);
  for (const id of watched) query.append("contract", id);
  const opened = new EventSource(`/dashboard/stream?${query}`);
  source = opened;
  ledger.connects++;
  lastHeard = performance.now();
  opened.onmessage = ({ data }) => {
    if (source === opened) receive(JSON.parse(data) as Update);
  };
  opened.onerror = () => {
    if (source === opened) fail();
  };
}

function close(): void {
  clearTimeout(retryTimer);
  retryTimer = 0;
  source?.close();
  source = null;
}

function receive(update: Update): void {
  lastHeard = performance.now();
  attempt = 0;
  const before = contact.value.state;
  if (before !== "live") contact.value = { state: "live", since: Date.now() };
  if (before === "reconnecting") onChange();
  pending.push(ledger.accept(update));
  // A hidden page draws no frames.
  if (document.hidden) return apply();
  if (isFrameAsked) return;
  isFrameAsked = true;
  requestAnimationFrame(apply);
}

function apply(): void {
  isFrameAsked = false;
  const updates = pending;
  pending = [];
  if (updates.length > 0) applyUpdates(updates);
}

function fail(): void {
  close();
  attempt++;
  const before = contact.value;
  const since = before.state === "off" || before.state === "live" ? Date.now() : before.since;
  contact.value = { state: "reconnecting", since, attempt };
  retryTimer = setTimeout(open, backoffMs(attempt)) as unknown as number;
  onChange();
}

/** Tries at once if a try is due some time, or if the connection has been silent. */
function hurry(): void {
  if (retryTimer !== 0 || (source !== null && performance.now() - lastHeard > STALE_MS)) open();
}

function watchSilence(): void {
  if (source === null) return;
  const silence = performance.now() - lastHeard;
  if (silence > DEAD_MS) return fail();
  if (silence > STALE_MS && contact.value.state === "live") {
    contact.value = { state: "stale", since: Date.now() - silence };
  }
}

let leavePlace = () => {};

async function hide(): Promise<void> {
  apply();
  const release = await hiddenPlace();
  if (!document.hidden) release?.();
  else if (release !== null) {
    // A page that was seen for a moment only may still have the place from before.
    leavePlace();
    leavePlace = release;
  } else if (contact.value.state !== "off") {
    close();
    contact.value = { state: "asleep", since: Date.now() };
  }
}

function show(): void {
  leavePlace();
  leavePlace = () => {};
  if (contact.value.state !== "asleep") return hurry();
  contact.value = { state: "connecting", since: contact.value.since };
  open();
}

/** Called once, by the page. */
export function watchSurroundings(): void {
  setInterval(watchSilence, 1_000);
  addEventListener("online", hurry);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) void hide();
    else show();
  });
  // A page in the browser's cache for "back" has no connection.
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => {
    if ((event as PageTransitionEvent).persisted && contact.value.state !== "off") open();
  });
}

/** What tests and the curious ask in the browser's console: `mktDashboard`. */
export const facts: object = Object.defineProperty(ledger, "contact", {
  enumerable: true,
  get: () => contact.value.state,
});
