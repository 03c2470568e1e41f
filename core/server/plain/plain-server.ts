// Serves one plain message: a server of its own for each request, with a transport of its own, as the specification asks. All
// that outlives the request is in `shared`, which no request changes.

import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { type JsonAnswer, type RawAnswer, resultJson } from "../../dispatch/result.ts";
import type { Era } from "../../messages/plain-forms.ts";
import type { PlainCall } from "./plain-message.ts";
import type { PlainBody, PlainTransport } from "./plain-transport.ts";

export interface Shared {
  readonly dispatcher: Dispatcher;
  /** The SDK's response to a call that has run, and whose answer the SDK must check. */
  readonly checked: (answered: RawAnswer) => Promise<PlainBody>;
  /** The last members of every result of protocol 2026-07-28, as JSON text. */
  readonly modernEnd: string;
}

const NO_PROGRESS = (): Promise<void> => Promise.resolve();

export class PlainServer {
  constructor(private readonly shared: Shared, private readonly transport: PlainTransport) {}

  /** Answers with a result that is always the same. */
  tell(result: string): PlainBody {
    return this.transport.write(result);
  }

  /** Runs the call of an offered tool. */
  async call({ era, name, arguments: given }: PlainCall): Promise<PlainBody> {
    const { signal, exchange: { caller, freeSlot } } = this.transport;
    const scope = { signal, caller, freeSlot, progress: NO_PROGRESS };
    const answer = await this.shared.dispatcher.call(name, given, scope);
    if (answer === null) throw new Error(`${name} is not offered`);
    if (answer.kind === "raw") return await this.shared.checked(answer);
    return this.transport.write(this.#resultOf(answer, era));
  }

  #resultOf(answer: JsonAnswer, era: Era): string {
    const result = resultJson(answer);
    return era === "legacy" ? result : `${result.slice(0, -1)}${this.shared.modernEnd}`;
  }
}
