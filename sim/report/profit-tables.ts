// What each strategy has earned: a row for each day of trading, day and hour of delivery, and contract, a column for each
// strategy. A column adds up to the strategy's trading result, and in a market of personas alone each row to zero.

import { grouped } from "./figures.ts";
import { html, type Markup } from "./markup.ts";
import { LONGER, type ProfitDigest, type Profits } from "./profit-digest.ts";

const MOST_ROWS = 31;
const MOST_CONTRACTS = 20;

export function profitTables(profits: ProfitDigest): Markup {
  const { strategies, tradingDays, deliveryDays, deliveryHours, contracts } = profits;
  if (strategies.size === 0) return html``;
  const names = [...strategies.keys()];
  const most = [...contracts].sort(([, one], [, other]) => movedIn(other) - movedIn(one));
  return html`
    <h3>Realised and unrealised</h3>${table("profit, $", names, [
      ["realised", names.map((name) => strategies.get(name)?.realised ?? 0)],
      ["unrealised", names.map((name) => strategies.get(name)?.unrealised ?? 0)],
    ])}
    <h3>By trading day</h3>${sums("earned on", names, inOrder(tradingDays), MOST_ROWS)}
    <h3>By day of delivery</h3>${sums("delivered on", names, inOrder(deliveryDays), MOST_ROWS)}
    <h3>By hour of delivery</h3>${sums("delivered from", names, inOrder(deliveryHours), MOST_ROWS)}
    <h3>By contract</h3>${sums("contract", names, most, MOST_CONTRACTS)}
    <p
      class="note">Dollars: cash and positions at their marks; there are no fees. The contracts are those in which most was
    won and lost. ${LONGER}: contracts of more than an hour.</p>
  `;
}

function inOrder(table: ReadonlyMap<string, Profits>): [string, Profits][] {
  return [...table].sort(([one], [other]) => one < other ? -1 : 1);
}

/** What changed hands. */
function movedIn(profits: Profits): number {
  return profits.values().reduce((sum, { realised, unrealised }) => sum + Math.abs(realised + unrealised), 0);
}

function sums(title: string, names: readonly string[], rows: readonly [string, Profits][], most: number): Markup {
  const shown = rows.slice(0, most).map(([name, profits]): [string, number[]] => [
    name,
    names.map((strategy) => {
      const { realised = 0, unrealised = 0 } = profits.get(strategy) ?? {};
      return realised + unrealised;
    }),
  ]);
  const rest = rows.length - shown.length;
  return html`${table(title, names, shown)}${
    rest > 0 ? html`<p class="note">And ${rest} more: the tape has them.</p>` : []
  }`;
}

function table(title: string, names: readonly string[], rows: readonly [string, readonly number[]][]): Markup {
  return html`
    <div class="scroll" tabindex="0" role="group" aria-label="Table of profits: ${title}">
      <table>
        <thead>
          <tr><th scope="col">${title}</th>${names.map((name) =>
            html`<th scope="col" class="number"><bdi>${name}</bdi></th>`
          )}</tr>
        </thead>
        <tbody>${rows.map(([name, values]) =>
          html`<tr><th scope="row">${name}</th>${
            values.map((value) => html`<td class="number">${grouped(value)}</td>`)
          }</tr>`
        )}</tbody>
      </table>
    </div>
  `;
}
