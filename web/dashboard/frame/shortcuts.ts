// Keys for the whole page. They do nothing while somebody types, in a dialog, or if they are switched off.

import { signal } from "@preact/signals";
import { store, stored } from "../kept/browser-storage.ts";
import { address } from "../pages/page.ts";

const KEY = "mkt-shortcuts";
/** Between `g` and the letter of a page. */
const PREFIX_MS = 1_500;

/** Names of pages, by the letter after `g`. */
export const PAGE_KEYS: Readonly<Record<string, string>> = {
  m: "market",
  w: "watchlist",
  b: "side-by-side",
  s: "spot",
  e: "entities",
  i: "simulation",
  c: "credit",
  v: "events",
  a: "alerts",
};

interface KeyGroup {
  readonly title: string;
  readonly keys: readonly { readonly keys: string; readonly does: string }[];
}

/** What the list of keys says; also of keys that only a part of the page knows. */
export const KEY_GROUPS: readonly KeyGroup[] = [
  {
    title: "Everywhere",
    keys: [
      { keys: "/", does: "Search" },
      { keys: "Ctrl+K", does: "Search and commands" },
      { keys: "?", does: "This list" },
      { keys: "q", does: "Mute alerts, or hear them again" },
      { keys: "Esc", does: "Close" },
    ],
  },
  {
    title: "Go to",
    keys: [
      { keys: "g m", does: "Market" },
      { keys: "g w", does: "Watchlist" },
      { keys: "g b", does: "Side by side" },
      { keys: "g s", does: "Spot prices" },
      { keys: "g e", does: "Entities" },
      { keys: "g i", does: "Simulation" },
      { keys: "g c", does: "Credit" },
      { keys: "g v", does: "Events" },
      { keys: "g a", does: "Alerts" },
    ],
  },
  {
    title: "On the page",
    keys: [
      { keys: "w", does: "Contract: watch it, or no longer" },
      { keys: "l or Esc", does: "Contract, market: from an earlier time back to live" },
      { keys: "Space", does: "Events: pause, and go on" },
      { keys: "← →", does: "Chart: scroll" },
      { keys: "+ −", does: "Chart: zoom" },
      { keys: "Home", does: "Chart: show all" },
    ],
  },
];

export const hasShortcuts = signal(true);

export function keepShortcuts(chosen: boolean): void {
  hasShortcuts.value = chosen;
  store(KEY, chosen ? "on" : "off");
}

interface Actions {
  readonly search: () => void;
  readonly help: () => void;
  readonly mute: () => void;
  readonly watch: () => void;
  readonly live: () => void;
  readonly palette: () => void;
}

const ACTION_KEYS: Readonly<Record<string, Exclude<keyof Actions, "palette">>> = {
  "/": "search",
  "?": "help",
  q: "mute",
  w: "watch",
  l: "live",
  L: "live",
  Escape: "live",
};

/** Called once, by the page. */
export function listenToKeys(actions: Actions): void {
  hasShortcuts.value = stored(KEY) !== "off";
  let prefixAt = -Infinity;
  document.addEventListener("keydown", (event) => {
    if (!hasShortcuts.peek() || isIn(event, "dialog")) return;
    const { key, timeStamp } = event;
    if (isPalette(event)) {
      actions.palette();
      return event.preventDefault();
    }
    if (isTyping(event)) return;
    const page = timeStamp - prefixAt < PREFIX_MS ? PAGE_KEYS[key] : undefined;
    prefixAt = key === "g" ? timeStamp : -Infinity;
    const action = ACTION_KEYS[key];
    if (page !== undefined) location.hash = address(page);
    else if (action !== undefined) actions[action]();
    else return;
    event.preventDefault();
  });
}

/** Also while somebody types. */
function isPalette({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key === "k" && (ctrlKey || metaKey) && !altKey && !shiftKey;
}

function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  // A slider takes no letters.
  if (event.target instanceof HTMLInputElement && event.target.type === "range") return false;
  return isIn(event, "input, select, textarea, [contenteditable]");
}

function isIn({ target }: KeyboardEvent, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
