// Keeps the result of a tool fresh: asks again some time after each answer, but only while somebody can see the view.
//
// Invariants: one call at a time, unless the arguments change meanwhile; an answer to earlier arguments is dropped. After
// `stop` nothing is asked. After an error the old result stays, and each further error doubles the pause.

import { type Signal, signal } from "@preact/signals";
import type { ErrorReport } from "../contract/calls.ts";
import type { ToolAnswer, Values } from "./tool-answer.ts";

export const PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

interface LiveState {
  /** Null: none has come yet. */
  readonly result: Values | null;
  /** Milliseconds of this device's clock; null without a result. */
  readonly receivedAt: number | null;
  /** Of the last call; null if it gave a result. */
  readonly failure: ErrorReport | null;
}

interface Asking {
  /** Never rejects. */
  readonly ask: (values: Values) => Promise<ToolAnswer>;
  readonly now?: () => number;
  /** Calls `then` after the pause; returns what prevents it. */
  readonly after?: (pauseMs: number, then: () => void) => () => void;
}

export class LiveResult {
  readonly state: Signal<LiveState> = signal({ result: null, receivedAt: null, failure: null });
  readonly #asking: Required<Asking>;
  #values: Values = {};
  /** Another one for each change of arguments. */
  #generation = 0;
  #failures = 0;
  #isAsking = false;
  #isRunning = false;
  #isVisible = true;
  #hasStopped = false;
  #cancel: (() => void) | null = null;

  constructor(asking: Asking) {
    this.#asking = { now: Date.now, after: afterPause, ...asking };
  }

  /** Shows an answer that came by itself, to these arguments, and keeps it fresh if `isLive`. */
  show(answer: ToolAnswer, values: Values, isLive: boolean): void {
    this.#change(values);
    this.#take(answer);
    if (!isLive) return;
    this.#isRunning = true;
    this.#schedule();
  }

  /** Asks with these arguments now, and from now on. */
  follow(values: Values): void {
    this.#change(values);
    this.#isRunning = true;
    this.#askNow();
  }

  /** Asks now, although its time has not come. */
  retry(): void {
    if (this.#isRunning) this.#askNow();
  }

  /** While it is not visible nothing is asked. */
  setVisible(isVisible: boolean): void {
    if (isVisible === this.#isVisible) return;
    this.#isVisible = isVisible;
    if (!isVisible) this.#forget();
    else if (this.#isRunning) this.#askNow();
  }

  stop(): void {
    this.#hasStopped = true;
    this.#generation += 1;
    this.#forget();
  }

  #change(values: Values): void {
    this.#values = values;
    this.#generation += 1;
    this.#failures = 0;
    this.#isAsking = false;
    this.#forget();
  }

  #askNow(): void {
    this.#forget();
    if (this.#hasStopped || !this.#isVisible || this.#isAsking) return;
    this.#isAsking = true;
    const generation = this.#generation;
    void this.#asking.ask(this.#values).then((answer) => {
      if (generation !== this.#generation) return;
      this.#isAsking = false;
      this.#take(answer);
      this.#schedule();
    });
  }

  #take(answer: ToolAnswer): void {
    if (answer.kind === "error") {
      this.#failures += 1;
      this.state.value = { ...this.state.value, failure: answer.report };
      return;
    }
    this.#failures = 0;
    this.state.value = { result: answer.result, receivedAt: this.#asking.now(), failure: null };
  }

  #schedule(): void {
    this.#forget();
    if (this.#hasStopped || !this.#isVisible) return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** this.#failures);
    this.#cancel = this.#asking.after(pauseMs, () => this.#askNow());
  }

  #forget(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}

function afterPause(pauseMs: number, then: () => void): () => void {
  const timer = setTimeout(then, pauseMs);
  return () => clearTimeout(timer);
}
