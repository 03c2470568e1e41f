// The report of a headless simulation as text: one line for each count and metric, then for each strategy, book and
// node.

import { oneLine } from "../../common/command-line.ts";
import { textTable } from "../../common/text-table.ts";
import { thousandths } from "../../common/rounding.ts";
import type { PersonaReport } from "../personas/persona-report.ts";
import type { HeadlessReport } from "./headless-report.ts";

type Row = readonly (string | number)[];

export function headlessReportText(report: HeadlessReport): string {
  const { totals, metrics, reasons, spot, books, personas, bookSamples, marks } = report;
  const percent = (name: keyof typeof metrics, basis?: string): Row => [
    name,
    metrics[name] === null ? `- (${reasons[name]})` : `${metrics[name]} %${basis === undefined ? "" : ` (${basis})`}`,
  ];
  return [
    textTable([
      ["experiment", report.experiment],
      ["seed", report.seed],
      ["steps", report.steps],
      ["messages", report.messages],
      ["startedAt", report.startedAt],
      ["endedAt", report.endedAt],
      ...Object.entries(totals).map(([name, value]): Row => [name, value ?? `- (${reasons[name]})`]),
      percent("smithsAlpha"),
      percent("allocativeEfficiency"),
      percent("twoSidedBooks", `of ${bookSamples.count} looks, the last at ${bookSamples.until}`),
      percent("meanSpread"),
      ["valuedBy", valuedBy(marks)],
    ], Infinity),
    textTable([
      [
        "strategy",
        "personas",
        "orders",
        "changes",
        "cancels",
        "rejected",
        "trades",
        "MW",
        "net MW",
        "P&L $",
        "physical $",
        "surplus $",
        "stops",
      ],
      ...strategyRows(personas),
    ]),
    ...stoppedLines(personas),
    books.length === 0 ? `No books: ${reasons["books"]}.` : textTable([
      ["contract", "bid", "ask", "last", "forecast"],
      ...books.map(({ contractId, bestBid, bestAsk, lastPrice, forecast }): Row => [
        contractId,
        bestBid ?? "-",
        bestAsk ?? "-",
        lastPrice ?? "-",
        forecast,
      ]),
    ]),
    textTable([["spot", "price", "regime"], ...spot.map(({ node, price, regime }): Row => [node, price, regime])]),
    "Prices in cents/MWh.",
  ].join("\n\n");
}

/** What the positions behind profit and loss are valued by. */
function valuedBy({ book, lastTrade, forecast, delivery }: HeadlessReport["marks"]): string {
  const counts = [[book, "books"], [lastTrade, "last trades"], [forecast, "forecasts"], [
    delivery,
    "delivery",
  ]] as const;
  const named = counts.filter(([count]) => count > 0).map(([count, name]) => `${name} ${count}`);
  return named.length === 0 ? "- (nobody has a position)" : named.join(", ");
}

function strategyRows(personas: readonly PersonaReport[]): Row[] {
  const byStrategy = Map.groupBy(personas, ({ strategy }) => strategy);
  return [...byStrategy].map(([strategy, members]): Row => {
    const sum = (count: (persona: PersonaReport) => number) =>
      members.reduce((total, persona) => total + count(persona), 0);
    return [
      strategy,
      members.length,
      sum(({ orders }) => orders),
      sum(({ changes }) => changes),
      sum(({ cancels }) => cancels),
      sum(({ rejected }) => rejected),
      sum(({ trades }) => trades),
      thousandths(sum(({ volumeMw }) => volumeMw)),
      thousandths(sum(({ netPositionMw }) => netPositionMw)),
      Math.round(sum(({ tradingResult }) => tradingResult)),
      roundedOrNone(members, ({ physicalResult }) => physicalResult),
      roundedOrNone(members, ({ surplus }) => surplus),
      sum(({ stoppedForLosses }) => stoppedForLosses),
    ];
  });
}

/** A line for each persona whose strategy was stopped. */
function stoppedLines(personas: readonly PersonaReport[]): string[] {
  const stopped = personas.filter(({ fault }) => fault !== undefined);
  return stopped.length === 0
    ? []
    : [stopped.map(({ id, fault }) => oneLine(`${id} was stopped: ${fault}`)).join("\n")];
}

/** The sum in whole dollars; a dash if no member has the amount. */
function roundedOrNone(
  members: readonly PersonaReport[],
  amount: (persona: PersonaReport) => number | null,
): Row[number] {
  const amounts = members.map(amount).filter((each) => each !== null);
  return amounts.length === 0 ? "-" : Math.round(amounts.reduce((sum, each) => sum + each, 0));
}
