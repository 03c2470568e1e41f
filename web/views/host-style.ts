// The look of the chat host: light or dark, its colours and its font. What the host does not give stays as in theme.css.

import { applyDocumentTheme, applyHostStyleVariables, type McpUiHostContext } from "@modelcontextprotocol/ext-apps";

/**
 * Our properties, and the host's in their place. Colours of buying, selling and warnings stay ours: their contrast is known.
 */
const COLOURS = {
  "--background": "--color-background-primary",
  "--surface": "--color-background-primary",
  "--raised": "--color-background-secondary",
  "--text": "--color-text-primary",
  "--muted": "--color-text-secondary",
  "--line": "--color-border-primary",
} as const;

/** Without them the host's other colours could not be read on ours. */
const NEEDED = ["--color-background-primary", "--color-text-primary"] as const;

export function applyHostStyle({ theme, styles, displayMode, safeAreaInsets }: McpUiHostContext): void {
  const root = document.documentElement;
  if (theme !== undefined) applyDocumentTheme(theme);
  const variables = styles?.variables;
  if (variables !== undefined) {
    applyHostStyleVariables(variables, root);
    const hasColours = NEEDED.every((name) => variables[name] !== undefined);
    for (const [ours, hosts] of Object.entries(COLOURS)) {
      const isGiven = hasColours && variables[hosts] !== undefined;
      if (isGiven) root.style.setProperty(ours, `var(${hosts})`);
      else root.style.removeProperty(ours);
    }
  }
  // Only the name of the font: the host's rules that load one would ask another host.
  if (variables?.["--font-sans"] !== undefined) root.style.fontFamily = "var(--font-sans)";
  root.classList.toggle("is-fullscreen", displayMode === "fullscreen");
  const { top, right, bottom, left } = safeAreaInsets ?? { top: 0, right: 0, bottom: 0, left: 0 };
  root.style.padding = `${top}px ${right}px ${bottom}px ${left}px`;
}
