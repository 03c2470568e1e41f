// The open WebSocket connections of an engine, up to a limit.
//
// At the limit a new connection replaces the oldest one without a hello. Clients send their hello at once, so
// connections without a hello can't keep clients out. A limit for each address would also hit all clients behind one
// proxy.

import type { Connection } from "./connection.ts";

export class OpenConnections {
  /** Each connection with the function that cuts it off, oldest first. */
  readonly #connections = new Map<Connection, () => void>();

  constructor(private readonly limit: number) {}

  get all(): readonly Connection[] {
    return [...this.#connections.keys()];
  }

  get size(): number {
    return this.#connections.size;
  }

  /** Whether one more may be opened. At the limit this cuts off the oldest connection without a hello, if there is one. */
  admitsAnother(): boolean {
    if (this.#connections.size < this.limit) return true;
    for (const [connection, cutOff] of this.#connections) {
      if (connection.isAuthenticated) continue;
      this.#connections.delete(connection);
      cutOff();
      return true;
    }
    return false;
  }

  add(connection: Connection, cutOff: () => void): void {
    this.#connections.set(connection, cutOff);
  }

  delete(connection: Connection): void {
    this.#connections.delete(connection);
  }
}
