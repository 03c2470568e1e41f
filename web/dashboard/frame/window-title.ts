// The title of the window and its picture tell the state of the market, so that a tab in the background is of use.

import { computed, effect } from "@preact/signals";
import { isAway } from "../live/liveness.ts";
import { market } from "../live/market-store.ts";
import { isControlPage } from "../live/session.ts";
import { pageTitle } from "../pages/page-head.tsx";
import { type Alarms, windowTitle } from "../live/market-status.ts";

/** What is wrong, of all that the header shows. */
const alarms = computed<Alarms>(() => ({
  isHalted: market.markets.value.some(({ halted }) => halted),
  isFrozen: market.frozen.value !== null,
  isAway: isAway.value,
}));

/** Called once, by the page. */
export function keepWindowTitle(): void {
  effect(() => void (document.title = windowTitle(pageTitle.value, alarms.value, isControlPage)));
  effect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    const name = alarms.value.isHalted ? "halted" : isControlPage ? "control" : "view";
    link?.setAttribute("href", `/assets/icon-${name}.svg`);
  });
}
