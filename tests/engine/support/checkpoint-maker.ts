// Makes checkpoints in this thread, with the real build and a store in memory. It pauses before every step.

import type { JournalHeader, JournalStore, WrittenCheckpoint } from "../../../engine/journal/journal.ts";
import { CheckpointBuild } from "../../../engine/server/checkpoints/checkpoint-build.ts";
import type { CheckpointMaker } from "../../../engine/server/host/checkpoint-saver.ts";
import { type MemoryCheckpoint, writeTo } from "./memory-journal.ts";

/** What a disk in memory has of checkpoints. */
interface CheckpointDisk {
  readonly header: JournalHeader | null;
  readonly checkpoint: MemoryCheckpoint | null;
  readonly written: Map<string, MemoryCheckpoint>;
}

export class CheckpointMakerHere implements CheckpointMaker {
  readonly #given: { readonly store: JournalStore; readonly disk: CheckpointDisk; readonly pause: () => Promise<void> };
  #isCancelled = false;

  constructor(store: JournalStore, disk: CheckpointDisk, pause: () => Promise<void> = () => Promise.resolve()) {
    this.#given = { store, disk, pause };
  }

  async make(upTo: number): Promise<WrittenCheckpoint> {
    const { store, disk } = this.#given;
    await this.#step();
    if (disk.header === null) throw new Error("the journal has not begun");
    const { checkpoint } = disk;
    const build = new CheckpointBuild(disk.header, checkpoint && { ...checkpoint, parts: checkpoint.state }, upTo);
    while (!build.isComplete) {
      await this.#step();
      build.take(store.recordsAfter(build.number));
    }
    await this.#step();
    const written = writeTo(disk, build.checkpoint());
    await this.#step();
    return written;
  }

  cancel(): void {
    this.#isCancelled = true;
  }

  async #step(): Promise<void> {
    await this.#given.pause();
    if (this.#isCancelled) throw new Error("the engine stopped");
  }
}
