// Reading a request's body within its limits. A body above its size is known to be so from Content-Length or while reading;
// none is buffered beyond its limit.

export interface BodyLimits {
  readonly maxBytes: number;
  /** For the whole body, from its first byte to its last, milliseconds. */
  readonly deadlineMs: number;
  /** What sets `maxBytes`, for whoever is refused. */
  readonly setting: string;
}

export type BodyFault = "too_large" | "too_slow" | "too_many" | "broken_off" | "not_text";

export type Body = { readonly kind: "whole"; readonly text: string } | { readonly kind: BodyFault };

/** `hold` says whether there is room for so many bytes more; "too_many" if there is not. */
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
      // It rejects if the client goes away in the middle of its body, and for no other reason.
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
    // A read that is under way ends with the connection, which is closed after a refusal.
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

/** How a body that is not there is answered, with `Connection: close`: the rest of it is not waited for. */
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
        message: `The request body was not there within ${deadlineMs / 1000} seconds.`,
      };
    case "too_many":
      return { status: 503, code: "busy", message: "Too much is being sent at once: try again." };
    case "broken_off":
      return invalid("The request body broke off.");
    case "not_text":
      return invalid("The request body is not UTF-8.");
  }
}
