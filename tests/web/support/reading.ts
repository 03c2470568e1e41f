// What a person reads on a page, as lines of text, so that a test can compare all of it at once:
//
//   [NORTH](#/contract/N)   a link          <Halt>  <Halt ✗>  <5 min ✓>   a button; it can't be used; it is on
//   a | b                   cells of a row  > a | b                       a row that is selected
//   Profit: 5               a figure        {CALM*, STRESS}  {_5_}        a choice with what is chosen, a field
//   ‹up›                    what the colour or the place of the next words means: the end of a class
//   ▭40%                    the width of a bar

import { SmallElement, type SmallNode, SmallText } from "./small-document.ts";

const LINES = new Set(
  "address article aside body details dialog div dl dt fieldset figure form h1 h2 h3 header label legend li main nav ol p \
section strong summary table tbody thead tr ul".split(" "),
);

/** Ends of classes that say what something means. Their colours and places are those of the style sheets. */
const MEANING =
  /(?<!navigation)-(up|down|buy|sell|bid|ask|loss|gain|short|long|best|neutral|good|warning|danger|info|control|frozen|same|none|crossed|own|tradable|documents|no_limit|limit|other_limit|halted|primary|reason)$/;

export function reading(node: SmallNode): string {
  return raw(node).split("\n").map((line) =>
    line.replace(/\s+/g, " ").replace(" : ", ": ").replaceAll("› ", "›").trim()
  )
    .filter((line) => line !== "").join("\n").replaceAll("›\n", "›");
}

function raw(node: SmallNode): string {
  if (node instanceof SmallText) return String(node.data).replaceAll("\n", " ");
  if (!(node instanceof SmallElement)) return "";
  const { localName: name, childNodes, attributes } = node;
  const inner = childNodes.map((child) => raw(child) + (areApart(child, child.nextSibling) ? " " : "")).join("");
  const content = `${meaningOf(node)}${barOf(node)}${inner}`;
  const label = attributes.get("aria-label");
  switch (name) {
    case "svg":
      return meaningOf(node);
    case "a":
      return `[${content.trim()}](${attributes.get("href")})${attributes.has("aria-current") ? "*" : ""}`;
    case "button": {
      const isOn = attributes.get("aria-pressed") === "true" ? " ✓" : "";
      const isOff = attributes.get("aria-disabled") === "true" ? " ✗" : "";
      return ` <${content.trim() || label}${isOn}${isOff}> `;
    }
    case "input":
      if (node.checked !== undefined) return node.checked ? "(x) " : "( ) ";
      return `{_${node.value ?? ""}_}`;
    case "select":
      return `{${
        [...node.descendants()].filter(({ localName }) => localName === "option")
          .map((option) => raw(option).trim() + (option.value === node.value ? "*" : "")).join(", ")
      }}`;
    case "td":
    case "th":
      return `${content.replaceAll("\n", " ")} | `;
    case "dd":
      return `: ${content.trim().replace(/\s*\n\s*/g, " / ")}\n`;
    case "dt":
      return `\n${content}`;
    case "tr":
      return `\n${attributes.get("aria-selected") === "true" ? "> " : ""}${content.replace(/ \| $/, "")}\n`;
  }
  return LINES.has(name) ? `\n${content}\n` : content;
}

function meaningOf({ attributes, localName }: SmallElement): string {
  if (localName === "a") return "";
  const meanings = (attributes.get("class") ?? "").split(" ").flatMap((token) => MEANING.exec(token)?.[1] ?? []);
  return meanings.length === 0 ? "" : `‹${meanings.join(" ")}›`;
}

function barOf({ style }: SmallElement): string {
  const { width } = style;
  return typeof width === "string" && width.endsWith("%") ? `▭${Math.round(parseFloat(width) * 10) / 10}%` : "";
}

/** The style sheet keeps elements apart, but no text from an element. */
function areApart(node: SmallNode, next: SmallNode | null): boolean {
  return node instanceof SmallElement && next instanceof SmallElement;
}
