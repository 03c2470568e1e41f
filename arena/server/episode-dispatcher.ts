// Runs the calls of an episode one at a time, in the order in which they come, whatever transport brings them. Market time
// passes in calls that wait, and never between two calls, so the same calls give the same answers, byte for byte.

import type { CallScope } from "../../core/dispatch/call-context.ts";
import type { ToolCatalogue } from "../../core/dispatch/catalogue.ts";
import { Dispatcher } from "../../core/dispatch/dispatcher.ts";
import { errorAnswer, type ToolAnswer } from "../../core/dispatch/result.ts";
import { ToolError } from "../../core/error.ts";
import type { Services } from "../../core/tools/context.ts";
import { isoTime } from "../../common/iso-time.ts";
import type { CallTime } from "./call-time.ts";
import type { EpisodeTime } from "./episode-time.ts";

/** A call that has been answered. */
export interface AnsweredCall {
  /** ISO market time of the answer. */
  readonly time: string;
  readonly tool: string;
  /** As the agent gave it. */
  readonly input?: unknown;
  /** Real milliseconds for which the agent had thought, if market time has passed meanwhile. */
  readonly thoughtMs?: number | undefined;
  /** The text of the answer. */
  readonly answer: string;
}

/** A call goes on even if its client cancels it: another time it would not be cancelled at the same moment. */
const NOBODY_CANCELS = new AbortController().signal;

const NO_CALLS_LEFT = errorAnswer(
  new ToolError("limit_exceeded", "The episode is over: all its calls are used up.", "You are done."),
);
const STOPPED = errorAnswer(
  new ToolError("shutting_down", "The episode is no longer served; nothing was done.", "You are done."),
);

export class EpisodeDispatcher extends Dispatcher {
  #last: Promise<unknown> = Promise.resolve();
  #isStopped = false;

  constructor(
    catalogue: ToolCatalogue,
    services: Services,
    private readonly time: EpisodeTime,
    private readonly callTime: CallTime,
    private readonly onCall: (call: AnsweredCall) => void,
  ) {
    super(catalogue, services, undefined, null, time.timers);
  }

  override begin(name: string, rawArguments: unknown, scope: CallScope): Promise<ToolAnswer> | null {
    if (this.catalogue.get(name) === undefined) return null;
    const answer = this.#last.then(() => this.#run(name, rawArguments, { ...scope, signal: NOBODY_CANCELS }));
    this.#last = answer.catch(() => {});
    return answer;
  }

  /**
   * From now on no call runs, nor one that waits for its turn: the record of an episode ends with a whole call. Resolves when
   * the one that runs has been answered.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#last;
  }

  async #run(name: string, rawArguments: unknown, scope: CallScope): Promise<ToolAnswer> {
    if (this.#isStopped) return STOPPED;
    if (this.time.callsLeft === 0) return NO_CALLS_LEFT;
    const { costMs, ...thought } = this.callTime.before(name);
    if (costMs > 0) this.time.passTo(this.time.now + costMs, null);
    let isAnswered = false;
    const answer = Promise.resolve(super.begin(name, rawArguments, scope)).finally(() => isAnswered = true);
    for (;;) {
      await allTasks();
      if (isAnswered || this.time.timers.count === 0) break;
      this.time.passToTimer();
    }
    const given = (await answer)!;
    const text = given.kind === "json" ? given.text : JSON.stringify(given.result);
    this.time.countCall();
    this.onCall({ time: isoTime(this.time.now), tool: name, input: rawArguments, ...thought, answer: text });
    return given;
  }
}

/** Resolves when everything that can go on without time has gone on. */
function allTasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
