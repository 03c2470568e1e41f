// The WebSocket side of an engine's server: makes a Connection of each socket, and passes on what the runtime reports.

import type { ServerWebSocket, WebSocketHandler } from "bun";
import { dropIfReported, dropReportedFailure } from "../host/engine-failure.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { OpenConnections } from "./open-connections.ts";
import { SendQueues } from "./send-queues.ts";

export interface SocketData {
  connection: Connection | null;
}

/** More than a SendQueue puts into a socket's buffer, so that the runtime drops nothing. */
const SOCKET_BUFFER_BYTES = 8 << 20;
/** No close frame came. With a reason, the runtime has ended the connection. */
const CLOSE_ABNORMAL = 1006;
/** A client that answers no ping for this long is gone. */
const IDLE_TIMEOUT_SECONDS = 30;

export class WebSockets {
  readonly handler: WebSocketHandler<SocketData>;
  readonly #options: ConnectionOptions;
  readonly #connections: OpenConnections;
  #isShuttingDown = false;

  constructor(options: Omit<ConnectionOptions, "sendQueues">) {
    const { limits } = options;
    this.#options = { ...options, sendQueues: new SendQueues(limits.totalSendQueueBytes) };
    this.#connections = new OpenConnections(limits.connections);
    this.handler = {
      open: (socket) => this.#open(socket),
      message: ({ data: { connection } }, frame) => receive(connection, frame),
      drain: ({ data }) => dropReportedFailure(() => data.connection?.drained()),
      close: ({ data }, code, reason) =>
        dropReportedFailure(() =>
          data.connection && this.#close(data.connection, code === CLOSE_ABNORMAL ? reason : "")
        ),
      maxPayloadLength: limits.frameBytes,
      backpressureLimit: SOCKET_BUFFER_BYTES,
      idleTimeout: IDLE_TIMEOUT_SECONDS,
    };
  }

  get all(): readonly Connection[] {
    return this.#connections.all;
  }

  /** Open sockets, also those without a hello. */
  get count(): number {
    return this.#connections.size;
  }

  /** Characters in the send queues of all connections. */
  get queuedCharacters(): number {
    return this.#options.sendQueues.total;
  }

  get isShuttingDown(): boolean {
    return this.#isShuttingDown;
  }

  /** Whether one more connection may be opened. */
  admitsAnother(): boolean {
    return this.#connections.admitsAnother();
  }

  /** Ends every connection, also those that are opened later. */
  shutDown(): void {
    this.#isShuttingDown = true;
    for (const connection of this.all) refuseAsShuttingDown(connection);
  }

  #open(socket: ServerWebSocket<SocketData>): void {
    const connection = new Connection(socket, this.#options);
    socket.data.connection = connection;
    this.#connections.add(connection, () => socket.terminate());
    if (this.#isShuttingDown) refuseAsShuttingDown(connection);
  }

  /** `fault`: why the runtime has ended the connection; empty if it has not. */
  #close(connection: Connection, fault: string): void {
    this.#connections.delete(connection);
    if (fault !== "") connection.faulted(fault);
    connection.closed();
  }
}

/** Makes no function for a frame, since a busy engine takes many. */
function receive(connection: Connection | null, frame: string | Uint8Array): void {
  try {
    connection?.receive(frame);
  } catch (error) {
    dropIfReported(error);
  }
}

function refuseAsShuttingDown(connection: Connection): void {
  connection.refuse("shutting_down", "the engine is shutting down");
}
