// Reads the body of a request within limits. A body that is too large is refused by its Content-Length or while reading, and
// never buffered beyond the limit.

export interface BodyLimits {
  readonly maxBytes: number;
  /** Milliseconds for reading the whole body. */
  readonly deadlineMs: number;
  /** The setting behind `maxBytes`, for the refusal. */
  readonly setting: string;
}

export type BodyFault = "too_large" | "too_slow" | "too_many" | "broken_off" | "not_text";

export type Body = { readonly kind: "whole"; readonly text: string } | { readonly kind: BodyFault };

/** `hold` reserves capacity for further bytes. If it returns false, the result is `too_many`. */
export async function readBody(
  request: Request,
  { maxBytes, deadlineMs }: BodyLimits,
  hold: (bytes: number) => boolean = () => true,
): Promise<Body> {
  if (Number(request.headers.get("Content-Length")) > maxBytes) return { kind: "too_large" };
  if (request.body === null) return { kind: "whole", text: "" };
  const { promise: deadline, resolve: expire } = Promise.withResolvers<"expired">();
  const timer = setTimeout(() => expire("expired"), deadlineMs);
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let received = 0;
  try {
    for (;;) {
      // It only rejects if the client disconnects in the middle of the body.
      const part = await Promise.race([reader.read().catch(() => "broken" as const), deadline]);
      if (part === "expired") return { kind: "too_slow" };
      if (part === "broken") return { kind: "broken_off" };
      if (part.done) return decoded(chunks);
      received += part.value.byteLength;
      if (received > maxBytes) return { kind: "too_large" };
      if (!hold(part.value.byteLength)) return { kind: "too_many" };
      chunks.push(part.value);
    }
  } finally {
    clearTimeout(timer);
    // A pending read ends with the connection, which is closed after a refusal.
    reader.cancel().catch(() => {});
  }
}

function decoded(chunks: readonly Uint8Array[]): Body {
  try {
    return { kind: "whole", text: new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)) };
  } catch (error) {
    if (error instanceof TypeError) return { kind: "not_text" };
    throw error;
  }
}

export interface BodyRefusal {
  readonly status: 400 | 408 | 413 | 503;
  readonly code: string;
  readonly message: string;
}

/** The refusal of a body. It is sent with `Connection: close`, since the rest of the body is not read. */
export function bodyRefusal(fault: BodyFault, { maxBytes, deadlineMs, setting }: BodyLimits): BodyRefusal {
  const invalid = (message: string) => ({ status: 400, code: "invalid_body", message }) as const;
  switch (fault) {
    case "too_large":
      return {
        status: 413,
        code: "payload_too_large",
        message: `The request body is larger than ${maxBytes} bytes (${setting}).`,
      };
    case "too_slow":
      return {
        status: 408,
        code: "request_timeout",
        message: `The request body was not complete within ${deadlineMs / 1000} seconds.`,
      };
    case "too_many":
      return { status: 503, code: "busy", message: "The server is reading too many request bodies: try again." };
    case "broken_off":
      return invalid("The request body was cut off.");
    case "not_text":
      return invalid("The request body is not UTF-8.");
  }
}
