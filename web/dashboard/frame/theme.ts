// Light or dark: as the system has it, unless the person has chosen. The choice is kept in the browser, if it allows that.

import { signal } from "@preact/signals";
import { store, stored } from "../kept/browser-storage.ts";

export const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const KEY = "mkt-theme";

export const theme = signal<Theme>("system");

/** Called once, before anything is drawn. */
export function restoreTheme(): void {
  const kept = stored(KEY);
  apply(THEMES.find((known) => known === kept) ?? "system");
}

export function chooseTheme(chosen: Theme): void {
  apply(chosen);
  store(KEY, chosen);
}

function apply(chosen: Theme): void {
  theme.value = chosen;
  if (chosen === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = chosen;
}
