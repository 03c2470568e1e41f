// One or more charts as an SVG file of its own: small multiples below and beside each other, on light or dark paper.

import { type Chart, chartMarkup, svgElement } from "./chart.ts";
import { element, escaped, pixels, plotStyle, textAt } from "./svg.ts";

interface Picture {
  readonly title: string;
  readonly description?: string;
  /** Below the title, for example what made the picture. */
  readonly note?: string;
  /** Rows of charts, which may differ in size. A row is as high as its highest chart. */
  readonly rows: readonly (readonly Chart[])[];
}

const MARGIN = 16;
const GAP = 18;
const HEAD = 26;
const NOTE = 16;

/** The text of an SVG file. */
export function pictureSvg({ title, description, note, rows }: Picture): string {
  const isAlone = rows.length === 1 && rows[0]?.length === 1 && rows[0][0]?.title === title;
  const head = isAlone ? 0 : HEAD + (note === undefined ? 0 : NOTE);
  const widths = rows.map((row) => row.reduce((sum, { width }) => sum + width + GAP, -GAP));
  const width = Math.max(0, ...widths) + 2 * MARGIN;
  let y = MARGIN + head;
  const charts = rows.flatMap((row) => {
    let x = MARGIN;
    const placed = row.map((chart) => {
      const markup = element("g", { transform: `translate(${pixels(x)} ${pixels(y)})` }, chartMarkup(chart));
      x += chart.width + GAP;
      return markup;
    });
    y += Math.max(0, ...row.map(({ height }) => height)) + GAP;
    return placed;
  });
  const words = [
    head === 0 ? "" : textAt(MARGIN, MARGIN + 12, title, { size: 16, bold: true }),
    head === 0 || note === undefined ? "" : textAt(MARGIN, MARGIN + 12 + NOTE + 2, note, { size: 11, tone: "muted" }),
  ];
  const paper = element("rect", { class: "p-paper", width: "100%", height: "100%", fill: "currentColor" });
  const style = `<style>${escaped(`:root{color-scheme:light dark}${plotStyle()}`)}</style>`;
  const content = [style, paper, ...words, ...charts].join("\n");
  return `${svgElement({ title, description, width, height: y - GAP + MARGIN }, content)}\n`;
}
