// Where a baseline sits: it calls the same tools as any agent, and sees nothing else.

import type { Dispatcher } from "../../core/dispatch/dispatcher.ts";

export type Value = Readonly<Record<string, unknown>>;

export interface Baseline {
  readonly name: string;
  /** Plays an episode to its end, or as far as it likes. */
  readonly play: (seat: Seat) => Promise<void>;
}

const NOBODY_CANCELS = new AbortController().signal;

export class Seat {
  /** `seed`: of what a baseline draws. */
  constructor(private readonly dispatcher: Pick<Dispatcher, "call">, readonly seed: number) {}

  /** The value of the answer. Throws an Error with its text if the call failed. */
  async call(tool: string, input: Value = {}): Promise<Value> {
    const { isError, text, value } = await this.#answer(tool, input);
    if (isError) throw new Error(`${tool}: ${text}`);
    return value as Value;
  }

  /** The same, also if the call failed. */
  async attempt(tool: string, input: Value): Promise<Value> {
    return (await this.#answer(tool, input)).value as Value;
  }

  async #answer(tool: string, input: Value) {
    const answer = await this.dispatcher.call(tool, input, { signal: NOBODY_CANCELS, caller: null });
    if (answer?.kind !== "json") throw new Error(`${tool} gave no value`);
    return answer;
  }
}
