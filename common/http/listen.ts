// Listens on a port for HTTP. Every HTTP server of mkt (MCP, engine, simulator) starts here.
//
// Invariants: only one server listens on a port, on every address; a second one fails to start. The runtime never shows its
// own error page, which would contain source code.
//
// The reader of a body limits its size (request-bodies.ts). Limit: the runtime itself answers malformed HTTP, such as a header
// without a colon, with a bare 400.

import type { Server, WebSocketHandler } from "bun";
import { errorLine } from "../error-message.ts";
import type { Logger } from "../logger.ts";

/** Above every limit of ours. At its own limit the runtime would answer a bare 413, without calling the handler. */
const RUNTIME_BODY_LIMIT = 2 ** 40;

export interface Address {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

export interface ListenOptions<SocketData> extends Address {
  readonly fetch: (request: Request, server: Server<SocketData>) => Response | Promise<Response>;
  readonly websocket?: WebSocketHandler<SocketData>;
  /** The idle timeout of a connection. The runtime rounds it up to a multiple of 4. */
  readonly idleSeconds?: number;
  readonly log: Logger;
}

export interface Listening<SocketData> {
  readonly server: Server<SocketData>;
  readonly port: number;
  /** Host and port for clients on this machine. */
  readonly address: string;
}

/** The peer's address, without the port. */
export function addressOf<SocketData>(request: Request, server: Server<SocketData>): string {
  return server.requestIP(request)?.address ?? "unknown";
}

/** Another server listens on the port. */
export class PortTaken extends Error {}

/** Throws a one-line Error if it can't listen on the address: PortTaken if that is the reason. */
export function listen<SocketData = undefined>(options: ListenOptions<SocketData>): Listening<SocketData> {
  const { host, port, fetch, websocket, idleSeconds = 10, log } = options;
  const settings = {
    hostname: host.replace(/^\[(.*)\]$/, "$1"),
    port,
    // By default the runtime lets two processes share a port, which then answer in turn.
    reusePort: false,
    // In development mode the runtime's error page shows source code.
    development: false,
    maxRequestBodySize: RUNTIME_BODY_LIMIT,
    idleTimeout: idleSeconds,
    fetch,
    error: (error: Error) => {
      log.error("a request failed: {error}", { error: error.stack ?? error.message });
      return internalError();
    },
  };
  const server = started(
    options,
    () => websocket === undefined ? Bun.serve(settings) : Bun.serve({ ...settings, websocket }),
  );
  const taken = server.port;
  if (taken === undefined) throw new Error("the server has no port");
  return { server, port: taken, address: reachableAddress(host, taken) };
}

function started<Started>({ host, port }: Address, serve: () => Started): Started {
  try {
    return serve();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE") {
      throw new PortTaken(`port ${port} on ${host} is in use: stop the other server, or choose another port`, {
        cause: error,
      });
    }
    throw new Error(`can't listen on ${host}, port ${port}: ${errorLine(error)}`, { cause: error });
  }
}

/** A 500 without internal details. */
export function internalError(): Response {
  const error = { code: "internal", message: "The request failed; the server's log has details." };
  return Response.json({ error }, { status: 500 });
}

/** Host and port by which a client on this machine reaches a server that listens on `host`. */
export function reachableAddress(host: string, port: number): string {
  if (host === "0.0.0.0") return `127.0.0.1:${port}`;
  if (host === "::" || host === "[::]") return `[::1]:${port}`;
  return host.includes(":") && !host.startsWith("[") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whether only this machine can reach a server that listens on `host`. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}
