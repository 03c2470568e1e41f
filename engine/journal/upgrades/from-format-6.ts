// Format 7: the operations of a checkpoint are pages of bytes, and the fingerprint of a request's content is another hash.
// Before they were JSON, the older ones compressed.
//
// A new fingerprint can't be computed from an old one: the content is not kept. So the operations of the checkpoint, and
// rejected requests, get the fingerprint that fits any content. A repeat gets the first answer, as it should. A request
// that reuses such an operationId with other content within 24 hours gets it too, instead of `operation_conflict`.

import { zstdDecompressSync } from "node:zlib";
import type { JsonObject, UpgradeStep } from "./journal-content.ts";

interface Operation {
  readonly answer: { readonly operationId: string } & JsonObject;
  /** When it was answered, in milliseconds since the epoch. */
  readonly time: number;
}

type Entry = readonly [operationId: string, operation: Operation];

const ANY_CONTENT = "0000000000000000";
/** Operations in a page at most. */
const PAGE_SIZE = 1024;
/** A page with more bytes takes no further operation. */
const MAX_PAGE_BYTES = 2 ** 18;

export const FROM_FORMAT_6: UpgradeStep = {
  *parts(parts) {
    for (const part of parts) {
      const { kind, userId } = part;
      if (kind === "state" || kind === "host") yield part;
      else yield { kind: "operations", names: null, pages: pagesOf(userId as string, kind, entriesOf(part)) };
    }
  },
  record: (record) => record["kind"] === "rejected" ? { ...record, fingerprint: ANY_CONTENT } : record,
};

function entriesOf({ kind, operations, packed }: JsonObject): readonly Entry[] {
  if (kind !== "packedOperations") return operations as readonly Entry[];
  return JSON.parse(zstdDecompressSync(Buffer.from(packed as string, "base64")).toString());
}

function pagesOf(userId: string, kind: unknown, entries: readonly Entry[]): JsonObject[] {
  const isRejected = kind === "rejectedOperations";
  const pages: JsonObject[] = [];
  for (let from = 0; from < entries.length;) {
    const page = new Page(entries[from]?.[1].time ?? 0);
    while (from < entries.length && !page.isFull) page.add(entries[from++] as Entry);
    pages.push({ userId, isRejected, ...page.saved() });
  }
  return pages;
}

/** Operations with their answers as JSON text: the form that format 7 has for answers that confirm no order. */
class Page {
  readonly #columns: number[] = [];
  readonly #bytes: number[] = [];

  constructor(readonly firstTime: number) {}

  get isFull(): boolean {
    return this.#columns.length >= 4 * PAGE_SIZE || this.#bytes.length >= MAX_PAGE_BYTES;
  }

  add([operationId, { answer, time }]: Entry): void {
    const { operationId: _, ...rest } = answer;
    // Both words of the fingerprint, the time, and where the bytes begin.
    this.#columns.push(0, 0, Math.max(0, time - this.firstTime), this.#bytes.length);
    this.#text(operationId);
    this.#bytes.push(0);
    this.#text(JSON.stringify(rest));
  }

  saved() {
    const columns = new Uint8Array(new Uint32Array(this.#columns).buffer).toBase64();
    return { firstTime: this.firstTime, columns, bytes: new Uint8Array(this.#bytes).toBase64() };
  }

  /** Its length and width, then one byte or two for each character. */
  #text(text: string): void {
    let isWide = false;
    for (let at = 0; at < text.length && !isWide; at++) isWide = text.charCodeAt(at) > 0xff;
    this.#integer(2 * text.length + (isWide ? 1 : 0));
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      this.#bytes.push(code & 0xff);
      if (isWide) this.#bytes.push(code >>> 8);
    }
  }

  /** 7 bits a byte, the lowest first. */
  #integer(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#bytes.push(rest % 0x80 + 0x80);
    this.#bytes.push(rest);
  }
}
