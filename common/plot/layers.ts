// What a chart draws over its axes, each layer above the one before it. Positions are values of the axes.

import { area, curveLinear, curveStepAfter, line } from "d3-shape";
import { hundredths } from "../rounding.ts";
import type { Scale } from "./axis.ts";
import { element, escaped, pixels, textAt, type Tone } from "./svg.ts";

/** `y` null: a gap. */
export type Point = readonly [x: number, y: number | null];
/** From `low` to `high` at `x`; null: a gap. */
export type Extent = readonly [x: number, low: number | null, high: number | null];

interface Common {
  readonly tone: Tone;
  /** In the legend; absent: not there. */
  readonly name?: string;
}

export type Layer =
  /** `isStepped`: a value holds until the next one. */
  | Common & {
    readonly kind: "line";
    readonly points: readonly Point[];
    readonly isStepped?: boolean;
    readonly isDashed?: boolean;
    readonly width?: number;
  }
  | Common & {
    readonly kind: "area";
    readonly extents: readonly Extent[];
    readonly isStepped?: boolean;
    readonly opacity?: number;
  }
  | Common & {
    readonly kind: "dots";
    readonly points: readonly Point[];
    readonly radius?: number;
    readonly opacity?: number;
  }
  /** Upright lines from low to high. */
  | Common & { readonly kind: "sticks"; readonly extents: readonly Extent[]; readonly width?: number }
  | Common & { readonly kind: "boxes"; readonly boxes: readonly Box[]; readonly opacity?: number }
  /** Shaded from one value of an axis to another, over the whole of the other axis. */
  | Common & {
    readonly kind: "bands";
    readonly axis: "x" | "y";
    readonly bands: readonly Band[];
    readonly opacity?: number;
  }
  /** A value of the vertical axis, over the whole width. */
  | Common & { readonly kind: "level"; readonly value: number };

interface Box {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
  /** Shown by a browser when it is pointed at. */
  readonly title?: string;
  /** From 0 to 1, for cells of a heat map; 1 if absent. */
  readonly strength?: number;
}

export interface Band {
  readonly from: number;
  readonly to: number;
  readonly title?: string;
}

/** Coordinates of the plot area. */
export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The values that a layer needs on an axis. */
export function* valuesOf(layer: Layer, way: "x" | "y"): Generator<number> {
  const place = way === "x" ? 0 : 1;
  switch (layer.kind) {
    case "line":
    case "dots":
      for (const point of layer.points) if (point[1] !== null) yield point[place] ?? NaN;
      return;
    case "area":
    case "sticks":
      for (const [x, low, high] of layer.extents) {
        if (low === null || high === null) continue;
        if (way === "x") yield x;
        else yield* [low, high];
      }
      return;
    case "boxes":
      for (const box of layer.boxes) yield* box[way];
      return;
    case "bands":
      return;
    case "level":
      if (way === "y") yield layer.value;
  }
}

/** Whether the layer shows anything of the data. */
export function isEmpty(layer: Layer): boolean {
  if (layer.kind === "bands" || layer.kind === "level") return true;
  return valuesOf(layer, "x").next().done === true;
}

export function drawn(layer: Layer, x: Scale, y: Scale, area: Area): string {
  const marks = shapes(layer, x, y, area);
  return marks === "" ? "" : element("g", { class: `p-${layer.tone}` }, marks);
}

