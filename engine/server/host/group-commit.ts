// Group commit: all executions of one turn of the event loop are committed and published together. A busy engine then syncs
// and sends less often.
//
// Invariants: an execution is published only after the journal has synced it, so a confirmed result can't be lost; executions
// are published in the order in which they were added.

import type { EngineAuditStore } from "../../audit/engine-audit-store.ts";
import type { JournalWriter } from "../../journal/journal-writer.ts";
import type { PendingExecution, Publisher } from "../publication/publisher.ts";
import type { EngineCounters } from "../metrics/engine-counters.ts";
import type { RequestTrace } from "../publication/request-trace.ts";
import type { CheckpointSaver } from "./checkpoint-saver.ts";
import { dropReportedFailure, JournalFailure, PublicationFailure } from "./engine-failure.ts";
import type { FailStop } from "./fail-stop.ts";

interface GroupCommitOptions {
  readonly journal: JournalWriter | null;
  readonly audit: EngineAuditStore;
  readonly publisher: Publisher;
  readonly checkpoints: CheckpointSaver | null;
  readonly failStop: FailStop;
  readonly counters: EngineCounters;
  /** Calls `task` at the end of this turn of the event loop. */
  readonly defer: (task: () => void) => void;
}

export class GroupCommit {
  #pending: PendingExecution[] = [];
  #isFlushScheduled = false;
  /** Of the pending executions. */
  #traces: RequestTrace[] = [];

  constructor(private readonly options: GroupCommitOptions) {}

  add(execution: PendingExecution): void {
    this.#pending.push(execution);
    const trace = execution.reply?.trace;
    if (trace) this.#traces.push(trace);
    if (!this.#isFlushScheduled) this.#scheduleFlush();
  }

  #scheduleFlush(): void {
    this.#isFlushScheduled = true;
    this.options.defer(() => {
      this.#isFlushScheduled = false;
      dropReportedFailure(() => this.flush());
    });
  }

  /**
   * Commits and publishes the pending executions, and saves a checkpoint if one is due. Throws the failure. Publishing may cut
   * off a slow connection, which adds executions: repeats until none is pending.
   */
  flush(): void {
    this.options.failStop.check();
    while (this.#pending.length > 0) {
      this.publish();
      this.options.checkpoints?.saveIfDue();
    }
  }

  /** Commits the pending executions, then publishes them. */
  publish(): void {
    const { journal, audit, publisher, failStop } = this.options;
    const pending = this.#pending;
    const traces = this.#traces;
    this.#pending = [];
    if (traces.length > 0) this.#traces = [];
    for (const trace of traces) trace.commitBegins();
    failStop.guard((cause) => new JournalFailure(cause), () => {
      if (journal?.hasUncommitted) this.#commit(journal);
      for (const { execution } of pending) audit.record(execution.audit);
    });
    for (const trace of traces) trace.commitEnds();
    failStop.guard((cause) => new PublicationFailure(cause), () => publisher.publish(pending));
    if (traces.length > 0) { for (const { execution, reply } of pending) reply?.trace?.answered(execution.response); }
  }

  #commit(journal: JournalWriter): void {
    const started = performance.now();
    journal.commit();
    this.options.counters.commitSeconds.observe((performance.now() - started) / 1000);
  }
}
