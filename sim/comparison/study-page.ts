// The comparison of a study's variants as one HTML page, in the form of the report of runs.

import { chartSvg } from "../../common/plot/chart.ts";
import { type Comparison, pairedDifferences } from "./comparison.ts";
import { PROFIT } from "./run-measures.ts";
import { html, type Markup, raw } from "../report/markup.ts";
import { sectionOf, wholePage } from "../report/page-frame.ts";
import { spreadChart } from "../report/strategy-charts.ts";
import { COLUMNS, DIFFERENCE_COLUMNS, studyNotes, studySections, TEXT_COLUMNS } from "./study-tables.ts";

const WIDTH = 480;
/** More would not be readable. */
const MOST_ROWS = 30;
const MOST_MEASURES = 24;

export function studyPage(comparison: Comparison): string {
  const { studies, variants } = comparison;
  const title = `${
    [...new Set(studies.map(({ experiment }) => experiment))].join(" and ")
  }: ${variants.length} variants`;
  const sections = studySections(comparison);
  const runs = variants.map(({ name, runs, seeds }) => [name, String(runs), seeds]);
  return wholePage(
    title,
    html`<header><h1><bdi>${title}</bdi></h1>
${studies.map(({ folder, version }) => html`<p class="note">Study <bdi>${folder}</bdi>, mkt ${version}.</p>`)}
${studyNotes(comparison).map((note) => html`<p class="note"><bdi>${note}</bdi></p>`)}
<nav aria-label="Parts of the report">${
      sections.map(({ title }, at) => html`<a href="#part-${at}">${title}</a>`)
    }</nav></header>
<main>
${table(["variant", "runs", "seeds"], runs, 1)}
${
      sections.map(({ title, rows }, at) =>
        sectionOf(
          `part-${at}`,
          title,
          html`${table([...COLUMNS, ...(variants.length > 1 ? DIFFERENCE_COLUMNS : [])], rows, TEXT_COLUMNS)}${
            title === PROFIT ? profitCharts(comparison) : []
          }`,
        )
      )
    }
</main>
<footer>Made by mkt from the results of a study of a simulated market.</footer>`,
  );
}

/** How the results of each variant are spread over the seeds, and their differences from the first one. */
function profitCharts({ measures, variants }: Comparison): Markup {
  const names = shortNames(variants.map(({ name }) => name)).slice(0, MOST_ROWS);
  const shown = { width: WIDTH, emptyText: "no runs" };
  const pairs = measures.filter(({ section }) => section === PROFIT).slice(0, MOST_MEASURES).map(
    ({ title, values }) => {
      const [first, ...others] = values.slice(0, MOST_ROWS);
      const differences = others.map((bySeed) => pairedDifferences(first!, bySeed));
      const rows = [first!, ...others].map((bySeed) => [...bySeed.values()]);
      const chart = spreadChart({ ...shown, title, label: "$, a dot for each run", names, rows });
      const label = `$, less ${names[0]} with the same seed`;
      return differences.every((each) => each.length === 0) ? [chart] : [
        chart,
        spreadChart({ ...shown, title: `${title}: differences`, label, names: names.slice(1), rows: differences }),
      ];
    },
  );
  const rest = variants.length - names.length;
  return html`${pairs.map((pair) => html`<div class="charts">${pair.map((chart) => raw(chartSvg(chart)))}</div>`)}${
    rest > 0 ? html`<p class="note">And ${rest} variants more, in the table.</p>` : []
  }`;
}

/** Without the path, if the variants differ in one setting. */
function shortNames(names: readonly string[]): readonly string[] {
  const [path] = /^[^=,:]+=/.exec(names[0] ?? "") ?? [];
  const isShared = path !== undefined && names.every((name) => name.startsWith(path) && !name.includes(", "));
  return isShared ? names.map((name) => name.slice(path.length)) : names;
}

/** `texts`: number of columns of text. */
function table(columns: readonly string[], rows: readonly (readonly string[])[], texts: number): Markup {
  const cell = (text: string, at: number) =>
    at < texts ? html`<td><bdi>${text}</bdi></td>` : html`<td class="number">${text}</td>`;
  return html`
    <div class="scroll" tabindex="0" role="group" aria-label="Table by ${columns[0] ?? ""}">
      <table>
        <thead>
          <tr>${columns.map((name, at) =>
            at < texts ? html`<th scope="col">${name}</th>` : html`<th scope="col" class="number">${name}</th>`
          )}</tr>
        </thead>
        <tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody>
      </table>
    </div>
  `;
}
