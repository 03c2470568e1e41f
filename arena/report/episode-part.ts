// An episode on the page: charts of its course over one time axis, what its score is made of, and its calls.

import { type Chart, chartSvg } from "../../common/plot/chart.ts";
import type { Layer } from "../../common/plot/layers.ts";
import { grouped } from "../../sim/report/figures.ts";
import { html, type Markup, raw } from "../../sim/report/markup.ts";
import { type Course, courseOf } from "./course.ts";
import type { RatedEpisode } from "./ratings.ts";

const WIDTH = 1_000;
const LEFT = 60;
const HEIGHTS = { price: 200, other: 120 };
/** More are in the record. */
const MOST_CALLS = 150;
const MOST_TEXT = 240;

export function episodePart({ folder, result }: RatedEpisode, title: string): Markup {
  const course = courseOf(folder);
  const { seed, agent, score } = result;
  return html`<details><summary>${title}: seed ${seed}, score ${grouped(score, 3)}</summary>
${figures(result)}
${
    chartsOf(course, `${agent}, seed ${seed}`).map((chart) =>
      html`<div class="wide" tabindex="0" role="group" aria-label="${chart.title}">${raw(chartSvg(chart))}</div>`
    )
  }
${callTable(course, `${agent}, seed ${seed}`)}
</details>`;
}

function figures(
  { result, marks, broken, operating, trades, greatestPosition, drawdown, refused, calls, ended }:
    RatedEpisode["result"],
): Markup {
  const items: (readonly [string, string])[] = [
    ...marks === null ? [] : [
      ["result, $", grouped(result, 0)] as const,
      ["0 and 1 would be, $", `${grouped(marks.plain, 0)}, ${grouped(marks.hindsight, 0)}`] as const,
      ["greatest position, MW", grouped(greatestPosition, 1)] as const,
      ["drawdown, $", grouped(drawdown, 0)] as const,
    ],
    ...operating?.parts.map(({ name, share }) => [name, `${Math.round(100 * share)} %`] as const) ?? [],
    ...operating?.harms.map(({ what, cost }) => [`harm: ${what}`, `-${cost}`] as const) ?? [],
    ["trades", grouped(trades)],
    ["calls", grouped(calls)],
    ["refused", grouped(refused)],
    ["broken terms", broken.join(", ") || "none"],
    ["ended by", ended ?? "the agent went before the end"],
  ];
  return html`<dl class="tiles">${
    items.map(([name, value]) =>
      html`
        <div>
          <dt><bdi>${name}</bdi></dt>
          <dd><bdi>${value}</bdi></dd>
        </div>
      `
    )
  }</dl>`;
}

function chartsOf(course: Course, of: string): Chart[] {
  const { contractId, trades, buyOrders, sellOrders, positions, results } = course;
  if (contractId === null) return [];
  const times = [...trades, ...positions, ...buyOrders, ...sellOrders].map(([time]) => time);
  const domain = [Math.min(...times), Math.max(...times)] as const;
  const x = { kind: "time", timezone: "UTC", domain } as const;
  // An order to buy at any price is drawn at the upper end.
  const prices = trades.length > 0 ? trades : [...buyOrders, ...sellOrders];
  const priceDomain = [Math.min(...prices.map(valueOf)), Math.max(...prices.map(valueOf))] as const;
  const chart = (
    title: string,
    label: string,
    height: number,
    layers: readonly Layer[],
    domain?: readonly [number, number],
  ): Chart => ({
    title: `${title}: ${of}`,
    x,
    y: { kind: "linear", label, ...domain !== undefined && { domain }, isRounded: true },
    layers,
    width: WIDTH,
    height,
    left: LEFT,
  });
  return [
    chart(`Trades of ${contractId}, and the agent's orders`, "$/MWh", HEIGHTS.price, [
      { kind: "dots", tone: "muted", name: "trades of all", points: trades, radius: 1.6, opacity: 0.6 },
      { kind: "dots", tone: "s0", name: "its orders to buy", points: buyOrders, radius: 3 },
      { kind: "dots", tone: "s1", name: "its orders to sell", points: sellOrders, radius: 3 },
    ], priceDomain),
    chart("Its position", "MW", HEIGHTS.other, [
      { kind: "level", tone: "muted", value: 0 },
      { kind: "line", tone: "s0", points: positions, isStepped: true, width: 2 },
    ]),
    chart("Its result, what it holds at the forecast", "$", HEIGHTS.other, [
      { kind: "level", tone: "muted", value: 0 },
      { kind: "line", tone: "s2", points: results, width: 2 },
    ]),
  ];
}

function valueOf([, value]: readonly [number, number]): number {
  return value;
}

function callTable({ calls }: Course, of: string): Markup {
  const rows = calls.slice(0, MOST_CALLS).map(({ time, tool, input, answer }) =>
    html`
      <tr>
        <td class="mark">${time.slice(11, 19)}</td>
        <td><code>${tool}</code></td>
        <td><bdi>${cut(JSON.stringify(input ?? {}))}</bdi></td>
        <td><bdi>${cut(answer)}</bdi></td>
      </tr>
    `
  );
  const rest = calls.length - rows.length;
  return html`
    <div class="scroll" tabindex="0" role="group" aria-label="Calls of ${of}">
      <table>
        <thead>
          <tr>
            <th scope="col">time, UTC</th>
            <th scope="col">tool</th>
            <th scope="col">arguments</th>
            <th scope="col">answer</th>
          </tr>
        </thead>
        <tbody>${rows}</tbody>
      </table>
    </div>${rest > 0 ? html`<p class="note">And ${rest} calls more, in its record.</p>` : []}
  `;
}

function cut(text: string): string {
  return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT)}…`;
}
