// One backup under way: a thread makes it (backup-thread.ts), and a stream takes it to the client as fast as the client reads.
// This thread only reads slices of records from the journal, some tenths of a millisecond each, and passes audit events on.
//
// Until the backup ends, the journal keeps what it has. So the backup ends with an error if the client takes nothing for
// `stallMs`, or if it is not done after `limitMs`. A backup that fails ends with a line that says why.

import { threadUrl } from "../../../common/thread-url.ts";
import type { Timers } from "../../../common/timers.ts";
import type { EngineAuditStore } from "../../audit/engine-audit-store.ts";
import { failureFrame } from "../../backup/backup-encoder.ts";
import type { BackupDescription } from "../../backup/backup-format.ts";
import type { CheckpointOrigin, SqliteJournal } from "../../journal/sqlite-journal.ts";
import { reasonOf } from "../host/engine-failure.ts";
import type { BackupFrame, FromBackupThread, ToBackupThread } from "./backup-messages.ts";

/** Where a backup gets what it has. */
export interface BackupSource {
  readonly journal: Pick<SqliteJournal, "origin" | "recordsAfter">;
  readonly audit: EngineAuditStore;
}

export interface BackupLimits {
  /** How long the client may take nothing, in milliseconds. */
  readonly stallMs: number;
  /** How long the whole backup may take, in milliseconds. */
  readonly limitMs: number;
  readonly timers: Timers;
}

export interface BackupEnd {
  /** Null: the whole backup was taken. */
  readonly failure: string | null;
  /** Compressed. */
  readonly bytes: number;
}

interface RunningBackupOptions extends BackupLimits {
  readonly source: BackupSource;
  readonly origin: CheckpointOrigin;
  readonly description: BackupDescription;
  /** Called once, when nothing reads the data directory for this backup any more. */
  readonly onEnd: (end: BackupEnd) => void;
}

export class RunningBackup {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly #options: RunningBackupOptions;
  readonly #thread: Worker;
  #controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | null = null;
  /** Resolves when the client's wish for a frame is fulfilled. */
  #pulled: PromiseWithResolvers<void> | null = null;
  readonly #endLimit: () => void;
  #endStall: () => void = () => {};
  #bytes = 0;
  #hasEnded = false;

  constructor(options: RunningBackupOptions) {
    const { origin, description, limitMs, timers } = this.#options = options;
    this.#thread = this.#newThread();
    this.#tell({ kind: "order", origin, description });
    this.#endLimit = timers.after(limitMs, () => this.fail(`it took longer than ${limitMs / 1000} s`));
    this.stream = new ReadableStream({
      start: (controller) => void (this.#controller = controller),
      pull: () => this.#next(),
      cancel: () => this.#end("the client went away"),
    }, { highWaterMark: 0 });
    this.#awaitClient();
  }

  /** Ends the backup, with a line that tells the client why. */
  fail(reason: string): void {
    if (this.#hasEnded) return;
    this.#controller?.enqueue(failureFrame(reason));
    this.#controller?.close();
    this.#end(reason);
  }

  #next(): Promise<void> | undefined {
    if (this.#hasEnded) return undefined;
    this.#endStall();
    this.#pulled = Promise.withResolvers();
    this.#tell({ kind: "next" });
    return this.#pulled.promise;
  }

  #take(message: FromBackupThread): void {
    if (this.#hasEnded) return;
    switch (message.kind) {
      case "frame":
        return this.#send(message);
      case "records":
        return void this.#answer(() => ({
          kind: "records",
          slice: this.#options.source.journal.recordsAfter(message.after),
        }));
      case "events":
        return void this.#answer(async () => ({
          kind: "events",
          blocks: await this.#options.source.audit.blocksAfter(message.after),
        }));
      case "failed":
        return this.fail(message.reason);
    }
  }

  async #answer(read: () => ToBackupThread | Promise<ToBackupThread>): Promise<void> {
    try {
      const answer = await read();
      if (!this.#hasEnded) this.#tell(answer);
    } catch (error) {
      this.fail(reasonOf(error));
    }
  }

  #send({ bytes, isLast }: BackupFrame): void {
    this.#bytes += bytes.length;
    this.#controller?.enqueue(bytes);
    if (isLast) {
      this.#controller?.close();
      this.#end(null);
    } else this.#awaitClient();
    this.#pulled?.resolve();
  }

  /** Ends the backup unless the client takes more in time. */
  #awaitClient(): void {
    const { stallMs, timers } = this.#options;
    this.#endStall = timers.after(stallMs, () => this.fail(`the client took nothing for ${stallMs / 1000} s`));
  }

  #end(failure: string | null): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#endStall();
    this.#endLimit();
    this.#pulled?.resolve();
    const end = () => this.#options.onEnd({ failure, bytes: this.#bytes });
    // A thread that is not done may still read the checkpoint.
    if (failure === null) end();
    else this.#thread.addEventListener("close", end);
    this.#thread.terminate();
  }

  #newThread(): Worker {
    const thread = new Worker(threadUrl("engine/server/backups/backup-thread.ts"));
    thread.onmessage = ({ data }: MessageEvent<FromBackupThread>) => this.#take(data);
    thread.onerror = ({ message }) => this.fail(message);
    thread.addEventListener("close", () => this.fail("the thread that makes backups has ended"));
    return thread;
  }

  #tell(message: ToBackupThread): void {
    this.#thread.postMessage(message);
  }
}
