import { atEnd } from "../../support/at-end.ts";

/** A thread that does nothing: the test says what it sends, and reads what it gets. */
class FakeWorker {
  readonly got: unknown[] = [];
  onmessage: ((event: { readonly data: unknown }) => void) | null = null;
  onerror: ((event: { readonly message: string }) => void) | null = null;
  isTerminated = false;
  readonly #onClose: (() => void)[] = [];

  constructor(readonly url: string) {}

  postMessage(message: unknown): void {
    this.got.push(message);
  }

  addEventListener(_: "close", listener: () => void): void {
    this.#onClose.push(listener);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  says(data: unknown): void {
    this.onmessage?.({ data });
  }

  /** It has ended: a real one says so some time after it was terminated. */
  closes(): void {
    for (const listener of this.#onClose) listener();
  }
}

/** Until the test ends, each new thread is a fake one. Returns them, the newest last. */
export function fakeWorkers(): FakeWorker[] {
  const workers: FakeWorker[] = [];
  const { Worker } = globalThis;
  const Fake = class extends FakeWorker {
    constructor(url: string) {
      super(url);
      workers.push(this);
    }
  };
  Object.assign(globalThis, { Worker: Fake });
  atEnd(() => Object.assign(globalThis, { Worker }));
  return workers;
}