function shapes(layer: Layer, x: Scale, y: Scale, plot: Area): string {
  switch (layer.kind) {
    case "line": {
      const path = line<Point>(([each]) => x.at(each), ([, each]) => y.at(each ?? 0))
        .defined(isFinitePoint).curve(layer.isStepped === true ? curveStepAfter : curveLinear).digits(1)(layer.points);
      return path === null ? "" : element("path", {
        d: path,
        fill: "none",
        stroke: "currentColor",
        "stroke-width": layer.width ?? 1.5,
        "stroke-linejoin": "round",
        "stroke-dasharray": layer.isDashed === true ? "4 3" : undefined,
      });
    }
    case "area": {
      const path = area<Extent>()
        .x(([each]) => x.at(each)).y0(([, low]) => y.at(low ?? 0)).y1(([, , high]) => y.at(high ?? 0))
        .defined(isFiniteExtent).curve(layer.isStepped === true ? curveStepAfter : curveLinear).digits(1)(
          layer.extents,
        );
      return path === null
        ? ""
        : element("path", { d: path, fill: "currentColor", "fill-opacity": layer.opacity ?? 0.25 });
    }
    case "dots": {
      const radius = layer.radius ?? 2;
      const dots = layer.points.filter(isFinitePoint).map(([cx, cy]) =>
        element("circle", { cx: pixels(x.at(cx)), cy: pixels(y.at(cy ?? 0)), r: radius })
      ).join("");
      return dots === "" ? "" : element("g", { fill: "currentColor", "fill-opacity": layer.opacity ?? 0.6 }, dots);
    }
    case "sticks": {
      const width = layer.width ?? 1;
      const path = layer.extents.filter(isFiniteExtent).map(([at, low, high]) => {
        const [one, other] = [pixels(y.at(low ?? 0)), pixels(y.at(high ?? 0))];
        // A single price would be a line of no length.
        const short = Math.abs(one - other) < 1.5;
        return `M${pixels(x.at(at))} ${short ? pixels(one + 0.8) : one}V${short ? pixels(one - 0.8) : other}`;
      }).join("");
      return path === ""
        ? ""
        : element("path", { d: path, stroke: "currentColor", "stroke-width": width, fill: "none" });
    }
    case "boxes":
      return layer.boxes.map((box) => boxMarkup(box, x, y, layer.opacity ?? 1)).join("");
    case "bands":
      return layer.bands.map((band) => bandMarkup(band, layer.axis === "x" ? x : y, layer, plot)).join("");
    case "level":
      return element("path", {
        d: `M${pixels(plot.left)} ${pixels(y.at(layer.value))}H${pixels(plot.right)}`,
        stroke: "currentColor",
        "stroke-dasharray": "2 3",
      });
  }
}

function boxMarkup(
  { x: [x0, x1], y: [y0, y1], title, strength = 1 }: Box,
  x: Scale,
  y: Scale,
  opacity: number,
): string {
  if (![x0, x1, y0, y1].every(Number.isFinite)) return "";
  return rectangle(
    [x.at(x0), x.at(x1)],
    [y.at(y0), y.at(y1)],
    opacity * (strength > 0 ? Math.min(1, strength) : 0),
    title,
  );
}

function bandMarkup(
  { from, to, title }: Band,
  scale: Scale,
  { axis, opacity }: Extract<Layer, { kind: "bands" }>,
  { left, right, top, bottom }: Area,
): string {
  if (Number.isNaN(from) || Number.isNaN(to)) return "";
  const ends: [number, number] = [scale.at(from), scale.at(to)];
  return axis === "x"
    ? rectangle(ends, [top, bottom], opacity ?? 0.12, title)
    : rectangle([left, right], ends, opacity ?? 0.12, title);
}

function rectangle(across: [number, number], up: [number, number], opacity: number, title?: string): string {
  const [left, top] = [Math.min(...across), Math.min(...up)];
  return element(
    "rect",
    {
      x: pixels(left),
      y: pixels(top),
      width: pixels(Math.max(0.4, Math.max(...across) - left)),
      height: pixels(Math.max(0.4, Math.max(...up) - top)),
      fill: "currentColor",
      "fill-opacity": opacity === 1 ? undefined : hundredths(opacity),
    },
    title === undefined ? "" : `<title>${escaped(title)}</title>`,
  );
}

function isFinitePoint([x, y]: Point): boolean {
  return y !== null && Number.isFinite(x) && Number.isFinite(y);
}

function isFiniteExtent([x, low, high]: Extent): boolean {
  return low !== null && high !== null && Number.isFinite(x) && Number.isFinite(low) && Number.isFinite(high);
}

/** "no data" in the middle of the plot. */
export function nothing({ left, right, top, bottom }: Area, text: string): string {
  return textAt((left + right) / 2, (top + bottom) / 2 + 4, text, { anchor: "middle", tone: "muted" });
}
