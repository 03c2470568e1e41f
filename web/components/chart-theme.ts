// The theme's colours for what is drawn on a canvas, which knows no custom properties.

/** Names of custom properties of theme.css without their dashes. */
const COLOURS = [
  "accent",
  "border",
  "buy",
  "control",
  "danger",
  "good",
  "line",
  "muted",
  "sell",
  "series",
  "surface",
  "text",
  "warning",
] as const;
export type ThemeColour = (typeof COLOURS)[number];

export type ColourOf = (colour: ThemeColour, opacity?: number) => string;

/** Reads colours as they are inside `element` now. */
export function colours(element: HTMLElement): ColourOf {
  // A custom property holds light-dark(...) as it is written; only a real property is resolved to one colour.
  const probe = document.createElement("span");
  probe.hidden = true;
  element.append(probe);
  const style = getComputedStyle(probe);
  const found = new Map(COLOURS.map((colour) => {
    probe.style.color = `var(--${colour})`;
    return [colour, style.color];
  }));
  probe.remove();
  return (colour, opacity = 1) => translucent(found.get(colour) ?? "rgb(128, 128, 128)", opacity);
}

/** `rgb(1, 2, 3)` with opacity 0.5: `rgba(1, 2, 3, 0.5)`. */
export function translucent(rgb: string, opacity: number): string {
  return opacity === 1 ? rgb : rgb.replace(/^rgba?\(([^)]*)\)$/, (_, parts: string) => {
    const [red, green, blue] = parts.split(/[\s,/]+/);
    return `rgba(${red}, ${green}, ${blue}, ${opacity})`;
  });
}

/** Calls `listener` when the page turns light or dark, or gets the colours of the system. Returns what ends that. */
export function onThemeChange(listener: () => void): () => void {
  const queries = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((query) => matchMedia(query));
  for (const query of queries) query.addEventListener("change", listener);
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme", "style", "class"] });
  return () => {
    for (const query of queries) query.removeEventListener("change", listener);
    observer.disconnect();
  };
}
