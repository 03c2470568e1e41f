// A chart as SVG text: title, legend, axes and layers. The same chart gives the same bytes.

import { type Axis, type Scale, scaleOf } from "./axis.ts";
import { type Area, drawn, isEmpty, type Layer, nothing, valuesOf } from "./layers.ts";
import { element, escaped, fitted, pixels, textAt, type Tone, widthOf } from "./svg.ts";

export interface Chart {
  readonly title: string;
  /** For screen readers: what the chart shows, in a sentence. */
  readonly description?: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly layers: readonly Layer[];
  /** Pixels, at which texts are 12 pixels high. */
  readonly width: number;
  readonly height: number;
  /** Between the frame and the plot on the left; absent: as the marks need. */
  readonly left?: number;
  /** Instead of a chart without data. */
  readonly emptyText?: string;
  /** Whether the lines of the grid are left out. */
  readonly isPlain?: boolean;
}

const SMALL = 11;
const TITLE_HEIGHT = 22;
const LEGEND_HEIGHT = 16;
const MARKS_HEIGHT = 20;
const LABEL_HEIGHT = 14;
const RIGHT = 14;
const SWATCH = 16;

/** The inside of an svg element of the chart's size. */
export function chartMarkup(chart: Chart): string {
  const { x: across, y: up, layers, width, height, title } = chart;
  const legend = legendRows(layers, width);
  const head = title === "" ? 2 : TITLE_HEIGHT;
  const top = head + legend.length * LEGEND_HEIGHT +
    (up.label === undefined ? 4 : LABEL_HEIGHT);
  const bottom = height - MARKS_HEIGHT - (across.label === undefined ? 0 : LABEL_HEIGHT);
  const y = scaleOf(up, valuesOn(layers, "y"), bottom, top + 4, "up");
  const left = chart.left ?? marginFor(y, width);
  const area: Area = { left, right: width - RIGHT, top, bottom };
  const x = scaleOf(across, valuesOn(layers, "x"), area.left, area.right, "across");
  const isVoid = layers.every(isEmpty);
  return [
    title === "" ? "" : textAt(0, 14, fitted(title, width, 13.5), { size: 13, bold: true }),
    ...legend.map((row, at) => legendMarkup(row, head + at * LEGEND_HEIGHT + 8)),
    up.label === undefined ? "" : textAt(0, top - 4, up.label, { size: SMALL, tone: "muted" }),
    across.label === undefined
      ? ""
      : textAt(width - RIGHT, height - 4, across.label, { anchor: "end", size: SMALL, tone: "muted" }),
    upMarks(y, up, area, chart.isPlain === true),
    isVoid && across.kind !== "time" ? "" : acrossMarks(x, area),
    ...layers.map((layer) => drawn(layer, x, y, area)),
    isVoid ? nothing(area, chart.emptyText ?? "no data") : "",
  ].join("");
}

/** The chart as an svg element for a page that has `plotStyle`. It is as wide as its place, at most its own width. */
export function chartSvg(chart: Chart): string {
  const { title, description, width, height } = chart;
  // Also a chart without a visible title has a name for screen readers.
  const head = title === "" ? { title: description ?? "chart" } : { title, description };
  return svgElement({ ...head, width, height }, chartMarkup(chart));
}

interface SvgHead {
  readonly title: string;
  readonly description?: string | undefined;
  readonly width: number;
  readonly height: number;
}

export function svgElement({ title, description, width, height }: SvgHead, content: string): string {
  const words = `<title>${escaped(title)}</title>${
    description === undefined ? "" : `<desc>${escaped(description)}</desc>`
  }`;
  return element("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    class: "plot",
    viewBox: `0 0 ${pixels(width)} ${pixels(height)}`,
    width: pixels(width),
    role: "img",
    "font-family": "system-ui, sans-serif",
    "font-size": 12,
  }, `${words}${content}`);
}

function* valuesOn(layers: readonly Layer[], way: "x" | "y"): Generator<number> {
  for (const layer of layers) yield* valuesOf(layer, way);
}

function marginFor({ marks }: Scale, width: number): number {
  const widest = Math.max(20, ...marks.map(({ label }) => widthOf(label, SMALL)));
  return Math.min(widest + 10, width * 0.4);
}

