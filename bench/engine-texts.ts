// What the texts of an engine's call cost if nothing else is done: the parts of which an engine has written the texts of a
// block of the mix (engine.ts), written again by the same writer, beside bare operations of nodejs-order-book on the same
// flow. Processor time of the thread, medians of alternating blocks. Another process records the parts, because a writer
// whose methods were replaced is slower.
//
//   bun bench/engine-texts.ts

import { TextWriter } from "../engine/text/text-writer.ts";
import { Flow } from "./engine/flow.ts";
import { EnginePlayer, PeerPlayer, type Player } from "./engine/players.ts";
import { Race } from "./engine/race.ts";
import { type Part, partsOf, sharedParts, writeParts } from "./engine/text-parts.ts";
import { type Clock, measuringClock } from "./stopwatch.ts";
import { aligned, duration, grouped, threeDigits } from "./table.ts";

interface TextSizes {
  /** Operations before anything is measured. */
  readonly warmUp: number;
  readonly block: number;
  readonly blocks: number;
}

const SIZES: TextSizes = { warmUp: 25_000, block: 2_000, blocks: 50 };
const [ENTITIES, ORDERS, SEED] = [10, 100, 1];

/** The parts of the first measured block. */
export function recordedParts({ warmUp, block }: TextSizes): Part[] {
  const flow = new Flow(ENTITIES, ORDERS, SEED);
  const start = flow.addMixed(warmUp) + warmUp;
  flow.addMixed(block);
  const engine = new EnginePlayer(ENTITIES, flow.operations);
  engine.play(0, start);
  return partsOf(() => engine.play(start, start + block));
}

export function textsTable(sizes: TextSizes, recorded: readonly Part[], clock: Clock = measuringClock()): string {
  const { warmUp, block, blocks } = sizes;
  const flow = new Flow(ENTITIES, ORDERS, SEED);
  const start = flow.addMixed(warmUp) + warmUp;
  flow.addMixed(block * blocks);
  const peer = new PeerPlayer(flow.operations, null);
  peer.play(0, start);
  const parts = sharedParts(recorded);
  const writer = new TextWriter();
  const characters = writeParts(parts, writer);

  const texts: Player = { prepare: () => {}, play: () => void writeParts(parts, writer) };
  const race = new Race([texts, peer], clock);
  for (let at = 0; at < blocks; at++) race.run(start + at * block, start + (at + 1) * block);
  const [mkt = NaN, other = NaN] = race.medians.map((time) => time / block);
  return aligned(
    ["characters of a call", "parts", "written again", "nodejs-order-book", "written / peer"],
    [[
      grouped(Math.round(characters / block)),
      grouped(Math.round(parts.length / block)),
      duration(mkt),
      duration(other),
      threeDigits(mkt / other),
    ]],
  );
}

const RECORD = "--record";

async function partsOfChild(): Promise<Part[]> {
  const child = Bun.spawn([process.execPath, import.meta.path, RECORD], { stdin: "ignore", stdout: "pipe" });
  const text = await new Response(child.stdout).text();
  if (await child.exited !== 0) throw new Error("the parts could not be recorded");
  return JSON.parse(text);
}

if (import.meta.main) {
  if (Bun.argv.includes(RECORD)) await Bun.write(Bun.stdout, JSON.stringify(recordedParts(SIZES)));
  else console.log(textsTable(SIZES, await partsOfChild()));
}
