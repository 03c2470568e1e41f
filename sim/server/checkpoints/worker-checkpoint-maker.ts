// Makes checkpoints in a thread of their own (checkpoint-thread.ts). The engine's thread reads the records from the journal,
// a slice at a time, whenever the thread has applied the one before. The thread is started for each checkpoint, so its memory
// is free in between: as much again as the state of the engine takes.

import { threadUrl } from "../../../common/thread-url.ts";
import { StorageFull, type WrittenCheckpoint } from "../../journal/journal.ts";
import type { SqliteJournal } from "../../journal/sqlite-journal.ts";
import type { CheckpointMaker } from "../host/checkpoint-saver.ts";
import type { FromCheckpointThread, ToCheckpointThread } from "./checkpoint-messages.ts";

export class WorkerCheckpointMaker implements CheckpointMaker {
  #giveUp: () => void = () => {};

  constructor(private readonly journal: SqliteJournal) {}

  async make(upTo: number): Promise<WrittenCheckpoint> {
    const { origin } = this.journal;
    if (origin === null) throw new Error("the journal has not begun");
    const thread = new Worker(threadUrl("sim/server/checkpoints/checkpoint-thread.ts"));
    const made = Promise.withResolvers<WrittenCheckpoint>();
    this.#giveUp = () => made.reject(new Error("the engine stopped"));
    const tell = (message: ToCheckpointThread) => thread.postMessage(message);
    thread.onmessage = ({ data }: MessageEvent<FromCheckpointThread>) => {
      if (data.kind === "written") made.resolve(data.checkpoint);
      else if (data.kind === "failed") made.reject(failureOf(data.reason, data.isDiskFull));
      else {
        try {
          tell({ kind: "records", slice: this.journal.recordsAfter(data.after) });
        } catch (error) {
          made.reject(error);
        }
      }
    };
    thread.onerror = ({ message }) => made.reject(new Error(message));
    thread.addEventListener("close", () => made.reject(new Error("the thread that makes checkpoints has ended")));
    try {
      tell({ kind: "order", origin, upTo });
      return await made.promise;
    } finally {
      this.#giveUp = () => {};
      thread.onmessage = null;
      thread.terminate();
    }
  }

  cancel(): void {
    this.#giveUp();
  }
}

function failureOf(reason: string, isDiskFull: boolean): Error {
  return isDiskFull ? new StorageFull(reason) : new Error(reason);
}
