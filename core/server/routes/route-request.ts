// What the handler of a route gets of its request. Tokens and cookies are left out: no pack needs them, and one might log them.

import { MAX_DEPTH } from "../../../protocol/limits.ts";
import { isDeeperThan, parseJson } from "../../../protocol/json.ts";
import { ToolError } from "../../error.ts";
import { REQUEST_HEADER } from "../sessions/own-page.ts";
import type { RouteRequest } from "../../routes/route.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

export class ReceivedRequest implements RouteRequest {
  readonly url: URL;
  readonly headers: Headers;

  constructor(request: Request, readonly parameters: RouteRequest["parameters"], private readonly body: Uint8Array) {
    this.url = new URL(request.url);
    this.headers = new Headers(request.headers);
    this.headers.delete("Authorization");
    this.headers.delete("Cookie");
    this.headers.delete(REQUEST_HEADER);
  }

  bytes(): Uint8Array {
    return this.body;
  }

  text(): string {
    try {
      return utf8.decode(this.body);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new ToolError("invalid_input", "The request body is not UTF-8.", "Send the text as UTF-8.");
    }
  }

  json(): unknown {
    const value = parseJson(this.text());
    if (value === undefined) {
      throw new ToolError("invalid_input", "The request body is not JSON.", "Send one JSON value as the body.");
    }
    if (!isDeeperThan(MAX_DEPTH, value)) return value;
    throw new ToolError(
      "invalid_input",
      `The JSON of the request body is nested deeper than ${MAX_DEPTH} levels.`,
      "Send a flatter value.",
    );
  }
}
