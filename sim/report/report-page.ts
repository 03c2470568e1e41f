// The report of one or several runs as one HTML page that needs nothing else: no script, no font, no other file. The same runs
// give the same bytes: the page has no time of its making.

import { type Chart, chartSvg } from "../../common/plot/chart.ts";
import { localTime } from "../../common/plot/time-marks.ts";
import { hundredths } from "../../common/rounding.ts";
import { CENTS_PER_DOLLAR } from "../../engine/market/units.ts";
import { depthCharts } from "./depth-charts.ts";
import { factCounts, factTable } from "./fact-section.ts";
import { figureTable, figureTiles } from "./figures.ts";
import { html, type Markup, raw } from "./markup.ts";
import { sectionOf, wholePage } from "./page-frame.ts";
import { contractCharts, mostTraded, quotedContracts, volumeByContract, volumeByTime } from "./price-charts.ts";
import { FACT_HOURS, type RecordedRun } from "./recorded-run.ts";
import { profitTables } from "./profit-tables.ts";
import { spotOverTime, spotSummaries } from "./spot-charts.ts";
import { profitCharts, resultTable, strategyTable } from "./strategy-charts.ts";

const WIDTH = 480;
const WIDE = 1_000;
/** Contracts shown of several runs side by side. */
const COMPARED_CONTRACTS = 4;

export function reportPage(runs: readonly RecordedRun[]): string {
  const names = runNames(runs);
  const title = titleOf(runs, names);
  const body = html`<header>${head(runs, names, title)}</header>
<main>
${SECTIONS.flatMap(([id, text, content], at) => [at > 0 ? " " : "", sectionOf(id, text, content(runs, names))])}
</main>
<footer>Made by mkt ${
    [...new Set(runs.map(({ description }) => description.version))].join(" and ")
  } from a simulated market. Prices are dollars per MWh, volumes MW, times local times of the market.</footer>`;
  return wholePage(title, body);
}

const SECTIONS = [
  ["totals", "Totals", totals],
  ["prices", "Prices and spreads", prices],
  ["volumes", "Volumes", volumes],
  ["strategies", "Profit by strategy", strategies],
  ["books", "Books", books],
  ["spot", "Spot prices", spot],
  ["facts", "Stylised facts", facts],
] as const;

/** A short name for each run, all different, by what the runs differ in. */
function runNames(runs: readonly RecordedRun[]): string[] {
  const experiments = new Set(runs.map(({ description }) => description.experiment.name));
  const seeds = new Set(runs.map(({ description }) => description.seed));
  const names = runs.map(({ description: { experiment, seed } }) => {
    if (experiments.size === 1) return `seed ${seed}`;
    return seeds.size === 1 ? experiment.name : `${experiment.name}, seed ${seed}`;
  });
  return names.map((name, at) => names.filter((other) => other === name).length > 1 ? `${name} (run ${at + 1})` : name);
}

function titleOf(runs: readonly RecordedRun[], names: readonly string[]): string {
  const experiments = [...new Set(runs.map(({ description }) => description.experiment.name))];
  const [only] = experiments;
  if (experiments.length !== 1 || only === undefined) return `${names.join(" and ")}: ${runs.length} runs compared`;
  return runs.length === 1 ? `${only}, ${names[0]}` : `${only}: ${names.join(", ")}`;
}

function head(runs: readonly RecordedRun[], names: readonly string[], title: string): Markup {
  const texts = [...new Set(runs.map(({ description }) => description.experiment.description ?? ""))].filter(Boolean);
  return html`<h1><bdi>${title}</bdi></h1>
${texts.map((text) => html`<p><bdi>${text}</bdi></p>`)}
${runs.map((run, at) => runHead(run, runs.length === 1 ? null : names[at] ?? null))}
<nav aria-label="Parts of the report">${SECTIONS.map(([id, text]) => html`<a href="#${id}">${text}</a>`)}</nav>`;
}

function runHead({ description, timezone }: RecordedRun, name: string | null): Markup {
  const { version, startedAt, endedAt, hours, command, seed, experiment } = description;
  const span = `${localTime(Date.parse(startedAt), timezone)} to ${
    localTime(Date.parse(endedAt), timezone)
  }, ${timezone}`;
  return html`
    ${name === null ? [] : html`<p><strong><bdi>${name}</bdi></strong></p>`}<p
      class="note">Simulated market time ${span}: ${hundredths(hours)} hours. Experiment <bdi>${experiment
        .name}</bdi>, seed ${seed}, mkt ${version}.</p>
    <pre><code>${command}</code></pre>
  `;
}

function totals(runs: readonly RecordedRun[], names: readonly string[]): Markup {
  const [only] = runs;
  return runs.length === 1 && only !== undefined ? figureTiles(only) : figureTable(runs, names);
}

function prices(runs: readonly RecordedRun[], names: readonly string[]): Markup {
  const ids = mostTraded(runs, runs.length === 1 ? undefined : COMPARED_CONTRACTS);
  if (ids.length === 0) return html`<p>Nothing was traded.</p>`;
  const blocks = ids.map((id) => {
    const charts = contractCharts(runs, id, { width: WIDTH });
    return charts.map(([price, spread], at) => [named(price, runs, names[at]), spread]);
  });
  const note = html`
    <p
      class="note">The most traded contracts: the band reaches from the best bid to the best ask, upright lines from the lowest to the highest trade. A few extreme prices may be outside of the picture.</p>
  `;
  return html`${note}${
    runs.length === 1 ? grid(blocks.flat().map(stack)) : blocks.map((block) => grid(block.map(stack), runs.length))
  }`;
}

