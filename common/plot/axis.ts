// The axes of a chart: where a value is drawn, and which values are marked.
//
// Values outside of an axis are drawn at its end, so every coordinate is inside the chart.

import { scaleLinear, scaleLog, scaleSymlog } from "d3-scale";
import { type Mark, timeMarks } from "./time-marks.ts";

interface Common {
  readonly label?: string;
  /** Of the marks; absent: short numbers. */
  readonly format?: (value: number) => string;
}

export type Axis =
  | Common & {
    readonly kind: "linear";
    /** Absent: that of the data. */
    readonly domain?: readonly [number, number];
    readonly fromZero?: boolean;
    /** Whether the axis ends at round values. */
    readonly isRounded?: boolean;
    /** Between marks; absent: chosen by the length of the axis. */
    readonly markEvery?: number;
  }
  /** Values of 0 and less are drawn at the lower end. */
  | Common & { readonly kind: "logarithmic"; readonly domain?: readonly [number, number] }
  /** Linear up to about `bend` on both sides of 0, logarithmic beyond: shows spikes and negative values beside usual ones. */
  | Common & { readonly kind: "bent"; readonly bend: number; readonly domain?: readonly [number, number] }
  /** Milliseconds since the epoch, marked at round local times. */
  | Common & { readonly kind: "time"; readonly timezone: string; readonly domain?: readonly [number, number] }
  /** A row or column for each name, at 0, 1, 2 and so on. */
  | Common & { readonly kind: "names"; readonly names: readonly string[] };

export interface Scale {
  /** The coordinate of a value. */
  readonly at: (value: number) => number;
  readonly marks: readonly Mark[];
}

const PIXELS_OF_MARK = { across: 72, up: 30 } as const;
const STEPS = [1, 2, 5];
/** Greater values, and for a logarithmic axis lesser ones than its inverse, are drawn at the end of the axis. */
const GREATEST = 1e15;
/** Values that are closer than this share of their size are drawn as one. */
const LEAST_SPAN = 1e-9;

/** `values`: those that are drawn; not finite ones are ignored. `from`, `to`: coordinates of the ends. */
export function scaleOf(axis: Axis, values: Iterable<number>, from: number, to: number, way: "across" | "up"): Scale {
  const most = Math.max(2, Math.floor(Math.abs(to - from) / PIXELS_OF_MARK[way]));
  if (axis.kind === "names") {
    const { names } = axis;
    // Rows are read from the top.
    const ends = way === "up" ? [to, from] : [from, to];
    const scale = scaleLinear([-0.5, Math.max(1, names.length) - 0.5], ends).clamp(true);
    return { at: scale, marks: names.map((label, value) => ({ value, label })) };
  }
  const [least, greatest] = domainOf(axis, values);
  const { format = shortNumber } = axis;
  const marked = (marks: readonly number[]) => marks.map((value) => ({ value, label: format(value) }));
  if (axis.kind === "time") {
    const scale = scaleLinear([least, greatest], [from, to]).clamp(true);
    return { at: scale, marks: timeMarks(least, greatest, axis.timezone, most) };
  }
  if (axis.kind === "logarithmic") {
    const scale = scaleLog([least, greatest], [from, to]).clamp(true);
    const at = (value: number) => scale(Math.max(least, value));
    return { at, marks: marked(spaced(decadeMarks(least, greatest), at, PIXELS_OF_MARK[way] / 2)) };
  }
  if (axis.kind === "bent") {
    const scale = scaleSymlog([least, greatest], [from, to]).constant(axis.bend).clamp(true);
    const marks = [
      0,
      ...decadeMarks(axis.bend / 2, GREATEST),
      ...decadeMarks(axis.bend / 2, GREATEST).map((each) => -each),
    ]
      .filter((each) => each >= least && each <= greatest);
    return { at: scale, marks: marked(spaced(marks, scale, PIXELS_OF_MARK[way] * 0.6)) };
  }
  const scale = scaleLinear([least, greatest], [from, to]).clamp(true);
  if (axis.isRounded === true) scale.nice(most);
  const { markEvery } = axis;
  const [first = 0, last = 0] = scale.domain();
  return { at: scale, marks: marked(markEvery === undefined ? scale.ticks(most) : multiples(first, last, markEvery)) };
}

/** Two different finite values, with those that are drawn between them. */
function domainOf(axis: Exclude<Axis, { kind: "names" }>, values: Iterable<number>): [number, number] {
  if (axis.domain !== undefined && axis.domain[1] > axis.domain[0]) return [axis.domain[0], axis.domain[1]];
  const isPositive = axis.kind === "logarithmic";
  let [least, greatest] = [Infinity, -Infinity];
  for (const value of [...values, ...(axis.domain ?? [])]) {
    if (!Number.isFinite(value) || (isPositive && value <= 0)) continue;
    const near = isPositive ? Math.max(1 / GREATEST, value) : Math.max(-GREATEST, value);
    least = Math.min(least, near, GREATEST);
    greatest = Math.max(greatest, Math.min(near, GREATEST));
  }
  if (axis.kind === "bent" || (axis.kind === "linear" && axis.fromZero === true)) {
    least = Math.min(0, least);
    greatest = Math.max(0, greatest);
  }
  if (!(least <= greatest)) return isPositive ? [1, 10] : [0, 1];
  if (greatest - least > (isPositive ? 0 : LEAST_SPAN * Math.max(1, Math.abs(least)))) return [least, greatest];
  if (isPositive) return [least / 2, greatest * 2];
  const margin = Math.max(1, Math.abs(least) / 10);
  return [least - margin, greatest + margin];
}

/** 1, 2 and 5 times the powers of ten, from least to greatest. */
function decadeMarks(least: number, greatest: number): number[] {
  const marks: number[] = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.log10(greatest); power++) {
    for (const step of STEPS) {
      const mark = Number(`${step}e${power}`);
      if (mark >= least && mark <= greatest) marks.push(mark);
    }
  }
  return marks;
}

/** Those that are at least `distance` pixels from the ones before them, the most round ones first. */
function spaced(marks: readonly number[], at: (value: number) => number, distance: number): number[] {
  const roundness = (mark: number) =>
    mark === 0 ? 0 : String(Math.abs(mark)).startsWith("1") || /^0\.0*1$/.test(String(Math.abs(mark))) ? 1 : 2;
  const kept: number[] = [];
  for (const mark of marks.toSorted((a, b) => roundness(a) - roundness(b) || Math.abs(a) - Math.abs(b))) {
    if (kept.every((other) => Math.abs(at(other) - at(mark)) >= distance)) kept.push(mark);
  }
  return kept.sort((a, b) => a - b);
}

function multiples(least: number, greatest: number, step: number): number[] {
  const first = Math.ceil(least / step - 1e-9);
  const count = Math.max(0, Math.min(200, Math.floor(greatest / step + 1e-9) - first + 1));
  return Array.from({ length: count }, (_, at) => (first + at) * step);
}

/** Such as 0.05, 250, 12k and -3.5M. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  const [divisor, unit] = size >= 1e9 ? [1e9, "G"] : size >= 1e6 ? [1e6, "M"] : size >= 1e4 ? [1e3, "k"] : [1, ""];
  return `${Number((value / divisor).toPrecision(4))}${unit}`;
}