function upMarks({ at, marks }: Scale, axis: Axis, { left, right }: Area, isPlain: boolean): string {
  const isNames = axis.kind === "names";
  const lines = marks.map(({ value, label }) => {
    const y = pixels(at(value));
    const text = textAt(left - 6, y + 4, fitted(label, left - 6, SMALL), { anchor: "end", size: SMALL, tone: "muted" });
    return isPlain || isNames ? text : `${gridLine(`M${pixels(left)} ${y}H${pixels(right)}`, value === 0)}${text}`;
  });
  return lines.join("");
}

function acrossMarks({ at, marks }: Scale, { left, right, bottom }: Area): string {
  let last = -Infinity;
  const texts = marks.flatMap(({ value, label }) => {
    const [x, half] = [at(value), widthOf(label, SMALL) / 2];
    const tick = element("path", { d: `M${pixels(x)} ${pixels(bottom)}v4`, stroke: "currentColor" });
    // Labels never overlap each other, and stay inside the picture.
    const place = Math.min(right + RIGHT - half, x);
    if (place - half < last + 6) return [tick];
    last = place + half;
    return [tick, textAt(place, bottom + 16, label, { anchor: "middle", size: SMALL })];
  });
  const base = element("path", { d: `M${pixels(left)} ${pixels(bottom)}H${pixels(right)}`, stroke: "currentColor" });
  return element("g", { class: "p-muted" }, base + texts.join(""));
}

function gridLine(path: string, isZero: boolean): string {
  return element("path", { d: path, stroke: "currentColor", "stroke-opacity": isZero ? 0.55 : 0.14 });
}

interface LegendEntry {
  readonly name: string;
  readonly layer: Layer;
}

/** Entries that share a name are shown once. */
function legendRows(layers: readonly Layer[], width: number): LegendEntry[][] {
  const entries = new Map<string, LegendEntry>();
  for (const layer of layers) {
    if (layer.name !== undefined && !entries.has(layer.name)) entries.set(layer.name, { name: layer.name, layer });
  }
  const rows: LegendEntry[][] = [];
  let used = Infinity;
  for (const entry of entries.values()) {
    const needed = widthOf(entry.name, SMALL) + SWATCH + 14;
    if (used + needed > width) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)?.push(entry);
    used += needed;
  }
  return rows;
}

function legendMarkup(row: readonly LegendEntry[], y: number): string {
  let x = 0;
  return row.map(({ name, layer }) => {
    const markup = swatch(layer, x, y) + textAt(x + SWATCH + 2, y + 4, name, { size: SMALL });
    x += widthOf(name, SMALL) + SWATCH + 14;
    return markup;
  }).join("");
}

/** What the layer's shapes look like: the tone is never the only difference. */
function swatch(layer: Layer, x: number, y: number): string {
  const inTone = (tone: Tone, shape: string) => element("g", { class: `p-${tone}` }, shape);
  if (layer.kind === "line" || layer.kind === "level") {
    return inTone(
      layer.tone,
      element("path", {
        d: `M${pixels(x)} ${pixels(y)}h13`,
        stroke: "currentColor",
        "stroke-width": 2,
        "stroke-dasharray": layer.kind === "level" ? "2 3" : layer.isDashed === true ? "4 3" : undefined,
      }),
    );
  }
  if (layer.kind === "sticks") {
    return inTone(
      layer.tone,
      element("path", {
        d: `M${pixels(x + 4)} ${pixels(y - 4)}v8m4 -6v5`,
        stroke: "currentColor",
        "stroke-width": 1.5,
      }),
    );
  }
  if (layer.kind === "dots") {
    return inTone(layer.tone, element("circle", { cx: pixels(x + 6), cy: pixels(y), r: 3, fill: "currentColor" }));
  }
  const opacity = layer.opacity ?? (layer.kind === "boxes" ? 1 : layer.kind === "bands" ? 0.3 : 0.25);
  return inTone(
    layer.tone,
    element("rect", {
      x: pixels(x + 1),
      y: pixels(y - 5),
      width: 11,
      height: 10,
      fill: "currentColor",
      "fill-opacity": Math.max(0.3, opacity),
    }),
  );
}
