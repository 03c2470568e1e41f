// Serves one plain message: a server of its own for each request, with a transport of its own, as the specification asks. All
// that outlives the request is in `shared`, which no request changes.

import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { type RawAnswer, resultJson, type ToolAnswer } from "../../dispatch/result.ts";
import type { PlainCall } from "../../messages/plain-message.ts";
import type { PlainBody, PlainTransport } from "./plain-transport.ts";

interface Shared {
  readonly dispatcher: Dispatcher;
  /** The SDK's response to a call that has run, and whose answer the SDK must check. */
  readonly checked: (answered: RawAnswer) => Promise<PlainBody>;
  /** How every result of protocol 2026-07-28 ends, as JSON text. */
  readonly modernEnd: string;
}

export class PlainServer {
  constructor(private readonly shared: Shared, private readonly transport: PlainTransport) {}

  /** Answers with a result that is always the same. */
  tell(result: string): PlainBody {
    return this.transport.write(result);
  }

  /** Runs the call of an offered tool. Most calls have ended when this returns. */
  call(call: PlainCall): PlainBody | Promise<PlainBody | Response> {
    const answer = this.shared.dispatcher.begin(call.name, call.arguments, this.transport);
    if (!(answer instanceof Promise)) return this.#written(call, answer);
    return this.transport.written(answer.then((answer) => this.#written(call, answer)));
  }

  #written({ era, name }: PlainCall, answer: ToolAnswer | null): PlainBody | Promise<PlainBody> {
    if (answer === null) throw new Error(`${name} is not offered`);
    if (answer.kind === "raw") return this.shared.checked(answer);
    const end = era === "modern" ? this.shared.modernEnd : undefined;
    return this.transport.write(resultJson(answer, end));
  }
}
