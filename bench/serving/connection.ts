// One keep-alive connection of the load generator. It writes prepared bytes and reads the answer with the least work, so the
// generator costs little beside the servers. One request at a time.

import type { Socket } from "bun";
import { AnswerReader } from "./answer-reader.ts";

interface Answer {
  readonly status: number;
  readonly bodyBytes: number;
  /** Empty unless the body was kept. */
  readonly body: string;
}

/** Servers end connections that are idle for some seconds, so one that was idle for this long is opened again. */
const MAX_IDLE_MS = 3_000;

type Settle = (answer: AnswerReader) => void;

export class Connection {
  readonly #reader = new AnswerReader();
  #socket: Socket | null = null;
  /** When the last answer came. */
  #usedAt = 0;
  #settle: Settle | null = null;
  #fail: (error: Error) => void = () => {};

  private constructor(private readonly url: string) {}

  static async open(url: string): Promise<Connection> {
    const connection = new Connection(url);
    await connection.reopen();
    return connection;
  }

  /** Opens the connection again if the server has ended it, or might be about to. */
  async reopen(): Promise<void> {
    if (this.#socket !== null && performance.now() - this.#usedAt < MAX_IDLE_MS) return;
    this.#socket?.end();
    const { hostname, port } = new URL(this.url);
    this.#socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        binaryType: "buffer",
        data: (_socket, bytes) => this.#read(bytes),
        close: (socket) => this.#lost(socket),
        error: (socket, error) => this.#lost(socket, error),
        end: (socket) => this.#lost(socket),
      },
    });
    this.#usedAt = performance.now();
  }

  /** Sends a request and calls `settle` with its answer. `settle` may send the next one. `fail` gets a lost connection. */
  send(request: Uint8Array, settle: Settle, fail: (error: Error) => void, keepsBody = false): void {
    this.#reader.begin({ keepsBody });
    this.#settle = settle;
    this.#fail = fail;
    if (this.#socket?.write(request) !== request.length) throw new Error("the request did not fit into the socket");
  }

  /** Sends a request and resolves with the whole answer. Opens the connection again if the server may have ended it. */
  async ask(request: Uint8Array): Promise<Answer> {
    await this.reopen();
    return await new Promise((resolve, reject) => {
      this.send(
        request,
        ({ status, bodyBytes, body }) => resolve({ status, bodyBytes, body }),
        reject,
        true,
      );
    });
  }

  close(): void {
    this.#settle = null;
    this.#socket?.end();
  }

  #read(bytes: Buffer): void {
    const settle = this.#settle;
    if (settle === null || !this.#reader.feed(bytes)) return;
    this.#settle = null;
    this.#usedAt = performance.now();
    settle(this.#reader);
  }

  #lost(socket: Socket, cause?: Error): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    if (this.#settle === null) return;
    this.#settle = null;
    this.#fail(new Error("the server ended a connection", { cause }));
  }
}