function volumes(runs: readonly RecordedRun[], names: readonly string[]): Markup {
  const times = volumeByTime(runs, { width: WIDTH });
  const contracts = volumeByContract(runs, { width: WIDTH });
  if (runs.length === 1) return grid([...times, ...contracts].map(drawn));
  return html`${
    [times, contracts].map((charts) =>
      grid(charts.map((chart, at) => drawn(named(chart, runs, names[at]))), runs.length)
    )
  }`;
}

function strategies(runs: readonly RecordedRun[], names: readonly string[]): Markup {
  const charts = profitCharts(runs, runs.length === 1 ? WIDE : WIDTH);
  const [only] = runs;
  if (runs.length === 1 && only !== undefined) {
    return html`${wide(charts)}${strategyTable(only)}${profitTables(only.digest.profits)}`;
  }
  return html`${grid(charts.map((chart, at) => drawn(named(chart, runs, names[at]))), runs.length)}${
    resultTable(runs, names)
  }`;
}

function books(runs: readonly RecordedRun[], names: readonly string[]): Markup {
  const traded = mostTraded(runs);
  // Books can be full of orders that never met.
  const ids = traded.length > 0 ? traded : quotedContracts(runs);
  const contracts = depthCharts(runs, ids, WIDTH * 0.76);
  if (contracts.every((contract) => contract.runs.every((looks) => looks.length === 0))) {
    return html`<p>No book had an order when books were looked at, every five minutes.</p>`;
  }
  return html`${
    contracts.map((contract) =>
      html`<h3>${contract.id}</h3>${
        contract.runs.map((looks, at) => grid(looks.map((chart) => drawn(named(chart, runs, names[at]))), 3))
      }`
    )
  }`;
}

function spot(runs: readonly RecordedRun[], names: readonly string[]): Markup {
  const [only] = runs;
  const domain = spotDomain(runs);
  const overTime = (run: RecordedRun, width: number) =>
    spotOverTime({
      samples: run.digest.spot,
      end: Date.parse(run.description.endedAt),
      events: run.digest.events,
      width,
      domain,
    });
  if (runs.length === 1 && only !== undefined) {
    const [chart, strip] = overTime(only, WIDE);
    return html`${wide([chart, strip])}${grid(spotSummaries(only.digest.spot, WIDTH).map(drawn))}${eventList(only)}`;
  }
  const stacks = runs.map((run, at) => {
    const [chart, strip] = overTime(run, WIDTH);
    return html`<div>${drawn(named(chart, runs, names[at]))}${drawn(strip)}${eventList(run)}</div>`;
  });
  return grid(stacks, runs.length);
}

/** Dollars/MWh of all runs together. */
function spotDomain(runs: readonly RecordedRun[]): readonly [number, number] | undefined {
  let [least, most] = [0, 0];
  for (const { digest } of runs) {
    for (const { prices } of digest.spot.nodes) {
      for (const cents of prices.keys()) {
        least = Math.min(least, cents / CENTS_PER_DOLLAR);
        most = Math.max(most, cents / CENTS_PER_DOLLAR);
      }
    }
  }
  return most > least ? [least, most] : undefined;
}

const LISTED_EVENTS = 20;

function eventList({ digest, timezone }: RecordedRun): Markup {
  if (digest.events.length === 0) return html`<p class="note">No event acted on the prices.</p>`;
  return html`<p class="note">Events: ${
    digest.events.slice(0, LISTED_EVENTS).map(({ time, until, type, node, size }) =>
      `${type.replaceAll("_", " ")} (size ${size}, ${node ?? "all nodes"}) from ${localTime(time, timezone)} to ${
        localTime(until, timezone)
      }`
    ).join("; ")
  }${digest.events.length > LISTED_EVENTS ? "; and more" : ""}.</p>`;
}

function facts(runs: readonly RecordedRun[], names: readonly string[]): Markup {
  const counts = runs.map((run, at) => {
    const { within, outside, unknown } = factCounts(run);
    const who = runs.length === 1 ? "" : `${names[at]}: `;
    return html`<p>${who}${within} facts within the range, ${outside} outside, ${unknown} that this run can't show.</p>`;
  });
  const cut = runs.some(({ description }) => description.hours > FACT_HOURS)
    ? html`
      They are measured on the first ${FACT_HOURS} hours of a run.
    `
    : html``;
  return html`
    ${counts}<p
      class="note">What is known of real markets, measured on this run: medians over the contracts with at least 100 trades.${cut} A single run scatters; the ranges hold for the median of many seeds. Rows that begin with a dash explain the row above them.</p>
    ${factTable(runs, names)}
  `;
}

/** The chart with the name of its run. */
function named(chart: Chart, runs: readonly RecordedRun[], name: string | undefined): Chart {
  return runs.length === 1 || name === undefined ? chart : { ...chart, title: `${chart.title} · ${name}` };
}

function drawn(chart: Chart): Markup {
  return raw(chartSvg(chart));
}

function stack(charts: readonly Chart[]): Markup {
  return html`<div>${charts.map(drawn)}</div>`;
}

function grid(items: readonly Markup[], columns = 2): Markup {
  return html`<div class="charts${columns > 2 ? " three" : ""}">${items}</div>`;
}

/** Charts that are scrolled on a narrow screen. */
function wide(charts: readonly Chart[]): Markup {
  return html`<div class="wide" tabindex="0" role="group" aria-label="${charts[0]?.title ?? "Chart"}">${
    charts.map(drawn)
  }</div>`;
}
