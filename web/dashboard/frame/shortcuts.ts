// Keys for the whole page. They do nothing while somebody types, in a dialog, or if they are switched off.

import { signal } from "@preact/signals";
import { address } from "../pages/page.ts";
import { store, stored } from "./theme.ts";

const KEY = "mkt-shortcuts";
/** Between `g` and the letter of a page. */
const PREFIX_MS = 1_500;

const PAGES: Readonly<Record<string, string>> = {
  m: "market",
  s: "spot",
  e: "entities",
  i: "simulation",
  c: "credit",
  v: "events",
};

export const SHORTCUTS = [
  { keys: "/", does: "Search" },
  { keys: "?", does: "This list" },
  { keys: "g m", does: "Market" },
  { keys: "g s", does: "Spot prices" },
  { keys: "g e", does: "Entities" },
  { keys: "g i", does: "Simulation" },
  { keys: "g c", does: "Credit" },
  { keys: "g v", does: "Events" },
] as const;

export const hasShortcuts = signal(true);

export function keepShortcuts(chosen: boolean): void {
  hasShortcuts.value = chosen;
  store(KEY, chosen ? "on" : "off");
}

interface Actions {
  readonly search: () => void;
  readonly help: () => void;
}

/** Called once, by the page. */
export function listenToKeys({ search, help }: Actions): void {
  hasShortcuts.value = stored(KEY) !== "off";
  let prefixAt = -Infinity;
  document.addEventListener("keydown", (event) => {
    if (!hasShortcuts.peek() || isTyping(event)) return;
    const { key, timeStamp } = event;
    const page = timeStamp - prefixAt < PREFIX_MS ? PAGES[key] : undefined;
    prefixAt = key === "g" ? timeStamp : -Infinity;
    if (page !== undefined) location.hash = address(page);
    else if (key === "/") search();
    else if (key === "?") help();
    else return;
    event.preventDefault();
  });
}

function isTyping({ target, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || isComposing) return true;
  return target instanceof Element && target.closest("input, select, textarea, dialog, [contenteditable]") !== null;
}
