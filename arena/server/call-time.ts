// The market time that passes before a call: none, some seconds by its tool, or as long as the agent has thought.

import type { TimeMode } from "../scenario/time-mode.ts";

/** For how long the agent has thought, in real milliseconds; of a record: what it says. */
export type Thought = () => number;

const SECOND_MS = 1_000;

export class CallTime {
  constructor(private readonly mode: TimeMode, private readonly thought: Thought) {}

  /** `costMs`: market time. `thoughtMs`: what a record must keep, if market time depends on it. */
  before(tool: string): { readonly costMs: number; readonly thoughtMs?: number } {
    const { mode } = this;
    if (mode.mode === "turns") return { costMs: 0 };
    if (mode.mode === "calls") return { costMs: (mode.byTool[tool] ?? mode.seconds) * SECOND_MS };
    const thoughtMs = this.thought();
    return { costMs: Math.round(thoughtMs * mode.factor), thoughtMs };
  }
}

/** Measures from now on: each answer begins another thought. `now`: real time that never goes back, milliseconds. */
export class Stopwatch {
  #since: number;

  constructor(private readonly now: () => number) {
    this.#since = now();
  }

  /** Since the last answer, or since the beginning. */
  readonly thought: Thought = () => Math.max(0, Math.round(this.now() - this.#since));

  answered(): void {
    this.#since = this.now();
  }
}
