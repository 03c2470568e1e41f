// Why an engine can't go on. Nothing more is answered after one of these, and the process ends with its message, one line.

import { describeCall, type FailedCall } from "../../journal/journal-call.ts";

const LONGEST_REASON = 300;

export class EngineFailure extends Error {}

/** The journal can't be written. */
export class JournalFailure extends EngineFailure {
  constructor(cause: unknown) {
    super(`the journal can't be written: ${reasonOf(cause)}`, { cause });
  }
}

/** A broken invariant: a call of the engine threw, and may be half applied. Nobody was told of it. */
export class InvariantFailure extends EngineFailure {
  constructor(readonly call: FailedCall, cause: unknown, isJournalled: boolean) {
    const restart = isJournalled
      ? AFTER_RESTART[call.kind]
      : "without --data the market is lost: start the engine again, and report this fault";
    super(
      `the engine failed on ${describeCall(call)}: ${reasonOf(cause)}; nothing of it was told to anyone; ${restart}`,
      {
        cause,
      },
    );
  }
}

const AFTER_RESTART: Readonly<Record<FailedCall["kind"], string>> = {
  execute: "start the engine again: it comes up without this request",
  cancelDisconnected: "start the engine again: it comes up with these orders open",
  setConnected: "start the engine again, and report this fault",
  advance: "a restart meets the same schedule again: report this fault, with the data directory",
};

/** Something that was carried out could not be told. */
export class PublicationFailure extends EngineFailure {
  constructor(cause: unknown) {
    super(`what the engine carried out can't be published: ${reasonOf(cause)}; start the engine again`, { cause });
  }
}

/** One line, of bounded length. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replaceAll(/\s+/g, " ").slice(0, LONGEST_REASON);
}
