// Agents who see their own orders and the books, on an engine with a data directory: latencies of their requests, the engine's
// processor time and memory; beside it the bare server of bench/fan-out.ts, with as many frames of as many bytes. The load is
// `mkt load`, on the same machine.
//
//   bun bench/agents.ts [SECONDS] [--write]
//
// By default 600 seconds. --write also puts the table into bench/README.md. Exit status 1 if a request was not answered.

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { withSection } from "../scripts/document-section.ts";
import { runOnBareServer } from "./agents/bare-run.ts";
import { type AgentsLoad, planOf, runOnEngine } from "./agents/engine-run.ts";
import { agentsTable } from "./agents/table.ts";

const README = join(import.meta.dir, "README.md");
const SECONDS = 600;
const LOAD = { agents: 200, ratePerAgent: 5 };
/** The bare server has no state that could grow. */
const BARE_SECONDS = 60;

async function main(args: readonly string[]): Promise<number> {
  const [seconds = String(SECONDS), ...more] = args.filter((argument) => argument !== "--write");
  if (!/^[1-9]\d{0,4}$/.test(seconds) || more.length > 0) {
    console.error("usage: bun bench/agents.ts [SECONDS] [--write]");
    return 2;
  }
  const load: AgentsLoad = { ...LOAD, seconds: Number(seconds) };
  const folder = await mkdtemp(join(tmpdir(), "mkt-bench-"));
  try {
    const engine = await runOnEngine((command, options) => Bun.spawn(command, options), outputOf, folder, load);
    const bareLoad = { ...load, seconds: Math.min(load.seconds, BARE_SECONDS) };
    const bare = await runOnBareServer((command, options) => Bun.spawn(command, options), planOf(engine), bareLoad);
    const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores, Bun ${Bun.version}.`;
    const text = `${machine}\n\n${agentsTable(load, engine, bare)}`;
    console.log(text);
    if (args.includes("--write")) {
      await Bun.write(README, withSection(await Bun.file(README).text(), "agents", text));
    }
    return engine.report.requests.unknown === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function outputOf(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const output = await new Response(child.stdout).text();
  if (await child.exited !== 0) throw new Error(`${command.join(" ").slice(0, 200)} failed`);
  return output;
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
