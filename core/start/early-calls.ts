// The second stage of a client on stdio: runs plain tool calls with the dispatcher, before the SDK is loaded, and answers them
// as the SDK would. What the first stage answers, it still answers.
//
// Calls may go on after the SDK has taken over. Cancelling them, and the end of stdin, then still reach them here.

import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { resultJson } from "../dispatch/result.ts";
import { mayAsk } from "../guardrails/confirmation.ts";
import { type EarlyAnswers, responseLine } from "./early-answers.ts";
import type { Stage } from "./early-client.ts";
import type { EarlyOutput } from "./early-output.ts";
import { cancelledRequest, type PlainCall, plainCall } from "./plain-request.ts";

interface EarlyCallsOptions {
  readonly dispatcher: Dispatcher;
  readonly answers: EarlyAnswers;
  readonly output: Pick<EarlyOutput, "write">;
  /** The JSON text after the members of a call's result, in protocol 2026-07-28. */
  readonly modernEnd: string;
}

export class EarlyCalls implements Stage {
  readonly #running = new Map<string | number, AbortController>();

  constructor(private readonly options: EarlyCallsOptions) {}

  take(message: unknown): "taken" | "passed" | "waits" {
    if (this.takeCancellation(message)) return "taken";
    const call = plainCall(message);
    if (call === null) return this.options.answers.take(message);
    if (!this.#isPlain(call)) return "waits";
    void this.#run(call);
    return "taken";
  }

  /** Whether the message cancels a call that runs here. */
  takeCancellation(message: unknown): boolean {
    if (this.#running.size === 0) return false;
    const id = cancelledRequest(message);
    const running = id === null ? undefined : this.#running.get(id);
    running?.abort();
    return running !== undefined;
  }

  /** Ends all calls without an answer: nobody reads it. */
  close(): void {
    for (const running of this.#running.values()) running.abort();
  }

  /** False if the tool is not offered, if a person is asked before it runs, or if another call with this id runs. */
  #isPlain({ name, era, id }: PlainCall): boolean {
    const { catalogue, services } = this.options.dispatcher;
    const tool = catalogue.get(name);
    return era === this.options.answers.era && tool !== undefined && !this.#running.has(id) &&
      !mayAsk(tool, services.configuration);
  }

  async #run({ id, name, era, arguments: given }: PlainCall): Promise<void> {
    const { dispatcher, modernEnd, output } = this.options;
    const running = new AbortController();
    this.#running.set(id, running);
    const { signal } = running;
    const answer = await dispatcher.call(name, given, { signal, caller: "stdio" });
    this.#running.delete(id);
    if (signal.aborted) return;
    // Only external packs give other answers, and with them there are no early calls.
    if (answer?.kind !== "json") throw new Error(`the early call of ${name} has no JSON answer`);
    output.write(responseLine(id, era === "legacy" ? resultJson(answer) : resultJson(answer, modernEnd)));
  }
}
