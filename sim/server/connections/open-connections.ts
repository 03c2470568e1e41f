// The WebSocket connections of an engine, and how many there may be.
//
// Whoever has not said hello yet gives way: at the limit, the connection that has waited longest without a hello is cut off
// for a new one. A client says hello at once, so strangers who hold connections open keep nobody out.

/** What the room has to know of a connection. */
export interface LimitedConnection {
  /** Whether it has said hello. */
  readonly isAuthenticated: boolean;
}

export class OpenConnections<Connection extends LimitedConnection> {
  /** With what cuts each of them off, the oldest first. */
  readonly #connections = new Map<Connection, () => void>();

  constructor(private readonly most: number) {}

  get all(): readonly Connection[] {
    return [...this.#connections.keys()];
  }

  /** Whether there is room for one more, if need be in place of one without a hello, which is cut off. */
  admitsAnother(): boolean {
    if (this.#connections.size < this.most) return true;
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
