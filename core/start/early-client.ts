// The client on stdio before the SDK is loaded: reads lines from stdin and answers the plain ones. The first line of any other
// form ends that: it and all later lines are kept, in order, for the SDK.
//
// Invariant: every byte of stdin is either part of a line that was answered here, or handed over. Limit: while MAX_KEPT_BYTES
// wait for the SDK, stdin is not read.

import type { EarlyAnswers } from "./early-answers.ts";
import { isPlainInitialized, plainRequest } from "./plain-request.ts";

/** Receives stdin after the early answers: lines that were not answered, then chunks as they come. */
export interface StdinReader {
  data(chunk: Buffer): void;
  error(error: Error): void;
  end(): void;
}

const MAX_KEPT_BYTES = 1 << 20;
const NEWLINE = 10;

export class EarlyClient {
  /** Messages that were answered and that the SDK must read, too: its answers to them are dropped. */
  readonly replayed: unknown[] = [];
  /** Resolves when the rest of the program is needed: a line must wait for it, tools were listed, or stdin has ended. */
  readonly needsRest: Promise<void>;
  #callForRest: () => void;
  #answering = true;
  /** Whole lines that were not answered, and then the beginning of the next line. */
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #beginning: Buffer | null = null;
  #reader: StdinReader | null = null;
  readonly #handedOver = Promise.withResolvers<void>();
  readonly #ended: Promise<() => void>;

  /** `write` returns false if the SDK must write the answer. */
  constructor(
    private readonly answers: EarlyAnswers,
    stdin: AsyncIterable<Uint8Array>,
    private readonly write: (line: string) => boolean,
  ) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.needsRest = promise;
    this.#callForRest = resolve;
    this.#ended = this.#read(stdin);
  }

  /** From now on `reader` gets everything from stdin. */
  handOver(reader: StdinReader): void {
    this.#answering = false;
    this.#reader = reader;
    for (const line of this.#kept) reader.data(line);
    if (this.#beginning !== null) reader.data(this.#beginning);
    this.#kept = [];
    this.#beginning = null;
    this.#handedOver.resolve();
    // In a later task, so the answers to the last lines are made before the server closes.
    void this.#ended.then((tell) => setImmediate(tell));
  }

  async #read(stdin: AsyncIterable<Uint8Array>): Promise<() => void> {
    try {
      for await (const bytes of stdin) {
        const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        if (this.#reader !== null) this.#reader.data(chunk);
        else this.#take(chunk);
        if (this.#reader === null && this.#keptBytes > MAX_KEPT_BYTES) await this.#handedOver.promise;
      }
      return () => this.#reader?.end();
    } catch (error) {
      return () => {
        this.#reader?.error(error as Error);
        this.#reader?.end();
      };
    } finally {
      this.#callForRest();
    }
  }

  #take(chunk: Buffer): void {
    let bytes = this.#beginning === null ? chunk : Buffer.concat([this.#beginning, chunk]);
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE)) {
      this.#takeLine(bytes.subarray(0, end + 1));
      bytes = bytes.subarray(end + 1);
    }
    this.#beginning = bytes.length === 0 ? null : bytes;
    this.#keptBytes = this.#kept.reduce((sum, line) => sum + line.length, bytes.length);
  }

  #takeLine(line: Buffer): void {
    if (this.#answering && this.#answered(line)) return;
    this.#kept.push(line);
  }

  /** Whether the line was answered. If it must wait for the SDK, so must all later lines. */
  #answered(line: Buffer): boolean {
    const message = parsed(line);
    // It needs no answer. Before initialize it would choose a protocol.
    if (this.answers.isInitialized && isPlainInitialized(message)) return false;
    const request = plainRequest(message);
    const answer = request === null ? null : this.answers.answer(request);
    if (request === null || answer === null || !this.write(answer.response)) {
      this.#answering = false;
      this.#callForRest();
      return false;
    }
    if (answer.isReplayed) this.replayed.push(message);
    if (request.method === "tools/list") this.#callForRest();
    return true;
  }
}

/** Undefined if the line is not JSON. */
function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
