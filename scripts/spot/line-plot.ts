// Plots prices over time as an SVG file: a line for each series, and an asinh scale that shows spikes and negative
// prices beside usual ones. The colours are readable on light and dark pages.

export interface Line {
  readonly name: string;
  readonly colour: string;
  /** Milliseconds since the epoch, and dollars/MWh. */
  readonly points: readonly { readonly time: number; readonly price: number }[];
}

interface Plot {
  readonly title: string;
  readonly lines: readonly Line[];
  /** Dollars/MWh at which the scale changes from linear to logarithmic. */
  readonly bend: number;
  /** Marked values, in dollars/MWh; those out of range are omitted. */
  readonly marks: readonly number[];
  /** Interval between time marks, in milliseconds. */
  readonly timeMarkMs: number;
}

const WIDTH = 960;
const HEIGHT = 360;
const LEFT = 64;
const RIGHT = 12;
const TOP = 36;
const BOTTOM = 32;
const GREY = "#888888";

export function plotAsSvg({ title, lines, bend, marks, timeMarkMs }: Plot): string {
  const points = lines.flatMap((line) => line.points);
  const times = points.map(({ time }) => time);
  const prices = points.map(({ price }) => price);
  const [start, end] = [Math.min(...times), Math.max(...times)];
  const [least, most] = [Math.min(0, ...prices), Math.max(...prices)];
  const lowest = Math.asinh(least / bend);
  const height = Math.asinh(most / bend) - lowest;
  const x = (time: number) => round(LEFT + (time - start) / (end - start) * (WIDTH - LEFT - RIGHT));
  const y = (price: number) =>
    round(HEIGHT - BOTTOM - (Math.asinh(price / bend) - lowest) / height * (HEIGHT - TOP - BOTTOM));
  const firstMark = Math.ceil(start / timeMarkMs) * timeMarkMs;
  const timeMarks = Array.from(
    { length: Math.floor((end - firstMark) / timeMarkMs) + 1 },
    (_, at) => firstMark + at * timeMarkMs,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    text(LEFT, 20, title, "start"),
    ...marks.filter((mark) => mark >= least && mark <= most).flatMap((mark) => [
      `<path d="M${LEFT} ${y(mark)}H${WIDTH - RIGHT}" stroke="${GREY}" stroke-opacity="${mark === 0 ? 0.9 : 0.3}"/>`,
      text(LEFT - 6, y(mark) + 4, String(mark), "end"),
    ]),
    ...timeMarks.map((time) => text(x(time), HEIGHT - 10, timeLabel(time, timeMarkMs), "middle")),
    ...lines.map(({ colour, points }) =>
      `<path fill="none" stroke="${colour}" stroke-width="1.2" d="M${
        points.map(({ time, price }) => `${x(time)} ${y(price)}`).join("L")
      }"/>`
    ),
    ...lines.map(({ name, colour }, at) => text(WIDTH - RIGHT - 90 * at, 20, name, "end", colour)),
    "</svg>",
    "",
  ].join("\n");
}

export function text(x: number, y: number, content: string, anchor: "start" | "middle" | "end", colour = GREY): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${colour}">${content}</text>`;
}

function timeLabel(time: number, spacingMs: number): string {
  const iso = new Date(time).toISOString();
  return spacingMs >= 86_400_000 ? iso.slice(5, 10) : iso.slice(5, 16).replace("T", " ");
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
