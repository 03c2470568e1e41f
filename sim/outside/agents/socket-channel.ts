// A socket as the connection to an agent: JSON, one message a line. A line has at most MAX_LINE_LENGTH characters, and a
// socket with many lines that nobody has read yet is not read further.

import type { Socket } from "node:net";
import { oneLine } from "../../../common/command-line.ts";
import { SYSTEM_TIMERS } from "../../../common/timers.ts";
import { AgentFailure, type ErrorMessage, MAX_LINE_LENGTH, type MktMessage } from "./agent-messages.ts";
import type { AgentChannel } from "./agent-session.ts";

/** Lines that may wait to be read. */
const MAX_WAITING = 1_000;
/** Bytes that may wait for an agent to read them. */
const MAX_UNREAD = 16 * 1_048_576;
/** How long an agent may take to read what it was sent last. */
const CLOSE_PATIENCE_MS = 5_000;

export class SocketChannel implements AgentChannel {
  readonly #lines: string[] = [];
  #partial = "";
  /** Why no more lines come; null while the connection is up. */
  #end: string | null = null;
  #wake: () => void = () => {};

  /** `timeoutMs`: how long to wait for a message. `onEnd`: the connection has ended, however it did. */
  constructor(private readonly socket: Socket, private readonly timeoutMs: number, onEnd: () => void) {
    socket.setEncoding("utf8");
    socket.setNoDelay(true);
    socket.on("data", (text) => this.#read(String(text)));
    socket.on("error", ({ message }) => this.#ended(`its connection failed: ${message}`));
    socket.on("close", () => {
      this.#ended("it closed its connection");
      onEnd();
    });
  }

  get isOpen(): boolean {
    return this.#end === null;
  }

  send(message: MktMessage): void {
    if (!this.socket.destroyed) this.socket.write(`${JSON.stringify(message)}\n`);
  }

  /** The next message, as parsed from JSON. Throws AgentFailure if there is none. */
  async receive(): Promise<unknown> {
    if (this.socket.writableLength > MAX_UNREAD) throw new AgentFailure("it does not read what it is sent");
    if (this.#lines.length === 0 && this.#end === null) await this.#untilLine();
    const line = this.#lines.shift();
    if (line === undefined) throw new AgentFailure(this.#end ?? `it sent nothing for ${this.timeoutMs / 1000} s`);
    if (this.#lines.length < MAX_WAITING && this.socket.isPaused()) this.socket.resume();
    try {
      return JSON.parse(line);
    } catch {
      throw new AgentFailure(`it sent a line that is not JSON: ${oneLine(line.slice(0, 100))}`);
    }
  }

  /** Sends what is left, then ends the connection. */
  close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.socket.writableLength > MAX_UNREAD) this.socket.destroy();
    if (this.socket.destroyed) return Promise.resolve();
    const endWait = SYSTEM_TIMERS.after(CLOSE_PATIENCE_MS, () => this.socket.destroy());
    this.socket.once("close", () => {
      endWait();
      resolve();
    });
    this.socket.resume();
    this.socket.end();
    return promise;
  }

  /** Sends an error, and ends the connection. */
  refuse(error: ErrorMessage): void {
    this.send(error);
    void this.close();
  }

  #read(text: string): void {
    if (this.#end !== null) return;
    const lines = (this.#partial + text).split("\n");
    this.#partial = lines.pop() ?? "";
    this.#lines.push(...lines);
    if ([this.#partial, ...lines].some(({ length }) => length > MAX_LINE_LENGTH)) {
      this.#lines.length = 0;
      this.#ended(`it sent a line of more than ${MAX_LINE_LENGTH} characters`);
      this.socket.destroy();
      return;
    }
    if (this.#lines.length >= MAX_WAITING) this.socket.pause();
    if (lines.length > 0) this.#wake();
  }

  #ended(reason: string): void {
    this.#end ??= reason;
    this.#wake();
  }

  /** Resolves when a line has come, the connection has ended, or the time is over. */
  async #untilLine(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const endWait = SYSTEM_TIMERS.after(this.timeoutMs, resolve);
    await promise;
    endWait();
    this.#wake = () => {};
  }
}
