// The report of a load run for people.

import type { LoadReport } from "./load-run.ts";
import { OPERATION_KINDS } from "./operation.ts";
import type { Counts, LatencyFigures } from "./tally.ts";

export function loadReportText(report: LoadReport): string {
  const { plan, requests, cleanUp } = report;
  const { confirmed, refused, failed, unknown, notSent, latencyMs, lateMs, sent } = requests;
  return [
    `${report.interrupted ? "interrupted after" : "ran for"} ${seconds(report.seconds)} on ${
      report.contractIds.join(", ")
    }`,
    row("asked", `${number(plan.ratePerSecond)}/s on ${number(plan.connections)} connections, ${mixText(plan.mix)}`),
    row("sent", `${number(report.sentPerSecond)}/s, ${countsText(sent)}`),
    row("confirmed", `${number(confirmed)} (${number(report.confirmedPerSecond)}/s)`),
    row("refused", countsText(refused)),
    row("failed", countsText(failed)),
    row("unknown", `${number(unknown)} not answered in time`),
    row("not sent", number(notSent)),
    row("reconnects", number(report.reconnects)),
    "",
    row("latency, ms", ["p50", "p90", "p99", "p99.9", "max", "requests"].map(cell).join("")),
    ...(["all", ...OPERATION_KINDS] as const).map((kind) => row(kind, latencyCells(latencyMs[kind]))),
    row("sent late by", latencyCells(lateMs)),
    "",
    row("at the end", endText(cleanUp)),
  ].join("\n");
}

function endText({ cancelled, closedAlready, left }: LoadReport["cleanUp"]): string {
  const rest = left === 0 ? "" : `, ${number(left)} may be left`;
  return `${number(cancelled)} orders cancelled, ${number(closedAlready)} had closed already${rest}`;
}

const LABEL_WIDTH = 14;
const CELL_WIDTH = 11;

function row(label: string, text: string): string {
  return `${label.padEnd(LABEL_WIDTH)}${text}`;
}

function cell(text: string): string {
  return text.padStart(CELL_WIDTH);
}

function latencyCells(figures: LatencyFigures | null): string {
  if (figures === null) return cell("-");
  const { p50, p90, p99, p999, max, count } = figures;
  return [...[p50, p90, p99, p999, max].map((each) => each.toFixed(2)), number(count)].map(cell).join("");
}

function countsText(counts: Counts): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0).map(([name, count]) =>
    `${name} ${number(count)}`
  );
  return parts.length === 0 ? "none" : parts.join(", ");
}

function mixText(mix: LoadReport["plan"]["mix"]): string {
  return OPERATION_KINDS.filter((kind) => mix[kind] > 0).map((kind) => `${kind} ${mix[kind]}`).join(", ");
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}

function number(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 2 : 0 });
}
