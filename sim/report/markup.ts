// HTML of a template: what is filled in is text, unless it is markup itself. Line breaks in a template are not in the page.

import { escaped } from "../../common/plot/svg.ts";

export class Markup {
  constructor(readonly text: string) {}
}

type Part = Markup | string | number | readonly Part[];

/** Text is escaped, parts of a list follow each other. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(String.raw({ raw: compactOf(strings) }, ...parts.map(textOf)));
}

/** The pieces of each template without its line breaks. */
const COMPACT = new WeakMap<TemplateStringsArray, readonly string[]>();
/** A tag that is no part of a line of text. */
const [TAG_BEFORE, TAG_AFTER] = [/<\/?(?!bdi|a\b|code)[a-z][^<>]*>$/, /^<\/?(?!bdi|a\b|code)[a-z]/];

function compactOf(strings: TemplateStringsArray): readonly string[] {
  const known = COMPACT.get(strings);
  if (known !== undefined) return known;
  const compact = strings.map((piece) =>
    piece.replace(/\s*\n\s*/g, (space, at: number) => {
      const isBetweenTags = TAG_BEFORE.test(piece.slice(0, at)) || TAG_AFTER.test(piece.slice(at + space.length));
      return isBetweenTags ? "" : " ";
    })
  );
  COMPACT.set(strings, compact);
  return compact;
}

/** Text that is markup already, such as a chart. */
export function raw(text: string): Markup {
  return new Markup(text);
}

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  return typeof part === "object" ? part.map(textOf).join("") : escaped(String(part));
}
