// The profit of each strategy: the spread over its personas, and the sums of a table.

import type { Chart } from "../../common/plot/chart.ts";
import { thousandths } from "../../common/rounding.ts";
import type { PersonaReport } from "../personas/persona-report.ts";
import { quantile } from "../../common/statistics.ts";
import { difference, grouped } from "./figures.ts";
import { html, type Markup } from "./markup.ts";
import type { RecordedRun } from "./recorded-run.ts";

const ROW = 30;
const MOST_DOTS = 60;
const LEAST_BEND = 1_000;

/** In the order in which they first trade in any run. */
function strategiesOf(runs: readonly RecordedRun[]): string[] {
  return [...new Set(runs.flatMap(({ report }) => report.personas.map(({ strategy }) => strategy)))];
}

/** A chart for each run, on one scale. */
export function profitCharts(runs: readonly RecordedRun[], width: number): Chart[] {
  const strategies = strategiesOf(runs);
  const all = runs.flatMap(({ report }) => report.personas.map(({ tradingResult }) => tradingResult));
  return runs.map(({ report }) =>
    spreadChart({
      title: "Trading result by strategy",
      description: "Dollars of each persona: cash and positions at their marks. The sum over all personas is zero.",
      label: "$, a dot for each persona",
      names: strategies,
      rows: strategies.map((strategy) =>
        report.personas.filter((persona) => persona.strategy === strategy).map(({ tradingResult }) => tradingResult)
      ),
      all,
      width,
      emptyText: "no personas",
    })
  );
}

interface SpreadChart extends Pick<Chart, "title" | "description" | "width" | "emptyText"> {
  /** Under the horizontal axis. */
  readonly label: string;
  /** Of the rows. */
  readonly names: readonly string[];
  /** Values, in any order. */
  readonly rows: readonly (readonly number[])[];
  /** Values that have to fit on the axis; absent: those of the rows. */
  readonly all?: readonly number[];
}

/** How the values of each row are spread: dots, the middle half, the median. */
export function spreadChart({ label, names, rows, all = rows.flat(), ...chart }: SpreadChart): Chart {
  const most = Math.max(LEAST_BEND, ...all.map(Math.abs));
  const domain = [Math.min(0, ...all) * 1.1, Math.max(0, ...all) * 1.1] as const;
  const results = rows.map((values) => [...values].sort((a, b) => a - b));
  const row = (at: number, half: number) => [at - half, at + half] as const;
  return {
    ...chart,
    x: { kind: "bent", bend: Math.max(LEAST_BEND, most / 200), domain, label },
    y: { kind: "names", names },
    layers: [
      {
        kind: "boxes",
        tone: "s7",
        name: "least to greatest",
        opacity: 0.3,
        boxes: results.flatMap((values, at) =>
          values.length < 2 ? [] : [{ x: [values[0]!, values.at(-1)!] as const, y: row(at, 0.05) }]
        ),
      },
      {
        kind: "boxes",
        tone: "s0",
        name: "middle half",
        opacity: 0.3,
        boxes: results.flatMap((values, at) =>
          values.length < 4 ? [] : [{ x: [quantile(values, 0.25), quantile(values, 0.75)] as const, y: row(at, 0.28) }]
        ),
      },
      {
        kind: "dots",
        tone: "s0",
        radius: 2.4,
        points: results.flatMap((values, at) =>
          evenly(values).map((value, place) => [value, at + ((place * 7) % 5 - 2) * 0.08] as const)
        ),
      },
      {
        kind: "boxes",
        tone: "s1",
        name: "median",
        boxes: results.flatMap((values, at) => {
          const median = quantile(values, 0.5);
          return values.length === 0
            ? []
            : [{ x: [median, median] as const, y: row(at, 0.36), title: grouped(median) }];
        }),
      },
    ],
    height: 76 + names.length * ROW,
  };
}

/** At most so many, evenly among the sorted values. */
function evenly(sorted: readonly number[]): readonly number[] {
  if (sorted.length <= MOST_DOTS) return sorted;
  return Array.from(
    { length: MOST_DOTS },
    (_, at) => sorted[Math.round(at / (MOST_DOTS - 1) * (sorted.length - 1))] ?? 0,
  );
}

