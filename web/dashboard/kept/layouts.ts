// Layouts: contracts that are shown side by side, under a name.

import { MAX_FOLLOWED } from "../live/stream.ts";
import { kept } from "./kept.ts";
import { keptList, keptText, keptTexts } from "./kept-text.ts";

interface Layout {
  readonly name: string;
  /** Ids, at most MAX_FOLLOWED, because a page has no more books. */
  readonly contracts: readonly string[];
}

const MAX_LAYOUTS = 30;

const list = kept("layouts", (value) => keptList(value, MAX_LAYOUTS, layoutOf));

export const layouts = list.value;

function layoutOf(value: unknown): Layout | null {
  if (typeof value !== "object" || value === null) return null;
  const { name, contracts } = value as Record<string, unknown>;
  const read = { name: keptText(name), contracts: keptTexts(contracts, MAX_FOLLOWED) };
  return read.name === null || read.contracts.length === 0 ? null : { name: read.name, contracts: read.contracts };
}

/** In place of a layout of the same name. The oldest goes if there are too many. */
export function keepLayout(layout: Layout): void {
  list.change([...layouts.peek().filter(({ name }) => name !== layout.name), layout].slice(-MAX_LAYOUTS));
}

export function forgetLayout(name: string): void {
  list.change(layouts.peek().filter((layout) => layout.name !== name));
}
