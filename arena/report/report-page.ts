// The report as one HTML page that needs nothing else. The same records give the same bytes.

import { type Chart, chartSvg } from "../../common/plot/chart.ts";
import { quantile } from "../../common/statistics.ts";
import { html, type Markup, raw } from "../../sim/report/markup.ts";
import { sectionOf, wholePage } from "../../sim/report/page-frame.ts";
import { episodePart } from "./episode-part.ts";
import type { RatedEpisode, RatedScenario } from "./ratings.ts";
import { causesOf, COLUMNS, NOTE, rowsOf } from "./ratings-table.ts";

const WIDTH = 1_000;
const ROW = 34;
const FRAME = 80;
/** Scores beyond it are drawn closer together: they have long tails. */
const BEND = 1;
const DECIMALS = 3;

/** `proof`: how the scores can be checked, if the records lie beside the page. */
export function reportPage(scenarios: readonly RatedScenario[], proof: Markup | null = null): string {
  const agents = [...new Set(scenarios.flatMap(({ ratings }) => ratings.map(({ agent }) => agent)))].toSorted();
  const episodes = scenarios.reduce(
    (sum, { ratings }) => sum + ratings.reduce((count, rating) => count + rating.episodes.length, 0),
    0,
  );
  const versions = [...new Set(scenarios.flatMap(({ ratings }) => ratings.flatMap(versionsOf)))].toSorted();
  const title = `Arena: ${agents.length} agents in ${scenarios.length} scenarios`;
  return wholePage(
    title,
    html`
      <header>
        <h1>${title}</h1>
        <p>${episodes} episodes. A score of 0 is the duty done in the plainest way, or nothing.
      1 is the best that hindsight finds, or all that is asked for.</p>
        <nav aria-label="Parts of the report"><a href="#all">All scenarios</a>${scenarios.map(({ scenario }) =>
          html`<a href="#${scenario}">${scenario}</a>`
        )}</nav>
      </header>
      <main>
            ${sectionOf("all", "All scenarios", meansTable(scenarios, agents))}
            ${proof === null ? [] : sectionOf("proof", "How to check it", proof)}
            ${scenarios.map((scenario) => sectionOf(scenario.scenario, scenario.scenario, scenarioPart(scenario)))}
            </main>
      <footer>Made by mkt ${versions.join(" and ")} from records of the arena, a simulated market. ${NOTE}</footer>
    `,
  );
}

function versionsOf({ episodes }: RatedScenario["ratings"][number]): string[] {
  return episodes.map(({ result }) => result.version);
}

function meansTable(scenarios: readonly RatedScenario[], agents: readonly string[]): Markup {
  const rows = scenarios.map(({ scenario, ratings }) => {
    const cells = agents.map((agent) => {
      const rating = ratings.find((each) => each.agent === agent);
      return rating === undefined ? "–" : rating.mean.toFixed(DECIMALS);
    });
    return html`<tr><th scope="row"><a href="#${scenario}">${scenario}</a></th>${
      cells.map((cell) => html`<td class="number">${cell}</td>`)
    }</tr>`;
  });
  return html`
    <div class="scroll" tabindex="0" role="group" aria-label="Mean scores of all scenarios">
      <table>
        <thead>
          <tr><td></td>${agents.map((agent) => html`<th scope="col" class="number"><bdi>${agent}</bdi></th>`)}</tr>
        </thead>
        <tbody>${rows}</tbody>
      </table>
    </div>
  `;
}

function scenarioPart(scenario: RatedScenario): Markup {
  const causes = causesOf(scenario);
  return html`${[
    html`<div class="wide" tabindex="0" role="group" aria-label="Scores of ${scenario.scenario}">${
      raw(chartSvg(scoreChart(scenario)))
    }</div>`,
  ]}
${ratingsTable(scenario)}
${causes.map((cause) => html`<p class="note"><bdi>${cause}</bdi></p>`)}
<h3>Episodes</h3>
${
    scenario.ratings.map(({ agent, episodes }) =>
      chosen(episodes).map(([which, episode]) => episodePart(episode, `${agent}, ${which}`))
    )
  }`;
}

function ratingsTable(scenario: RatedScenario): Markup {
  const rows = rowsOf(scenario).map(([agent = "", ...others]) =>
    html`<tr><th scope="row"><bdi>${agent}</bdi></th>${
      others.map((text) => html`<td class="number">${text}</td>`)
    }</tr>`
  );
  return html`
    <div class="scroll" tabindex="0" role="group" aria-label="Agents of ${scenario.scenario}">
      <table>
        <thead>
          <tr>${COLUMNS.map((name, at) =>
            at === 0 ? html`<th scope="col">${name}</th>` : html`<th scope="col" class="number">${name}</th>`
          )}</tr>
        </thead>
        <tbody>${rows}</tbody>
      </table>
    </div>
  `;
}

/** A row for each agent: a dot for each seed, the mean with its interval. */
function scoreChart({ scenario, ratings }: RatedScenario): Chart {
  const points = ratings.flatMap(({ episodes }, row) => episodes.map(({ result }) => [result.score!, row] as const));
  return {
    title: `Scores of ${scenario}`,
    description: "A dot for each seed; a bar for the 95 % interval of the mean, and a mark for the mean",
    x: { kind: "bent", bend: BEND, label: "score" },
    y: { kind: "names", names: ratings.map(({ agent }) => agent) },
    layers: [
      { kind: "dots", tone: "muted", name: "a seed", points, radius: 2.5, opacity: 0.5 },
      {
        kind: "boxes",
        tone: "s0",
        name: "95 % of the mean",
        opacity: 0.35,
        boxes: ratings.flatMap(({ interval }, row) =>
          interval === null ? [] : [{ x: [interval.low, interval.high], y: [row - 0.18, row + 0.18] }]
        ),
      },
      { kind: "dots", tone: "s0", name: "mean", points: ratings.map(({ mean }, row) => [mean, row]), radius: 4.5 },
    ],
    width: WIDTH,
    height: FRAME + ROW * ratings.length,
  };
}

/** The worst, the one in the middle and the best. */
function chosen(episodes: readonly RatedEpisode[]): (readonly [string, RatedEpisode])[] {
  const sorted = episodes.toSorted((one, other) => one.result.score! - other.result.score!);
  if (sorted.length < 3) return sorted.map((episode) => ["an episode", episode]);
  const middle = Math.round(quantile(sorted.map((_, at) => at), 0.5));
  return [["worst", sorted[0]!], ["middle", sorted[middle]!], ["best", sorted.at(-1)!]];
}
