// The theme's colours for what is drawn on a canvas, which knows no custom properties.

/** The name of a custom property of theme.css without its dashes, such as `buy`. */
export type ThemeColour =
  | "accent"
  | "border"
  | "buy"
  | "control"
  | "danger"
  | "good"
  | "line"
  | "muted"
  | "sell"
  | "surface"
  | "text"
  | "warning";

export type ColourOf = (colour: ThemeColour, opacity?: number) => string;

/** Reads colours as they are inside `element` now. */
export function colours(element: HTMLElement): ColourOf {
  // A custom property holds light-dark(...) as it is written; only a real property is resolved to one colour.
  const probe = document.createElement("span");
  probe.hidden = true;
  element.append(probe);
  const style = getComputedStyle(probe);
  const found = new Map<string, string>();
  const read = (colour: ThemeColour) => {
    probe.style.color = `var(--${colour})`;
    return style.color;
  };
  const names = [
    "accent",
    "border",
    "buy",
    "control",
    "danger",
    "good",
    "line",
    "muted",
    "sell",
    "surface",
    "text",
    "warning",
  ];
  for (const name of names) found.set(name, read(name as ThemeColour));
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

/** Calls `listener` when the page turns light or dark. Returns what ends that. */
export function onThemeChange(listener: () => void): () => void {
  const query = matchMedia("(prefers-color-scheme: dark)");
  query.addEventListener("change", listener);
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme", "style", "class"] });
  return () => {
    query.removeEventListener("change", listener);
    observer.disconnect();
  };
}
