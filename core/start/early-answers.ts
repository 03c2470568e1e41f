// Answers the first requests of a client on stdio from the table of the start, as the SDK would.
//
// Invariant: the SDK, given the requests in `replayed` and then every line that was not taken here, is in the same state as
// if it had answered all of them. A request that the SDK would answer otherwise is not answered here: it depends on which
// protocol the first request chose.

import type { Configuration } from "../config/configuration.ts";
import type { LineTaker } from "./early-client.ts";
import type { EarlyOutput } from "./early-output.ts";
import { isPlainInitialized, type PlainMessage, plainMessage } from "../messages/plain-message.ts";
import { offeredToolsJson, type StartTable } from "./start-table.ts";

export class EarlyAnswers implements LineTaker {
  /** Requests that were answered and that change the state of the SDK's server, which must read them, too. */
  readonly replayed: unknown[] = [];
  /** Resolves when tools were listed: calls come next. */
  readonly listed: Promise<void>;
  /** What the first requests have chosen. `probed`: a client of protocol 2026-07-28 has only asked what the server offers. */
  #chosen: "nothing" | "legacy" | "probed" | "modern" = "nothing";
  readonly #tellListed: () => void;

  constructor(
    private readonly table: StartTable,
    private readonly configuration: Configuration,
    private readonly output: Pick<EarlyOutput, "write">,
  ) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.listed = promise;
    this.#tellListed = resolve;
  }

  take(message: unknown): "taken" | "passed" | "waits" {
    // It needs no answer. Before initialize it would choose a protocol.
    if (this.#chosen === "legacy" && isPlainInitialized(message)) return "passed";
    const request = plainMessage(message);
    const before = this.#chosen;
    const result = request === null ? null : this.#resultOf(request);
    if (request === null || result === null || !this.output.write(responseLine(request.id, result))) return "waits";
    if (this.#chosen !== before) this.replayed.push(message);
    if (request.method === "tools/list") this.#tellListed();
    return "taken";
  }

  #resultOf(request: PlainMessage): string | null {
    switch (request.method) {
      case "initialize":
        return this.#chosen === "nothing" ? this.#initialized(request.protocolVersion) : null;
      case "ping":
        return this.#chosen === "legacy" ? "{}" : null;
      case "server/discover":
        if (this.#chosen === "legacy") return null;
        if (this.#chosen === "nothing") this.#chosen = "probed";
        return this.table.discover;
      case "tools/list":
        if ((request.era === "legacy") !== (this.#chosen === "legacy")) return null;
        if (request.era === "modern") this.#chosen = "modern";
        return `{"tools":${offeredToolsJson(this.table, this.configuration)}${this.table.listEnd[request.era]}`;
      case "tools/call":
        return null;
    }
  }

  #initialized(requested: string): string {
    this.#chosen = "legacy";
    const { versions, otherwise, end } = this.table.initialize;
    return `{"protocolVersion":${JSON.stringify(versions.includes(requested) ? requested : otherwise)}${end}`;
  }
}

/** `result` is JSON text. */
function responseLine(id: string | number, result: string): string {
  return `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}\n`;
}
