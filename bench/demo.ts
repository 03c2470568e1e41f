// The processor time of the demo: engine, simulator and MCP server in one process, with the preset stress at speed 1000.
//
//   bun bench/demo.ts [--seconds N] [MAIN.ts ...]
//
// MAIN.ts: entry points to compare, such as those of two worktrees; this one by default. They run in turn, once the
// simulation has run for WARM_SECONDS. Processor time of the whole process, divided by the seconds and by the orders,
// changes and cancels that the engine accepted meanwhile: a faster engine accepts more in a second.

import { join } from "node:path";
import { ACTING_USER_HEADER, simulationStatus, SIMULATOR_PATHS } from "../protocol/index.ts";
import type { Usage } from "./serving/probe.ts";
import { aligned, grouped, threeDigits } from "./table.ts";

const PROBE = join(import.meta.dir, "serving/probe.ts");
const OWN_MAIN = join(import.meta.dir, "../main.ts");
const ENGINE = /engine +(http:[^,]+)/;
const WARM_SECONDS = 5;

interface Sample {
  readonly processorMs: number;
  readonly simulatedMs: number;
  readonly actions: number;
  readonly trades: number;
}

async function measured(main: string, seconds: number): Promise<Sample> {
  let settle: (usage: Usage) => void = () => {};
  const child = Bun.spawn(
    [process.execPath, "--preload", PROBE, main, "demo", "--preset", "stress", "--speed", "1000", "--port", "0"],
    { stdin: "ignore", stdout: "ignore", stderr: "pipe", ipc: (message) => settle(message as Usage) },
  );
  try {
    const url = await engineOf(child.stderr);
    const sample = async (): Promise<Sample> => {
      const usage = new Promise<Usage>((resolve) => {
        settle = resolve;
        child.send("usage");
      });
      const [{ processorMicroseconds }, status] = await Promise.all([usage, statusOf(url)]);
      return { processorMs: processorMicroseconds / 1000, ...status };
    };
    await Bun.sleep(WARM_SECONDS * 1000);
    const before = await sample();
    await Bun.sleep(seconds * 1000);
    return difference(await sample(), before);
  } finally {
    child.kill("SIGTERM");
    await child.exited;
  }
}

/** The address of the engine, from the demo's greeting. */
async function engineOf(stderr: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stderr) {
    text += decoder.decode(chunk, { stream: true });
    const url = ENGINE.exec(text)?.[1];
    if (url !== undefined && text.includes("\n  sim")) return url;
  }
  throw new Error(`the demo ended before it was ready: ${text}`);
}

async function statusOf(url: string): Promise<Omit<Sample, "processorMs">> {
  const response = await fetch(`${url}${SIMULATOR_PATHS.status}`, { headers: { [ACTING_USER_HEADER]: "operator" } });
  const { status, simulatedTime, totals, personas } = simulationStatus.parse(await response.json());
  if (status !== "running" || simulatedTime === null) throw new Error(`the simulation is ${status}`);
  return {
    simulatedMs: Date.parse(simulatedTime),
    actions: totals.orders + totals.cancels + personas.reduce((sum, { changes }) => sum + changes, 0),
    trades: totals.trades,
  };
}

function difference(later: Sample, earlier: Sample): Sample {
  const names = Object.keys(later) as (keyof Sample)[];
  return Object.fromEntries(names.map((name) => [name, later[name] - earlier[name]])) as unknown as Sample;
}

function rowOf(main: string, { processorMs, simulatedMs, actions, trades }: Sample, seconds: number): string[] {
  return [
    main,
    threeDigits(processorMs / 1000 / seconds),
    threeDigits(processorMs / 1000 / (simulatedMs / 3_600_000)),
    threeDigits(processorMs * 1000 / actions),
    grouped(Math.round(actions / seconds)),
    grouped(Math.round(trades / seconds)),
  ];
}

const HEADER = [
  "program",
  "processor s / s",
  "processor s / simulated hour",
  "processor µs / action",
  "actions / s",
  "trades / s",
];

async function main(args: readonly string[]): Promise<void> {
  const at = args.indexOf("--seconds");
  const seconds = at < 0 ? 30 : Number(args[at + 1]);
  if (!(seconds > 0)) throw new Error("--seconds needs a number above 0");
  const mains = args.filter((_, index) => at < 0 || (index !== at && index !== at + 1));
  const rows: string[][] = [];
  for (const main of mains.length === 0 ? [OWN_MAIN] : mains) {
    rows.push(rowOf(main, await measured(main, seconds), seconds));
  }
  console.log(aligned(HEADER, rows));
}

if (import.meta.main) await main(process.argv.slice(2));
