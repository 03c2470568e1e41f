// A minimal HTTP client on one keep-alive connection, so light that a test can run a thousand of them.

import { connect, type Socket } from "node:net";
import { modernCall, modernHeaders } from "./raw-request.ts";

interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** The bytes of a tool call on protocol 2026-07-28. Its response is one JSON text. */
export function toolCall(url: string, name: string, input: Record<string, unknown> = {}): string {
  const body = modernCall(name, input);
  const headers = {
    "Host": new URL(url).host,
    ...modernHeaders("tools/call", name),
    "Content-Length": Buffer.byteLength(body),
  };
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
  return ["POST /mcp HTTP/1.1", ...lines, "", body].join("\r\n");
}

export class KeptConnection {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #settle: ((answer: HttpAnswer | null) => void) | null = null;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.on("data", (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      const answer = this.#whole();
      if (answer !== null) this.#end(answer);
    });
    this.#socket.on("close", () => this.#end(null));
    this.#socket.on("error", () => this.#end(null));
  }

  /** Null if the connection ended first. One request at a time. */
  send(request: string): Promise<HttpAnswer | null> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #whole(): HttpAnswer | null {
    const end = this.#received.indexOf("\r\n\r\n");
    if (end < 0) return null;
    const head = this.#received.subarray(0, end).toString();
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (!Number.isInteger(length)) throw new Error(`an answer without a length: ${head}`);
    if (this.#received.length < end + 4 + length) return null;
    const body = this.#received.subarray(end + 4, end + 4 + length).toString();
    this.#received = this.#received.subarray(end + 4 + length);
    return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), body };
  }

  #end(answer: HttpAnswer | null): void {
    this.#settle?.(answer);
    this.#settle = null;
  }
}
