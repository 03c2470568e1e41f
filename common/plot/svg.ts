// SVG as text: elements, escaping, and the style sheet that colours every picture, light and dark.
//
// Shapes take their colour from the class of their tone, by `currentColor`. So a picture has no inline style and fits pages
// with a strict Content-Security-Policy.

/**
 * What a colour stands for, on a light and on a dark page. s0 to s7 are series that differ in nothing but their names. Blue and
 * orange can be told apart with any common colour vision.
 */
const COLOURS = {
  s0: ["#1f6fc9", "#58a6ff"],
  s1: ["#c2570c", "#f0883e"],
  s2: ["#1f8a4c", "#3fb950"],
  s3: ["#8a4fbf", "#c297ff"],
  s4: ["#a8326e", "#f778ba"],
  s5: ["#0f7f8c", "#39c5cf"],
  s6: ["#7a6200", "#d2a622"],
  s7: ["#5b6472", "#9aa7b5"],
  buy: ["#0a62ba", "#58a6ff"],
  sell: ["#a8430b", "#f0883e"],
  spike: ["#c4281c", "#ff7b72"],
  drop: ["#0f7f8c", "#39c5cf"],
  event: ["#9a6a00", "#e3b341"],
  congestion: ["#8a4fbf", "#c297ff"],
  good: ["#17713f", "#3fb950"],
  bad: ["#b3261e", "#ff7b72"],
  muted: ["#5b6472", "#9aa7b5"],
} as const;
export type Tone = keyof typeof COLOURS;
const TONES = Object.keys(COLOURS) as Tone[];
const PAPER = ["#ffffff", "#0d1117"] as const;
const INK = ["#14181f", "#e6edf3"] as const;

/** The first series tones, in order. */
export function seriesTone(index: number): Tone {
  return TONES[index % 8] ?? "s0";
}

/** Rules for all pictures of a page. Paper is always light. */
export function plotStyle(): string {
  return `${rules(0)}@media screen and (prefers-color-scheme:dark){${rules(1)}}`;
}

function rules(place: 0 | 1): string {
  const tones = TONES.map((tone) => `.p-${tone}{color:${COLOURS[tone][place]}}`).join("");
  return `.plot{color:${INK[place]}}.p-paper{color:${PAPER[place]}}${tones}`;
}

/** Text as the content of an element or as an attribute's value. Characters that XML does not have are replaced. */
export function escaped(text: string): string {
  return text
    // deno-lint-ignore no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd")
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** `content` is markup. Attributes are escaped; those that are undefined are left out. */
export function element(name: string, attributes: Attributes, content = ""): string {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escaped(String(value))}"`]
  ).join("");
  return content === "" ? `<${name}${given}/>` : `<${name}${given}>${content}</${name}>`;
}

/** A coordinate, to a tenth of a pixel. Throws if it is not a finite number. */
export function pixels(value: number): number {
  if (!Number.isFinite(value)) throw new Error(`${value} is not a coordinate`);
  // Adds 0, because a rounded -0 is written as -0.
  return Math.round(value * 10) / 10 + 0;
}

interface TextOptions {
  readonly anchor?: "start" | "middle" | "end";
  readonly tone?: Tone;
  readonly size?: number;
  readonly bold?: boolean;
}

/** A line of text. Text of outside never reorders what is beside it, because each text is an element of its own. */
export function textAt(x: number, y: number, text: string, options: TextOptions = {}): string {
  const { anchor, tone, size, bold } = options;
  return element("text", {
    x: pixels(x),
    y: pixels(y),
    "text-anchor": anchor === "start" ? undefined : anchor,
    "font-size": size,
    "font-weight": bold === true ? 600 : undefined,
    fill: "currentColor",
    class: tone === undefined ? undefined : `p-${tone}`,
  }, escaped(text));
}

/** About: of a sans-serif font, in which capitals and digits are wider. */
export function widthOf(text: string, size = 12): number {
  let width = 0;
  for (const letter of text) width += /[\p{Lu}\p{Nd}mw]/u.test(letter) ? 0.67 : /[\p{Ll}_]/u.test(letter) ? 0.55 : 0.5;
  return width * size;
}

/** The text, shortened to about this width. */
export function fitted(text: string, width: number, size = 12): string {
  if (widthOf(text, size) <= width) return text;
  const letters = [...text];
  while (letters.length > 1 && widthOf(letters.join(""), size) + size > width) letters.pop();
  return `${letters.join("")}…`;
}