const COLUMNS: readonly {
  readonly title: string;
  readonly of: (personas: readonly PersonaReport[]) => number | null;
}[] = [
  { title: "personas", of: (personas) => personas.length },
  { title: "orders", of: (personas) => sum(personas, ({ orders }) => orders) },
  { title: "changes", of: (personas) => sum(personas, ({ changes }) => changes) },
  { title: "cancels", of: (personas) => sum(personas, ({ cancels }) => cancels) },
  { title: "trades", of: (personas) => sum(personas, ({ trades }) => trades) },
  { title: "MW", of: (personas) => thousandths(sum(personas, ({ volumeMw }) => volumeMw)) },
  { title: "net MW", of: (personas) => thousandths(sum(personas, ({ netPositionMw }) => netPositionMw)) },
  { title: "result, $", of: (personas) => sum(personas, ({ tradingResult }) => tradingResult) },
  { title: "least, $", of: (personas) => Math.min(...personas.map(({ tradingResult }) => tradingResult)) },
  { title: "greatest, $", of: (personas) => Math.max(...personas.map(({ tradingResult }) => tradingResult)) },
  { title: "physical, $", of: (personas) => sumOfKnown(personas, ({ physicalResult }) => physicalResult) },
  { title: "surplus, $", of: (personas) => sumOfKnown(personas, ({ surplus }) => surplus) },
  { title: "stops", of: (personas) => sum(personas, ({ stoppedForLosses }) => stoppedForLosses) },
];

/** All sums of one run. */
export function strategyTable({ report }: RecordedRun): Markup {
  const byStrategy = Map.groupBy(report.personas, ({ strategy }) => strategy);
  return html`
    <div class="scroll" tabindex="0" role="group" aria-label="Table of strategies">
      <table>
        <thead>
          <tr><th scope="col">strategy</th>${COLUMNS.map(({ title }) =>
            html`<th scope="col" class="number">${title}</th>`
          )}</tr>
        </thead>
        <tbody>${[...byStrategy].map(([strategy, personas]) =>
          html`<tr><th scope="row"><bdi>${strategy}</bdi></th>${
            COLUMNS.map(({ of }) => html`<td class="number">${grouped(of(personas))}</td>`)
          }</tr>`
        )}</tbody>
      </table>
    </div>
  `;
}

/** The result of each strategy in each run; of two runs also the difference. */
export function resultTable(runs: readonly RecordedRun[], names: readonly string[]): Markup {
  const results = strategiesOf(runs).map((strategy) => ({
    strategy,
    values: runs.map(({ report }) => {
      const personas = report.personas.filter((persona) => persona.strategy === strategy);
      return personas.length === 0 ? null : sum(personas, ({ tradingResult }) => tradingResult);
    }),
  }));
  const isPair = runs.length === 2;
  return html`
    <div class="scroll" tabindex="0" role="group" aria-label="Table of trading results">
      <table>
        <thead>
          <tr><th scope="col">trading result, $</th>${names.map((name) =>
            html`<th scope="col" class="number"><bdi>${name}</bdi></th>`
          )}${isPair ? html`<th scope="col" class="number">second less first</th>` : []}</tr>
        </thead>
        <tbody>${results.map(({ strategy, values }) =>
          html`<tr><th scope="row"><bdi>${strategy}</bdi></th>${
            values.map((value) => html`<td class="number">${grouped(value)}</td>`)
          }${isPair ? html`<td class="number">${difference(values[0] ?? null, values[1] ?? null, 0)}</td>` : []}</tr>`
        )}</tbody>
      </table>
    </div>
  `;
}

function sum(personas: readonly PersonaReport[], of: (persona: PersonaReport) => number): number {
  return personas.reduce((total, persona) => total + of(persona), 0);
}

function sumOfKnown(personas: readonly PersonaReport[], of: (persona: PersonaReport) => number | null): number | null {
  return personas.every((persona) => of(persona) === null) ? null : sum(personas, (persona) => of(persona) ?? 0);
}
