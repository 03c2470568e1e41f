// The client on stdio before the SDK is loaded: reads lines from stdin and offers each to early-answers.ts, which answers those
// that it can. The first line that must wait, and all later ones, are kept in order for the SDK.
//
// Invariant: every byte of stdin is either part of a line that was taken, or handed over. Limit: while MAX_KEPT_BYTES wait,
// stdin is not read.

export interface LineTaker {
  /**
   * `taken`: the SDK may not see the message. `passed`: it needs no answer now, but the SDK must read it. `waits`: the SDK
   * must answer it, and all later lines. `message` is parsed JSON; undefined if the line is no JSON.
   */
  take(message: unknown): "taken" | "passed" | "waits";
}

/** Receives stdin at last: the lines that were not taken, then chunks as they come. */
export interface StdinReader {
  data(chunk: Buffer): void;
  error(error: Error): void;
  end(): void;
}

const MAX_KEPT_BYTES = 1 << 20;
const NEWLINE = 10;

export class EarlyClient {
  #isWaiting = false;
  readonly #wait = Promise.withResolvers<void>();
  /** Whole lines that were not taken. */
  #kept: Buffer[] = [];
  #keptBytes = 0;
  /** Of the next line. */
  #beginning: Buffer | null = null;
  #reader: StdinReader | null = null;
  readonly #handedOver = Promise.withResolvers<void>();
  /** Resolves at the end of stdin, with how to tell the reader. */
  readonly #ended: Promise<(reader: StdinReader) => void>;

  constructor(private readonly taker: LineTaker, stdin: AsyncIterable<Uint8Array>) {
    this.#ended = this.#read(stdin);
  }

  /** Resolves when a line waits, or stdin has ended. */
  get waits(): Promise<void> {
    return this.#wait.promise;
  }

  /** From now on `reader` gets everything from stdin. */
  handOver(reader: StdinReader): void {
    this.#reader = reader;
    for (const line of this.#kept) reader.data(line);
    if (this.#beginning !== null) reader.data(this.#beginning);
    this.#kept = [];
    this.#beginning = null;
    this.#handedOver.resolve();
    // In a later task, so the answers to the last lines are made before the server closes.
    void this.#ended.then((tell) => setImmediate(() => tell(reader)));
  }

  async #read(stdin: AsyncIterable<Uint8Array>): Promise<(reader: StdinReader) => void> {
    try {
      for await (const bytes of stdin) {
        const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        if (this.#reader === null) this.#take(chunk);
        else this.#reader.data(chunk);
        if (this.#reader === null && this.#isFull()) await this.#handedOver.promise;
      }
      return (reader) => reader.end();
    } catch (error) {
      return (reader) => {
        reader.error(error as Error);
        reader.end();
      };
    } finally {
      this.#wait.resolve();
    }
  }

  #take(chunk: Buffer): void {
    let bytes = this.#beginning === null ? chunk : Buffer.concat([this.#beginning, chunk]);
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE)) {
      this.#takeLine(bytes.subarray(0, end + 1));
      bytes = bytes.subarray(end + 1);
    }
    this.#beginning = bytes.length === 0 ? null : bytes;
    if (this.#isFull()) this.#waitFromNow();
  }

  #isFull(): boolean {
    return this.#keptBytes + (this.#beginning?.length ?? 0) > MAX_KEPT_BYTES;
  }

  #takeLine(line: Buffer): void {
    const verdict = this.#isWaiting ? "waits" : this.taker.take(parsed(line));
    if (verdict === "taken") return;
    this.#kept.push(line);
    this.#keptBytes += line.length;
    if (verdict === "waits") this.#waitFromNow();
  }

  #waitFromNow(): void {
    this.#isWaiting = true;
    this.#wait.resolve();
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
