// Checkpoints of the tests.

import type { CheckpointPart } from "../../../engine/checkpoint/checkpoint.ts";
import type { Engine } from "../../../engine/engine.ts";
import { checkpointFilesIn } from "../../../engine/journal/checkpoint-files.ts";
import type { NewCheckpoint } from "../../../engine/journal/journal.ts";

/** A checkpoint to be written, of a state without operations. */
export function newCheckpoint(upTo: number, state: readonly string[]): NewCheckpoint {
  return { upTo, state, operations: () => [], time: 0 };
}

/** Names of the files with a state, without their copies. */
export function stateFilesIn(directory: string): string[] {
  return checkpointFilesIn(directory).filter((name) => /^checkpoint-\d+(-stop)?$/.test(name));
}

/** All parts of a checkpoint, through JSON text, as a journal keeps them. */
export function wholeCheckpoint(engine: Engine): CheckpointPart[] {
  return JSON.parse(JSON.stringify([...engine.checkpoint(), ...engine.rememberedOperations(-Infinity)]));
}
