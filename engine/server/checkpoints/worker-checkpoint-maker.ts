// Makes checkpoints in a thread of their own (checkpoint-thread.ts). The engine's thread reads the records from the journal,
// a slice at a time, whenever the thread has applied the one before.
//
// The thread is kept for the next checkpoint, with its compiled code but without a state: compiling the engine anew would take
// as much processor time as the rest of a checkpoint after 50,000 calls. A thread that has failed is replaced.

import { threadUrl } from "../../../common/thread-url.ts";
import { StorageFull, type WrittenCheckpoint } from "../../journal/journal.ts";
import type { SqliteJournal } from "../../journal/sqlite-journal.ts";
import type { CheckpointMaker } from "../host/checkpoint-saver.ts";
import type { FromCheckpointThread, ToCheckpointThread } from "./checkpoint-messages.ts";

export class WorkerCheckpointMaker implements CheckpointMaker {
  #thread: Worker | null = null;
  /** The checkpoint that is being made. */
  #made: PromiseWithResolvers<WrittenCheckpoint> | null = null;

  constructor(private readonly journal: SqliteJournal) {}

  async make(upTo: number): Promise<WrittenCheckpoint> {
    const { origin } = this.journal;
    if (origin === null) throw new Error("the journal has not begun");
    const made = this.#made = Promise.withResolvers();
    const thread = this.#thread ??= this.#newThread();
    try {
      tell(thread, { kind: "order", origin, upTo });
      return await made.promise;
    } catch (error) {
      this.#endThread();
      throw error;
    } finally {
      this.#made = null;
    }
  }

  cancel(): void {
    this.#made?.reject(new Error("the engine stopped"));
    this.#endThread();
  }

  #newThread(): Worker {
    const thread = new Worker(threadUrl("engine/server/checkpoints/checkpoint-thread.ts"));
    const fail = (error: unknown) => {
      if (thread === this.#thread) this.#made?.reject(error);
    };
    thread.onmessage = ({ data }: MessageEvent<FromCheckpointThread>) => {
      if (thread !== this.#thread) return;
      if (data.kind === "written") this.#made?.resolve(data.checkpoint);
      else if (data.kind === "failed") fail(data.isDiskFull ? new StorageFull(data.reason) : new Error(data.reason));
      else {
        try {
          tell(thread, { kind: "records", slice: this.journal.recordsAfter(data.after) });
        } catch (error) {
          fail(error);
        }
      }
    };
    thread.onerror = ({ message }) => fail(new Error(message));
    thread.addEventListener("close", () => {
      fail(new Error("the thread that makes checkpoints has ended"));
      if (thread === this.#thread) this.#thread = null;
    });
    return thread;
  }

  #endThread(): void {
    this.#thread?.terminate();
    this.#thread = null;
  }
}

function tell(thread: Worker, message: ToCheckpointThread): void {
  thread.postMessage(message);
}
