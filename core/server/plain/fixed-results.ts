// Results that are the same for every request: tools/list and ping, and server/discover of protocol 2026-07-28. The SDK makes
// each of them once, when it is first asked for, so they hold what packs register, too. From then on they are text.

import { CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY } from "@modelcontextprotocol/server";
import { type Era, MODERN_VERSION, type PlainQuestion } from "../../messages/plain-message.ts";

/** Answers one message with a response of the SDK. */
type Ask = (request: Request, body: unknown) => Promise<Response>;

const ENVELOPE = { [PROTOCOL_VERSION_META_KEY]: MODERN_VERSION, [CLIENT_CAPABILITIES_META_KEY]: {} };
/** Only the routing reads it; nothing is sent there. */
const NOWHERE = "http://localhost/mcp";

export class FixedResults {
  readonly #known = new Map<string, Promise<string | null>>();

  constructor(private readonly ask: Ask) {}

  /** The JSON text of the result. Null if the SDK answers with an error, which is not kept. */
  get(era: Era, method: PlainQuestion["method"]): Promise<string | null> {
    const key = `${era} ${method}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = this.#make(era, method);
    this.#known.set(key, made);
    const forget = () => this.#known.delete(key);
    made.then((result) => result === null && forget(), forget);
    return made;
  }

  async #make(era: Era, method: string): Promise<string | null> {
    const headers = new Headers({ "Content-Type": "application/json", Accept: "application/json, text/event-stream" });
    if (era === "modern") {
      headers.set("MCP-Protocol-Version", MODERN_VERSION);
      headers.set("Mcp-Method", method);
    }
    const body = { jsonrpc: "2.0", id: 0, method, ...(era === "modern" && { params: { _meta: ENVELOPE } }) };
    const response = await this.ask(new Request(NOWHERE, { method: "POST", headers }), body);
    const json = (await response.text()).replace(/^event: message\ndata: /, "").trimEnd();
    const result = /^\{"result":(.*),"jsonrpc":"2\.0","id":0\}$/s.exec(json)?.[1];
    return response.ok && result !== undefined ? result : null;
  }
}
