// The totals and metrics of runs side by side; of two runs also the differences.

import { localTime } from "../../common/plot/time-marks.ts";
import type { HeadlessReport } from "../headless/headless-report.ts";
import { html, type Markup } from "./markup.ts";
import type { RecordedRun } from "./recorded-run.ts";

interface FigureRow {
  readonly title: string;
  readonly value: (report: HeadlessReport) => number | null;
  readonly unit?: string;
  readonly digits?: number;
}

/** What a run's report says of the whole market. */
export const FIGURE_ROWS: readonly FigureRow[] = [
  { title: "personas", value: ({ totals }) => totals.personas },
  { title: "steps", value: ({ steps }) => steps },
  { title: "messages", value: ({ messages }) => messages },
  { title: "orders", value: ({ totals }) => totals.orders },
  { title: "changes", value: ({ totals }) => totals.changes },
  { title: "cancels", value: ({ totals }) => totals.cancels },
  { title: "rejected", value: ({ totals }) => totals.rejected },
  { title: "trades", value: ({ totals }) => totals.trades },
  { title: "volume", unit: "MW", value: ({ totals }) => totals.volumeMw, digits: 3 },
  { title: "mean spread, of the forecast", unit: "%", value: ({ metrics }) => metrics.meanSpread, digits: 4 },
  { title: "looks with a two-sided book", unit: "%", value: ({ metrics }) => metrics.twoSidedBooks, digits: 4 },
  {
    title: "distance of trades from the forecast (Smith's alpha)",
    unit: "%",
    value: ({ metrics }) => metrics.smithsAlpha,
    digits: 4,
  },
  { title: "allocative efficiency", unit: "%", value: ({ metrics }) => metrics.allocativeEfficiency, digits: 4 },
  { title: "physical result", unit: "$", value: ({ totals }) => totals.physicalResult, digits: 2 },
  { title: "surplus", unit: "$", value: ({ totals }) => totals.surplus, digits: 2 },
  { title: "stops for losses", value: ({ totals }) => totals.stoppedForLosses },
];

/** Of one run, as tiles. */
export function figureTiles({ report }: RecordedRun): Markup {
  return html`<dl class="tiles">${
    FIGURE_ROWS.map(({ title, unit, value, digits = 0 }) =>
      html`
        <div>
          <dt>${title}${unit === undefined ? "" : `, ${unit}`}</dt>
          <dd>${grouped(value(report), Math.min(digits, 2))}</dd>
        </div>
      `
    )
  }</dl>`;
}

/** Of several runs. */
export function figureTable(runs: readonly RecordedRun[], names: readonly string[]): Markup {
  const [one, other] = runs;
  const pair = runs.length === 2 && one !== undefined && other !== undefined
    ? [one.report, other.report] as const
    : null;
  const rows = FIGURE_ROWS.map(({ title, unit, value, digits = 0 }) =>
    html`<tr><th scope="row">${title}${unit === undefined ? "" : `, ${unit}`}</th>${
      runs.map(({ report }) => html`<td class="number">${grouped(value(report), digits)}</td>`)
    }${pair === null ? [] : html`<td class="number">${difference(value(pair[0]), value(pair[1]), digits)}</td>`}</tr>`
  );
  const times = runs.map(({ description: { startedAt, endedAt }, timezone }) =>
    html`<td class="number">${localTime(Date.parse(startedAt), timezone)}<br/>to ${
      localTime(Date.parse(endedAt), timezone)
    }</td>`
  );
  return html`
    <div class="scroll" tabindex="0" role="group" aria-label="Table of totals">
      <table>
        <thead>
          <tr><td></td>${runs.map((_, at) =>
            html`<th scope="col" class="number"><bdi>${names[at] ?? ""}</bdi></th>`
          )}${pair === null ? [] : html`<th scope="col" class="number">second less first</th>`}</tr>
        </thead>
        <tbody>
    <tr><th scope="row">market time, ${runs[0]?.timezone ?? "UTC"}</th>${times}${pair === null
      ? []
      : html`<td></td>`}</tr>${rows}</tbody>
      </table>
    </div>
  `;
}

/** With thousands separators; a dash if it is unknown. What rounds to 0 has no sign. */
export function grouped(
  value: number | null,
  digits = 0,
  signDisplay: "negative" | "exceptZero" = "negative",
): string {
  return value === null || !Number.isFinite(value)
    ? "–"
    : value.toLocaleString("en-US", { maximumFractionDigits: digits, signDisplay });
}

/** The second less the first, with its sign. */
export function difference(one: number | null, other: number | null, digits: number): string {
  return one === null || other === null ? "–" : grouped(other - one, digits, "exceptZero");
}
