// The event stream of a subscription over HTTP: what the SDK writes (the acknowledgement, and the result at a graceful end),
// and the notifications between.
//
// The runtime asks for the next part only if the client has read enough of those before. Until then nothing is written, so a
// client that doesn't read holds what the operating system has already taken for it, and the marks of its subscription.

import type { Delivery, Subscription } from "../../../subscriptions/subscription.ts";
import { ROUND_MS } from "../../../subscriptions/change-watch.ts";
import { changeNotification } from "../exchange/notifications.ts";

/** Keeps proxies from closing a quiet stream. As often as the SDK does it. */
const KEEP_ALIVE_ROUNDS = 15_000 / ROUND_MS;
const KEEP_ALIVE = new TextEncoder().encode(": keepalive\n\n");

const encoder = new TextEncoder();

interface UpdateStreamOptions {
  /** The body of the SDK's response. */
  readonly frames: ReadableStream<Uint8Array>;
  readonly subscription: Subscription;
  readonly subscriptionId: string | number;
  /** Called once, when the client has read everything or has disconnected. */
  readonly hasEnded: () => void;
}

export class UpdateStream implements Delivery {
  readonly body: ReadableStream<Uint8Array>;
  readonly #frames: ReadableStreamDefaultReader<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #isReading = false;
  /** The client has disconnected. */
  #isCancelled = false;
  /** The last part was written. */
  #isEnding = false;
  #restedRounds = 0;

  constructor(private readonly options: UpdateStreamOptions) {
    this.#frames = options.frames.getReader();
    this.body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => {
        this.#isReading = true;
        if (this.#isEnding) this.#close();
      },
      cancel: (reason) => {
        this.#isCancelled = true;
        options.subscription.close();
        options.hasEnded();
        return this.#frames.cancel(reason);
      },
    }, { highWaterMark: 0 });
    void this.#forward();
  }

  get isReading(): boolean {
    return this.#isReading;
  }

  deliver(keys: readonly string[]): void {
    this.#write(encoder.encode(keys.map((key) => this.#eventOf(key)).join("")));
  }

  rest(): void {
    this.#restedRounds += 1;
    if (this.#restedRounds >= KEEP_ALIVE_ROUNDS) this.#write(KEEP_ALIVE);
  }

  end(): void {
    void this.#frames.cancel();
  }

  #eventOf(key: string): string {
    return `event: message\ndata: ${JSON.stringify(changeNotification(key, this.options.subscriptionId))}\n\n`;
  }

  #write(bytes: Uint8Array): void {
    this.#isReading = false;
    this.#restedRounds = 0;
    this.#controller.enqueue(bytes);
  }

  /** The acknowledgement comes first; only then does the subscription begin. Never rejects. */
  async #forward(): Promise<void> {
    const { subscription } = this.options;
    for (let frame = await this.#frames.read(); !frame.done; frame = await this.#frames.read()) {
      if (!this.#isCancelled) this.#write(frame.value);
      subscription.begin(this);
    }
    subscription.close();
    this.#isEnding = true;
    if (this.#isReading && !this.#isCancelled) this.#close();
  }

  /** Everything before was read. */
  #close(): void {
    this.#controller.close();
    this.options.hasEnded();
  }
}
