// The figures of the agents as Markdown.

import type { LatencyFigures } from "../../load/tally.ts";
import { aligned, grouped, threeDigits } from "../table.ts";
import type { BareFigures } from "./bare-run.ts";
import { type AgentsLoad, type EngineFigures, planOf } from "./engine-run.ts";

/** Of the run: the memory of its first part is that of a process that is still growing into its work. */
const WARM_UP = 0.1;

export function agentsTable(
  { agents, ratePerAgent, seconds }: AgentsLoad,
  engine: EngineFigures,
  bare: BareFigures,
): string {
  const { report } = engine;
  const { requests } = report;
  const latency = requests.latencyMs.all;
  if (latency === null) throw new Error("nothing was answered");
  const { updateBytes, ordersInUpdate } = planOf(engine);
  const codes = Object.entries({ ...requests.refused, ...requests.failed }).map(([code, count]) =>
    `${code} ${grouped(count)}`
  );
  return [
    `${grouped(agents)} agents, each with a connection and ${grouped(ratePerAgent)} requests a second, for ` +
    `${grouped(seconds)} s: ${grouped(Math.round(report.sentPerSecond))} requests a second sent, ` +
    `${grouped(requests.confirmed)} confirmed, ${grouped(requests.unknown)} not answered, ` +
    `${grouped(requests.notSent)} not sent, ${grouped(report.reconnects)} connections lost` +
    `${codes.length === 0 ? "" : `; refused: ${codes.join(", ")}`}. ` +
    `Each connection got a frame of ${grouped(updateBytes)} bytes for every ${grouped(ordersInUpdate)} requests.`,
    aligned(["", "engine", "bare server", "engine / bare"], [
      [
        "processor time for a request",
        `${threeDigits(engine.microseconds)} µs`,
        `${threeDigits(bare.microseconds)} µs`,
        threeDigits(engine.microseconds / bare.microseconds),
      ],
      ...(["p50", "p90", "p99", "p999", "max"] as const).map((name) => latencyRow(name, latency, bare.latencyMs)),
    ]),
    aligned(["resident memory of the engine", "least", "most"], memoryRows(engine)),
  ].join("\n\n");
}

function latencyRow(
  name: Exclude<keyof LatencyFigures, "count">,
  engine: LatencyFigures,
  bare: LatencyFigures,
): string[] {
  const label = name === "p999" ? "p99.9" : name;
  return [
    label,
    `${engine[name].toFixed(2)} ms`,
    `${bare[name].toFixed(2)} ms`,
    threeDigits(engine[name] / bare[name]),
  ];
}

/**
 * Least and most of each third after the warm-up. Memory rises until the next collection, and while a thread makes a
 * checkpoint; memory that is kept for good raises the least.
 */
function memoryRows({ memory, keptBytes }: EngineFigures): string[][] {
  const worked = memory.slice(Math.floor(memory.length * WARM_UP));
  const megabytes = (bytes: number) => `${grouped(Math.round(bytes / 2 ** 20))} MB`;
  const thirds = ["first third", "second third", "last third"].map((name, third) => {
    const from = Math.floor(worked.length * third / 3);
    const until = Math.max(from + 1, Math.floor(worked.length * (third + 1) / 3));
    const resident = worked.slice(from, until).map(({ residentBytes }) => residentBytes);
    return [name, megabytes(Math.min(...resident)), megabytes(Math.max(...resident))];
  });
  return [...thirds, ["after the end and a collection", megabytes(keptBytes), ""]];
}
