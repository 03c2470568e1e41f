// Listening on an address, with errors of one line, and how to reach what listens.

/** The longest frame or body that a client may send. */
export const LONGEST_MESSAGE_BYTES = 1 << 20;

export interface Address {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

/** What `serve` gives. Throws an Error of one line where the address can't be listened on. */
export function listen<Served>({ host, port }: Address, serve: () => Served): Served {
  try {
    return serve();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE") throw new Error(`port ${port} on ${host} is taken`, { cause: error });
    const reason = error instanceof Error ? error.message.replaceAll(/\s+/g, " ") : String(error);
    throw new Error(`can't listen on ${host}, port ${port}: ${reason}`, { cause: error });
  }
}

/** Host and port by which a client on this machine reaches a server that listens on `host`. */
export function reachable(host: string, port: number): string {
  if (host === "0.0.0.0") return `127.0.0.1:${port}`;
  if (host === "::") return `[::1]:${port}`;
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
