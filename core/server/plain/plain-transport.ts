// The transport of one plain message: its request, and the form in which the client reads the answer. Made for each request.
//
// A client of an older protocol that reads event streams gets one, as from the SDK: at once if the answer comes soon, or
// else as an open stream with comments that keep proxies from closing it.

import type { CallScope } from "../../dispatch/call-context.ts";
import type { RequestOrigin } from "../../dispatch/request-origin.ts";
import { disconnected, readsStreams } from "../sdk/exchange/accepted-type.ts";
import type { HttpExchange } from "../sdk/exchange/http-exchange.ts";
import type { PlainMessage } from "../../messages/plain-message.ts";

/** The body of an answer. */
export interface PlainBody {
  readonly type: "json" | "stream";
  readonly body: string | ReadableStream<string>;
}

/** After this time an answer begins as an open stream. */
const SOON_MS = 250;
/** As the SDK does. */
const KEEP_ALIVE_MS = 15_000;

export class PlainTransport implements CallScope {
  readonly caller: string | null;
  readonly freeSlot: () => void;

  constructor(
    private readonly request: Request,
    { caller, freeSlot }: HttpExchange,
    private readonly message: PlainMessage,
  ) {
    this.caller = caller;
    this.freeSlot = freeSlot;
  }

  /** Aborts when the client disconnects. Only made if a handler uses it. */
  get signal(): AbortSignal {
    return this.request.signal;
  }

  get origin(): RequestOrigin {
    const { request: { headers }, message } = this;
    const meta = message.method === "tools/call" ? message.meta : undefined;
    return { transport: "http", meta, headers, id: message.id };
  }

  /** The response with this result, which is JSON text. */
  write(result: string): PlainBody {
    const response = `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(this.message.id)}}`;
    return this.#readsStream() ? { type: "stream", body: eventOf(response) } : { type: "json", body: response };
  }

  /**
   * The body that `running` gives. If that takes long, a client that reads streams gets the beginning of one. If the client
   * of any other answer disconnects, the request ends at once and gives back what it holds; its call may still run.
   */
  written(running: Promise<PlainBody>): Promise<PlainBody | Response> {
    return this.#readsStream() ? this.#streamed(running) : this.#untilDisconnect(running);
  }

  #streamed(running: Promise<PlainBody>): Promise<PlainBody> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve({ type: "stream", body: openStream(running) }), SOON_MS);
      running.finally(() => clearTimeout(timer)).then(resolve, reject);
    });
  }

  #untilDisconnect(running: Promise<PlainBody>): Promise<PlainBody | Response> {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      const onDisconnect = () => resolve(disconnected());
      if (signal.aborted) onDisconnect();
      signal.addEventListener("abort", onDisconnect);
      running.finally(() => signal.removeEventListener("abort", onDisconnect)).then(resolve, reject);
    });
  }

  #readsStream(): boolean {
    return this.message.era === "legacy" && readsStreams(this.request);
  }
}

function eventOf(message: string): string {
  return `event: message\ndata: ${message}\n\n`;
}

function openStream(running: Promise<PlainBody>): ReadableStream<string> {
  let timer: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream<string>({
    start(controller) {
      timer = setInterval(() => controller.enqueue(": keepalive\n\n"), KEEP_ALIVE_MS);
      const end = (last: () => void) => {
        // A client that is gone has cancelled the stream.
        if (timer !== undefined) last();
        clearInterval(timer);
      };
      running.then(({ body }) =>
        end(() => {
          controller.enqueue(body as string);
          controller.close();
        }), (error) => end(() => controller.error(error)));
    },
    cancel() {
      clearInterval(timer);
      timer = undefined;
    },
  });
}
