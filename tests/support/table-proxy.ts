// A proxy in front of a table service: records requests, and fails them as the network and the service do.

import type { Server } from "bun";
import { atEnd } from "./at-end.ts";

/** A fault of a request. With `applied` the service still executes the request. */
type TableFault =
  | { readonly kind: "status"; readonly status: number; readonly applied?: boolean }
  | { readonly kind: "silence" };

interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  /** Filter of a query; null for other requests. */
  readonly filter: string | null;
  /** Number of rows in the answer to a query. */
  readonly rows: number;
}

export class TableProxy {
  readonly requests: ProxiedRequest[] = [];
  /** The fault of every request while it is set. */
  fault: TableFault | null = null;
  #server: Server<undefined> | null = null;
  #port = 0;

  constructor(readonly targetPort: number) {
    this.connect();
    atEnd(() => this.disconnect());
  }

  get port(): number {
    return this.#port;
  }

  /** Listens, on the previous port if there was one. */
  connect(): void {
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: this.#port,
      idleTimeout: 0,
      fetch: (request) => this.#answer(request),
    });
    this.#port = this.#server.port ?? 0;
  }

  /** Stops listening and ends pending requests. */
  async disconnect(): Promise<void> {
    await this.#server?.stop(true);
    this.#server = null;
  }

  async #answer(request: Request): Promise<Response> {
    const { fault } = this;
    const { pathname, search, searchParams } = new URL(request.url);
    if (fault?.kind === "silence") return await new Promise<Response>(() => {});
    if (fault?.kind === "status" && !fault.applied) {
      return this.#note(request.method, pathname, null, refused(fault.status));
    }
    const answer = await fetch(`http://127.0.0.1:${this.targetPort}${pathname}${search}`, {
      method: request.method,
      headers: request.headers,
      body: request.method === "GET" ? undefined : await request.arrayBuffer(),
      // The service closes idle connections, and a request sent at that moment would be lost.
      keepalive: false,
    });
    const body = await answer.arrayBuffer();
    const filter = searchParams.get("$filter");
    const rows = filter === null || !answer.ok ? 0 : JSON.parse(new TextDecoder().decode(body)).value.length;
    if (fault !== null) return this.#note(request.method, pathname, filter, refused(fault.status));
    const headers = new Headers(answer.headers);
    headers.delete("content-encoding");
    headers.delete("content-length");
    return this.#note(request.method, pathname, filter, new Response(body, { status: answer.status, headers }), rows);
  }

  #note(method: string, path: string, filter: string | null, response: Response, rows = 0): Response {
    this.requests.push({ method, path, filter, rows });
    return response;
  }
}

/** An error response as the service sends it. */
function refused(status: number): Response {
  const code = status === 503 ? "ServerBusy" : status === 429 ? "TooManyRequests" : "OperationTimedOut";
  const body = { "odata.error": { code, message: { lang: "en-US", value: "Ingress is over the account limit." } } };
  return Response.json(body, { status });
}
