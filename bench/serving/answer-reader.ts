// Reads HTTP answers from the bytes of one connection, at the least cost: it counts the bytes of a body and keeps them only
// if asked. It knows Content-Length and chunked bodies, and no trailers.
//
// Invariant: bytes may be cut into pieces anywhere. One request is in flight, so nothing follows the end of an answer.

const HEAD_END = "\r\n\r\n";
const LINE_FEED = 10;

type State = "head" | "body" | "chunk-size" | "chunk" | "chunk-end";

export class AnswerReader {
  status = 0;
  bodyBytes = 0;
  #state: State = "head";
  /** Bytes of the body, or of the chunk and the line break after it, that are still to come. */
  #missing = 0;
  #isLastChunk = false;
  /** A head or a chunk's size that is not complete. */
  #pending = "";
  #kept: Uint8Array[] | null = null;

  /** Begins the next answer. */
  begin({ keepsBody }: { readonly keepsBody: boolean }): void {
    this.status = 0;
    this.bodyBytes = 0;
    this.#state = "head";
    this.#pending = "";
    this.#isLastChunk = false;
    this.#kept = keepsBody ? [] : null;
  }

  get body(): string {
    return Buffer.concat(this.#kept ?? []).toString();
  }

  /** True once the answer is complete. */
  feed(bytes: Buffer): boolean {
    let at = 0;
    while (at < bytes.length) {
      at = this.#step(bytes, at);
      if (this.#isComplete) return true;
    }
    return this.#isComplete;
  }

  get #isComplete(): boolean {
    if (this.#missing > 0) return false;
    return this.#state === "body" || (this.#state === "chunk-end" && this.#isLastChunk);
  }

  /** Reads on from `at`, and returns where the next step begins. */
  #step(bytes: Buffer, at: number): number {
    if (this.#state === "head") return this.#readHead(bytes, at);
    if (this.#state === "chunk-size") return this.#readChunkSize(bytes, at);
    const end = Math.min(bytes.length, at + this.#missing);
    this.#missing -= end - at;
    if (this.#state !== "chunk-end") {
      this.bodyBytes += end - at;
      this.#kept?.push(bytes.slice(at, end));
    }
    if (this.#missing === 0 && this.#state === "chunk") this.#expect("chunk-end", 2);
    else if (this.#missing === 0 && this.#state === "chunk-end" && !this.#isLastChunk) this.#expect("chunk-size", 0);
    return end;
  }

  #expect(state: State, bytes: number): void {
    this.#state = state;
    this.#missing = bytes;
  }

  #readHead(bytes: Buffer, at: number): number {
    const before = this.#pending.length;
    const text = this.#pending + bytes.toString("latin1", at);
    const end = text.indexOf(HEAD_END);
    if (end < 0) {
      this.#pending = text;
      return bytes.length;
    }
    const head = text.slice(0, end);
    this.#pending = "";
    this.status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length !== undefined) this.#expect("body", Number(length));
    else if (/\r\ntransfer-encoding: *chunked/i.test(head)) this.#expect("chunk-size", 0);
    else throw new Error(`an answer without a length:\n${head}`);
    return at + end + HEAD_END.length - before;
  }

  #readChunkSize(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LINE_FEED, at);
    if (end < 0) {
      this.#pending += bytes.toString("latin1", at);
      return bytes.length;
    }
    const size = parseInt(this.#pending + bytes.toString("latin1", at, end), 16);
    if (Number.isNaN(size)) throw new Error("a chunk without a size");
    this.#pending = "";
    this.#isLastChunk = size === 0;
    if (size === 0) this.#expect("chunk-end", 2);
    else this.#expect("chunk", size);
    return end + 1;
  }
}
