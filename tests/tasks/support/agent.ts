// An agent at work: an official client with an mkt of its own. It counts what a model would pay for, calls and bytes: the
// arguments that the model writes and the text that it reads, both as JSON.

import type { TestClient, ToolAnswer } from "../../support/clients.ts";

/** Reads the answer to a call as its caller expects it. */
// deno-lint-ignore no-explicit-any
export type Answer = Record<string, any>;

export class Agent {
  calls = 0;
  bytes = 0;

  constructor(readonly client: TestClient) {}

  /** The value of a call that must succeed. */
  async ask(tool: string, input: Answer = {}): Promise<Answer> {
    const { isError, value, text } = await this.try(tool, input);
    if (isError) throw new Error(`${tool} failed: ${text}`);
    return value;
  }

  /** The answer to a call that may fail. */
  async try(tool: string, input: Answer = {}): Promise<ToolAnswer> {
    const answer = await this.client.call(tool, input);
    this.calls += 1;
    this.bytes += Buffer.byteLength(JSON.stringify(input)) + Buffer.byteLength(answer.text);
    return answer;
  }
}
