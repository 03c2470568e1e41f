// Answers the first requests of a client on stdio from the table of the start, as the SDK would.
//
// Invariant: the SDK, given the requests in `replayed` and then every line that was not answered here, is in the same state
// as if it had answered all of them. A request that the SDK would answer otherwise is not answered here: it depends on which
// protocol the first request chose.

import type { Configuration } from "../config/configuration.ts";
import type { PlainRequest } from "./plain-request.ts";
import { offeredToolsJson, type StartTable } from "./start-table.ts";

export class EarlyAnswers {
  /** What the first requests have chosen. `probed`: a client of protocol 2026-07-28 has only asked what the server offers. */
  #chosen: "nothing" | "legacy" | "probed" | "modern" = "nothing";

  constructor(private readonly table: StartTable, private readonly configuration: Configuration) {}

  /** Whether a client of a protocol before 2026-07-28 was answered. */
  get isInitialized(): boolean {
    return this.#chosen === "legacy";
  }

  /**
   * The response as one line of JSON text, and whether the request changes the state of the SDK's server, so the SDK must
   * read it, too. Null if the SDK must answer.
   */
  answer(request: PlainRequest): { readonly response: string; readonly isReplayed: boolean } | null {
    const before = this.#chosen;
    const result = this.#resultOf(request);
    if (result === null) return null;
    return {
      response: `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(request.id)}}\n`,
      isReplayed: this.#chosen !== before,
    };
  }

  #resultOf(request: PlainRequest): string | null {
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
    }
  }

  #initialized(requested: string): string {
    this.#chosen = "legacy";
    const { versions, otherwise, end } = this.table.initialize;
    return `{"protocolVersion":${JSON.stringify(versions.includes(requested) ? requested : otherwise)}${end}`;
  }
}
