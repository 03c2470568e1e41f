// Reads the bodies of requests, for every HTTP server. There are limits for one body, for the time that it takes, and, if the
// server has a capacity, for the bodies of one client and for all together. A body that is too large is refused by its
// Content-Length or while reading, and never buffered beyond the limit.
//
// A short body of known length, as nearly every request has, is read at once, which takes a third less time than a stream.
// Its capacity is reserved before it arrives.

import type { Deadlines } from "../deadlines.ts";
import type { HttpRefusal } from "./refusal.ts";

/** Bytes. A client that announces a body and sends nothing reserves no more than this. */
const SHORT_BYTES = 65_536;

interface RequestBodiesOptions {
  /** For one body. */
  readonly maxBytes: number;
  /** The setting behind `maxBytes`, for the refusal. */
  readonly setting: string;
  /** For reading the whole body. */
  readonly deadlines: Deadlines;
  /** Bytes of all bodies that are being read or processed, by client; absent: no limit. */
  readonly capacity?: {
    take(client: string, bytes: number): "taken" | "full" | "share_used";
    release(client: string, bytes: number): void;
  };
}

type BodyFault = "too_large" | "too_slow" | "too_many" | "broken_off" | "not_text";

interface Failed {
  readonly kind: BodyFault;
}

/** A body as it came. */
type RawBody = { readonly kind: "whole"; readonly bytes: Uint8Array } | Failed;

interface HeldBody {
  readonly body: Promise<RawBody>;
  /** Gives back the capacity. */
  readonly release: () => void;
}

interface BodyRefusal extends HttpRefusal {
  readonly status: 400 | 408 | 413 | 503;
}

/** Reserves capacity. False if there is none. */
type Hold = (bytes: number) => boolean;

export class RequestBodies {
  constructor(private readonly options: RequestBodiesOptions) {}

  /** Begins to read a body. What is read counts until `release`. */
  read(request: Request, client = ""): HeldBody {
    const { capacity } = this.options;
    let held = 0;
    const hold = (bytes: number) => {
      if (capacity === undefined) return true;
      if (capacity.take(client, bytes) !== "taken") return false;
      held += bytes;
      return true;
    };
    return { body: this.#read(request, hold), release: () => capacity?.release(client, held) };
  }

  /** The refusal of a body above a limit. Its connection is closed, since the rest of the body is not read. */
  refusal(fault: BodyFault): BodyRefusal {
    const [status, code, message] = this.#refusalOf(fault);
    return { status, code, message, headers: { Connection: "close", ...(status === 503 && { "Retry-After": "1" }) } };
  }

  #read(request: Request, hold: Hold): Promise<RawBody> {
    const declared = Number(request.headers.get("Content-Length"));
    if (declared > this.options.maxBytes) return Promise.resolve({ kind: "too_large" });
    if (declared > 0 && declared <= SHORT_BYTES) {
      return hold(declared) ? this.#readAtOnce(request) : Promise.resolve({ kind: "too_many" });
    }
    if (request.body === null) return Promise.resolve({ kind: "whole", bytes: new Uint8Array() });
    return this.#readStream(request.body, hold);
  }

  #readAtOnce(request: Request): Promise<RawBody> {
    const { maxBytes, deadlines } = this.options;
    return new Promise((resolve) => {
      const wait = deadlines.begin(() => resolve({ kind: "too_slow" }));
      const end = (body: RawBody) => {
        deadlines.end(wait);
        resolve(body);
      };
      // Reading only fails if the client disconnects in the middle of the body.
      request.bytes().then(
        (bytes) => end(bytes.byteLength > maxBytes ? { kind: "too_large" } : { kind: "whole", bytes }),
        () => end({ kind: "broken_off" }),
      );
    });
  }

  async #readStream(body: ReadableStream<Uint8Array>, hold: Hold): Promise<RawBody> {
    const { maxBytes, deadlines } = this.options;
    const { promise: deadline, resolve: expire } = Promise.withResolvers<"expired">();
    const wait = deadlines.begin(() => expire("expired"));
    const reader = body.getReader();
    const chunks: Uint8Array[] = [];
    let received = 0;
    try {
      for (;;) {
        // It only rejects if the client disconnects in the middle of the body.
        const part = await Promise.race([reader.read().catch(() => "broken" as const), deadline]);
        if (part === "expired") return { kind: "too_slow" };
        if (part === "broken") return { kind: "broken_off" };
        if (part.done) return { kind: "whole", bytes: Buffer.concat(chunks) };
        received += part.value.byteLength;
        if (received > maxBytes) return { kind: "too_large" };
        if (!hold(part.value.byteLength)) return { kind: "too_many" };
        chunks.push(part.value);
      }
    } finally {
      deadlines.end(wait);
      // A pending read ends with the connection, which is closed after a refusal.
      reader.cancel().catch(() => {});
    }
  }

  #refusalOf(fault: BodyFault): [status: BodyRefusal["status"], code: string, message: string] {
    const { maxBytes, setting, deadlines } = this.options;
    const seconds = deadlines.milliseconds / 1000;
    switch (fault) {
      case "too_large":
        return [413, "payload_too_large", `The request body is larger than ${maxBytes} bytes (${setting}).`];
      case "too_slow":
        return [408, "request_timeout", `The request body was not complete within ${seconds} seconds.`];
      case "too_many":
        return [503, "busy", "The server is reading too many request bodies: try again."];
      case "broken_off":
        return [400, "invalid_body", "The request body was cut off."];
      case "not_text":
        return [400, "invalid_body", "The request body is not UTF-8."];
    }
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The text of a body that was read. */
export function textOf(body: RawBody): { readonly kind: "whole"; readonly text: string } | Failed {
  if (body.kind !== "whole") return body;
  try {
    return { kind: "whole", text: utf8.decode(body.bytes) };
  } catch (error) {
    if (error instanceof TypeError) return { kind: "not_text" };
    throw error;
  }
}
