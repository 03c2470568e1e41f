// Runs the calls of an episode one at a time, in the order in which they come, whatever transport brings them. Market time
// passes in calls that wait, and never between two calls, so the same calls give the same answers, byte for byte.

import type { CallScope } from "../../core/dispatch/call-context.ts";
import type { ToolCatalogue } from "../../core/dispatch/catalogue.ts";
import { Dispatcher } from "../../core/dispatch/dispatcher.ts";
import type { ToolAnswer } from "../../core/dispatch/result.ts";
import type { Services } from "../../core/tools/context.ts";
import type { EpisodeTime } from "./episode-time.ts";

export class EpisodeDispatcher extends Dispatcher {
  #last: Promise<unknown> = Promise.resolve();

  constructor(catalogue: ToolCatalogue, services: Services, private readonly time: EpisodeTime) {
    super(catalogue, services, undefined, null, time.timers);
  }

  override begin(name: string, rawArguments: unknown, scope: CallScope): Promise<ToolAnswer> | null {
    if (this.catalogue.get(name) === undefined) return null;
    const answer = this.#last.then(() => this.#run(name, rawArguments, scope));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #run(name: string, rawArguments: unknown, scope: CallScope): Promise<ToolAnswer> {
    let isAnswered = false;
    const answer = Promise.resolve(super.begin(name, rawArguments, scope)).finally(() => isAnswered = true);
    for (;;) {
      await allTasks();
      if (isAnswered || this.time.timers.count === 0) break;
      this.time.passToTimer();
    }
    return (await answer)!;
  }
}

/** Resolves when everything that can go on without time has gone on. */
function allTasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
