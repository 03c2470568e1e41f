// A chart of lines as an SVG file, with linear or logarithmic axes. The colours are readable on light and dark pages.

import { round, text } from "../spot/line-plot.ts";

export interface ChartLine {
  readonly name: string;
  readonly colour: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

interface Chart {
  readonly title: string;
  /** What the horizontal axis counts. */
  readonly unit: string;
  readonly lines: readonly ChartLine[];
  /** Whether the horizontal axis is logarithmic. */
  readonly isLogarithmic?: boolean;
  /** Between marks of the horizontal axis, if it is linear. */
  readonly markEvery?: number;
  /** Whether the vertical axis includes 0. */
  readonly fromZero: boolean;
}

export const COLOURS = ["#2f7ed8", "#d9822b", "#3fa35b", "#a05fc0"] as const;
const WIDTH = 640;
const HEIGHT = 300;
const LEFT = 56;
const RIGHT = 12;
const TOP = 36;
const BOTTOM = 34;
const GREY = "#888888";
const LETTER_WIDTH = 7;
/** Marks of a linear axis, about. */
const MARKS = 6;
/** So that a value at the end of an axis is marked. */
const ROUNDING = 1e-9;
const NICE = [1, 2, 5, 10];

export function chartAsSvg({ title, unit, lines, isLogarithmic = false, markEvery, fromZero }: Chart): string {
  const points = lines.flatMap((line) => line.points);
  const across = points.map(([each]) => each);
  const heights = points.map(([, each]) => each);
  const horizontal = isLogarithmic
    ? logarithmicScale(across, LEFT, WIDTH - RIGHT)
    : linearScale(across, LEFT, WIDTH - RIGHT, markEvery);
  const vertical = linearScale(fromZero ? [0, ...heights] : heights, HEIGHT - BOTTOM, TOP);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    text(LEFT, 20, title, "start"),
    ...vertical.marks.flatMap((mark) => [
      `<path d="M${LEFT} ${vertical.at(mark)}H${WIDTH - RIGHT}" stroke="${GREY}" stroke-opacity="${
        mark === 0 ? 0.9 : 0.3
      }"/>`,
      text(LEFT - 6, vertical.at(mark) + 4, String(mark), "end"),
    ]),
    ...horizontal.marks.map((mark) => text(horizontal.at(mark), HEIGHT - 18, String(mark), "middle")),
    text(WIDTH - RIGHT, HEIGHT - 4, unit, "end"),
    ...lines.map(({ colour, points }) =>
      `<path fill="none" stroke="${colour}" stroke-width="1.3" d="M${
        points.map(([x, y]) => `${horizontal.at(x)} ${vertical.at(y)}`).join("L")
      }"/>`
    ),
    ...lines.map(({ name, colour }, at) => {
      const after = lines.slice(at + 1).reduce((width, line) => width + (line.name.length + 2) * LETTER_WIDTH, 0);
      return text(WIDTH - RIGHT - after, 20, name, "end", colour);
    }),
    "</svg>",
    "",
  ].join("\n");
}

/** Places values between two coordinates, and marks round ones. */
function linearScale(values: readonly number[], from: number, to: number, markEvery?: number) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const step = markEvery ?? niceStep((most - least) / MARKS);
  const first = Math.ceil(least / step - ROUNDING);
  return {
    at: (value: number) => round(from + (value - least) / (most - least) * (to - from)),
    // Division by the inverse of a small step gives decimals without rounding errors.
    marks: Array.from(
      { length: Math.floor(most / step + ROUNDING) - first + 1 },
      (_, at) => step < 1 ? (first + at) / Math.round(1 / step) : (first + at) * step,
    ),
  };
}

function logarithmicScale(values: readonly number[], from: number, to: number) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const length = Math.log(most / least);
  const decades = Array.from({ length: 13 }, (_, at) => 10 ** (at - 6));
  return {
    at: (value: number) => round(from + Math.log(value / least) / length * (to - from)),
    marks: decades.flatMap((decade) => NICE.slice(0, 3).map((each) => Number((each * decade).toPrecision(1))))
      .filter((mark) => mark >= least && mark <= most),
  };
}

/** The least step of 1, 2 or 5 times a power of ten that is at least `step`. */
function niceStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return Number(((NICE.find((each) => each * power >= step) ?? 10) * power).toPrecision(1));
}
