// Follows the market by the stream of updates, which all windows of this browser share (stream-link.ts). Updates are collected
// and applied at most once a frame.
//
// "Live" means that the newest update is not too old. Without a change the server sends one each second, so a page whose
// worker, network or server is silent says how old its data is.

import { signal } from "@preact/signals";
import type { Update } from "../../contract/update.ts";
import { backoffMs } from "./backoff.ts";
import { applyUpdates, keepBooks } from "./market-store.ts";
import { StreamLedger } from "./stream-ledger.ts";
import { ownLink, POLL_MS, sharedLink, type StreamLink } from "./stream-link.ts";
import { DEAD_MS, STALE_MS, type StreamStatus } from "./stream-source.ts";

/** Contracts whose books a page can have. */
export const MAX_FOLLOWED = 8;
/** After so many failures a page does without the worker. */
const MAX_FAILURES = 3;

/**
 * The page's contact with its server. `since` is in milliseconds of Date.now: when it became live, or else the time from which
 * what is shown is.
 */
export type Contact =
  | { readonly state: "off" }
  | { readonly state: "connecting"; readonly since: number }
  | { readonly state: "live"; readonly since: number }
  /** Connected, but silent. */
  | { readonly state: "stale"; readonly since: number }
  /** Lost; `attempt` tries have failed. */
  | { readonly state: "reconnecting"; readonly since: number; readonly attempt: number };

export const contact = signal<Contact>({ state: "off" });

/** How old what is shown is, in milliseconds; 0 while it is live. Changes once a second. */
export const dataAge = signal(0);

/** How often this page asks if it is polling. */
export const pollSeconds = POLL_MS / 1_000;

/** Whether this page asks for updates from time to time, because it can't share a connection with the other windows. */
export const isPolling = signal(false);

const ledger = new StreamLedger();

let link: StreamLink | null = null;
let key = "";
let watched: readonly string[] = [];
let status: StreamStatus["state"] = "connecting";
let attempt = 0;
/** Of Date.now: when the newest update came; null before the first. */
let heardAt: number | null = null;
let startedAt = 0;
/** Of performance.now: when the link was made, or has said something. */
let lastSign = 0;
let failures = 0;
let retryTimer = 0;
let pending: Update[] = [];
let isFrameAsked = false;
let onChange: () => void = () => {};

/**
 * Begins to follow the market. `streamKey`: windows with the same one share a stream. `changed` is called after each failure,
 * because the session may have ended, and when the server is back, because it may be another one.
 */
export function startStream(streamKey: string, changed: () => void): void {
  onChange = changed;
  const isOff = contact.value.state === "off";
  if (!isOff && streamKey === key) return;
  key = streamKey;
  if (isOff) {
    startedAt = Date.now();
    contact.value = { state: "connecting", since: startedAt };
  }
  open();
}

export function stopStream(): void {
  close();
  status = "connecting";
  attempt = 0;
  heardAt = null;
  contact.value = { state: "off" };
  dataAge.value = 0;
}

/** Also follows the books of these contracts, at most MAX_FOLLOWED, and of no others. */
export function follow(contracts: readonly string[]): void {
  const wanted = [...new Set(contracts)].slice(0, MAX_FOLLOWED).sort();
  if (wanted.join() === watched.join()) return;
  watched = wanted;
  keepBooks(wanted);
  link?.follow(wanted);
}

function open(): void {
  close();
  const options = { key, position: () => ledger.position, take, fail };
  const opened = (failures < MAX_FAILURES ? sharedLink(options) : null) ?? ownLink(options);
  link = opened;
  isPolling.value = !opened.isShared;
  lastSign = performance.now();
  opened.follow(watched);
}

function close(): void {
  clearTimeout(retryTimer);
  retryTimer = 0;
  link?.close();
  link = null;
}

function take(now: StreamStatus, update: Update | null): void {
  lastSign = performance.now();
  failures = 0;
  ledger.connects = now.connects;
  heardAt = now.heardAt ?? heardAt;
  const hasFailed = now.state === "reconnecting" && now.attempt !== attempt;
  const isBack = status === "reconnecting" && now.state === "live";
  ({ state: status, attempt } = now);
  if (update !== null) collect(update);
  showContact();
  if (hasFailed || isBack) onChange();
}

/** The worker could not be started: its program did not come, for example. */
function fail(): void {
  close();
  failures++;
  status = "reconnecting";
  attempt++;
  showContact();
  retryTimer = setTimeout(open, backoffMs(failures)) as unknown as number;
  onChange();
}

function collect(update: Update): void {
  // The stream also has the books that other windows show.
  const books = update.books.filter(({ contractId }) => watched.includes(contractId));
  pending.push(ledger.accept({ ...update, books }));
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

function showContact(): void {
  const before = contact.value;
  if (before.state === "off") return;
  const since = heardAt ?? startedAt;
  const age = Date.now() - since;
  const limit = isPolling.value ? STALE_MS + POLL_MS : STALE_MS;
  if (status === "reconnecting") become({ state: "reconnecting", since, attempt });
  else if (heardAt === null) become({ state: "connecting", since });
  else if (age > limit) become({ state: "stale", since });
  else if (before.state !== "live") become({ state: "live", since: Date.now() });
  dataAge.value = contact.value.state === "live" || heardAt === null ? 0 : age;
}

function become(next: Contact): void {
  if (JSON.stringify(next) !== JSON.stringify(contact.value)) contact.value = next;
}

/** Tries at once if a try is due some time. */
function hurry(): void {
  if (retryTimer !== 0) open();
  else link?.hurry();
}

/** A worker that says nothing has ended, or hangs. */
function watchSilence(): void {
  if (link !== null && performance.now() - lastSign > DEAD_MS) open();
  showContact();
}

/** Called once, by the page. */
export function watchSurroundings(): void {
  setInterval(watchSilence, 1_000);
  addEventListener("online", hurry);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) apply();
    else hurry();
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
