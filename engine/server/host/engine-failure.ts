// Why an engine stops for good. It answers nothing after an EngineFailure, and the process ends with the failure's message
// on one line.

import { describeCall, type FailedCall } from "../../journal/journal-call.ts";

const MAX_REASON_CHARACTERS = 300;

export class EngineFailure extends Error {}

/** The journal can't be written. */
export class JournalFailure extends EngineFailure {
  constructor(cause: unknown) {
    super(`the journal can't be written: ${reasonOf(cause)}`, { cause });
  }
}

/** A call of the engine threw: an invariant is broken, and the state may be half changed. Nobody has seen the result. */
export class InvariantFailure extends EngineFailure {
  constructor(readonly call: FailedCall, cause: unknown, isJournalled: boolean) {
    const restart = isJournalled
      ? AFTER_RESTART[call.kind]
      : "without --data the market is lost: start the engine again, and report this fault";
    const failed = `the engine failed on ${describeCall(call)}: ${reasonOf(cause)}`;
    super(`${failed}; nobody was sent any result of it; ${restart}`, { cause });
  }
}

const AFTER_RESTART: Readonly<Record<FailedCall["kind"], string>> = {
  execute: "start the engine again: it comes up without this request",
  cancelDisconnected: "start the engine again: it comes up with these orders open",
  setConnected: "start the engine again, and report this fault",
  setClock: "start the engine again, and report this fault",
  advance: "a restart meets the same schedule again: report this fault, with the data directory",
};

/** The result of a call can't be sent to the connections. */
export class PublicationFailure extends EngineFailure {
  constructor(cause: unknown) {
    super(`the engine's results can't be published: ${reasonOf(cause)}; start the engine again`, { cause });
  }
}

/** Runs `work`. Drops an EngineFailure: it has been reported, and has ended every connection. */
export function dropReportedFailure(work: () => void): void {
  try {
    work();
  } catch (error) {
    dropIfReported(error);
  }
}

/** Throws an error that is no EngineFailure. */
export function dropIfReported(error: unknown): void {
  if (!(error instanceof EngineFailure)) throw error;
}

/** The error's message on one line of bounded length. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replaceAll(/\s+/g, " ").slice(0, MAX_REASON_CHARACTERS);
}
