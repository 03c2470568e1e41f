// What the texts of an engine's call cost if nothing else is done: the parts of which an engine has written the texts of a
// block of the mix (engine.ts), written again by the same writer, beside bare operations of nodejs-order-book on the same
// flow. Processor time of the thread, medians of alternating blocks.
//
//   bun bench/engine-texts.ts

import { TextWriter } from "../sim/engine/text/text-writer.ts";
import { Flow } from "./engine/flow.ts";
import { EnginePlayer, PeerPlayer, type Player } from "./engine/players.ts";
import { Race } from "./engine/race.ts";
import { partsOf, writeParts } from "./engine/text-parts.ts";
import { type Clock, measuringClock } from "./stopwatch.ts";
import { aligned, duration, grouped, threeDigits } from "./table.ts";

export interface TextSizes {
  /** Operations before anything is measured. */
  readonly warmUp: number;
  readonly block: number;
  readonly blocks: number;
}

const SIZES: TextSizes = { warmUp: 25_000, block: 2_000, blocks: 50 };
const [ENTITIES, ORDERS, SEED] = [10, 100, 1];

export function textsTable({ warmUp, block, blocks }: TextSizes, clock: Clock = measuringClock()): string {
  const flow = new Flow(ENTITIES, ORDERS, SEED);
  const start = flow.addMixed(warmUp) + warmUp;
  flow.addMixed(block * blocks);
  const engine = new EnginePlayer(ENTITIES, flow.operations);
  const peer = new PeerPlayer(flow.operations, null);
  for (const player of [engine, peer]) player.play(0, start);
  engine.prepare(start, start + block);
  const parts = partsOf(() => engine.play(start, start + block));
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

if (import.meta.main) console.log(textsTable(SIZES));
