// Fail-stop: the engine stops at its first failure and does nothing after it.

import { dropReportedFailure, EngineFailure } from "./engine-failure.ts";

export class FailStop {
  #failure: EngineFailure | null = null;

  /** `onFailure` is called once, with the first failure. */
  constructor(private readonly onFailure: (failure: EngineFailure) => void) {}

  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  /** Throws the failure, if there was one. */
  check(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  /** Runs `work`. If it throws, the engine fails with `failureOf` the error. */
  guard(failureOf: (cause: unknown) => EngineFailure, work: () => void): void {
    try {
      work();
    } catch (error) {
      // `work` has already reported an EngineFailure, for example when it cut off a subscriber.
      if (!(error instanceof EngineFailure)) this.fail(failureOf(error));
      throw this.#failure ?? error;
    }
  }

  /** Reports the failure after `lastWork`, which may itself fail. */
  fail(failure: EngineFailure, lastWork: () => void = () => {}): void {
    if (this.#failure !== null) return;
    this.#failure = failure;
    dropReportedFailure(lastWork);
    this.onFailure(failure);
  }
}
