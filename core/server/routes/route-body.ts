// The body of a route's answer. A body that is complete at once is sent whole, with its length. Any other body is a stream.

/** Bytes. A longer body is sent as it comes. */
const MAX_WHOLE_BYTES = 1 << 20;

const encoder = new TextEncoder();

type RouteBody = WholeBody | BodyInParts;

interface WholeBody {
  readonly kind: "whole";
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface BodyInParts {
  readonly kind: "parts";
  /** The next part, which is not empty; null at the end. Throws what the source throws. */
  next(): Promise<Uint8Array | null>;
  /** Ends the source. */
  cancel(): void;
}

/** Waits for the body as long as its parts are there, at most to the end of this turn of the event loop. */
export async function routeBody(response: Response): Promise<RouteBody> {
  if (response.bodyUsed) throw new TypeError("the body of the answer has been read");
  if (response.body === null) return { kind: "whole", bytes: new Uint8Array() };
  const source = new PartReader(response.body);
  const turn = new Promise<"later">((resolve) => setImmediate(() => resolve("later")));
  const parts: Uint8Array[] = [];
  let length = 0;
  while (length <= MAX_WHOLE_BYTES) {
    const next = source.next();
    const part = await Promise.race([next, turn]);
    if (part === "later") return source.beginningWith(parts, next);
    if (part === null) return { kind: "whole", bytes: Buffer.concat(parts) };
    parts.push(part);
    length += part.byteLength;
  }
  return source.beginningWith(parts);
}

class PartReader {
  readonly #reader: ReadableStreamDefaultReader<unknown>;

  constructor(body: ReadableStream<unknown>) {
    this.#reader = body.getReader();
  }

  async next(): Promise<Uint8Array | null> {
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (done) return null;
      const part = bytesOf(value);
      if (part.byteLength > 0) return part;
    }
  }

  /** The body of which these parts were read already, and of which one more may be under way. */
  beginningWith(parts: readonly Uint8Array[], underWay?: Promise<Uint8Array | null>): BodyInParts {
    const first = [...parts.map((part) => Promise.resolve(part)), ...(underWay === undefined ? [] : [underWay])];
    return {
      kind: "parts",
      next: () => first.shift() ?? this.next(),
      // A source that fails while it is ended has no reader any more.
      cancel: () => void this.#reader.cancel().catch(() => {}),
    };
  }
}

function bytesOf(part: unknown): Uint8Array {
  if (part instanceof Uint8Array) return part;
  if (typeof part === "string") return encoder.encode(part);
  throw new TypeError("a part of the answer is neither text nor bytes");
}
