// A socket without a network, on a clock that only the test moves.

import { afterEach, beforeEach, jest, mock, spyOn } from "bun:test";

type Listener = (event: object) => void;

export class SocketInMemory {
  static readonly OPEN = 1;
  static made: SocketInMemory[] = [];

  readyState = 0;
  readonly sent: Record<string, unknown>[] = [];
  /** How it was ended from this side: `close CODE`, `terminate`. */
  readonly ends: string[] = [];
  readonly #listeners = new Map<string, Listener>();

  constructor(readonly url: string) {
    SocketInMemory.made.push(this);
  }

  addEventListener(name: string, listener: Listener): void {
    this.#listeners.set(name, listener);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(code: number): void {
    this.ends.push(`close ${code}`);
  }

  terminate(): void {
    this.ends.push("terminate");
  }

  /** What a network would tell of it. */
  tell(name: "open" | "message" | "error" | "close", event: object = {}): void {
    if (name === "open") this.readyState = SocketInMemory.OPEN;
    if (name === "close") this.readyState = 3;
    this.#listeners.get(name)?.(event);
  }

  receive(...messages: readonly object[]): void {
    this.tell("message", { data: JSON.stringify(messages) });
  }

  /** The kinds of what was sent since the last call. */
  kinds(): unknown[] {
    return this.sent.splice(0).map(({ kind }) => kind);
  }
}

let now: number;
const { WebSocket } = globalThis;

/** Every socket of the file's tests is one in memory, and the clock stands still. */
export function socketsInMemory(): void {
  beforeEach(() => {
    jest.useFakeTimers();
    now = 1_000;
    spyOn(performance, "now").mockImplementation(() => now);
    SocketInMemory.made = [];
    globalThis.WebSocket = SocketInMemory as never;
  });
  afterEach(() => {
    jest.useRealTimers();
    mock.restore();
    globalThis.WebSocket = WebSocket;
  });
}

/** Time passes, a timer after the other. */
export function advance(milliseconds: number): void {
  for (let passed = 0; passed < milliseconds; passed += 1) {
    now += 1;
    jest.advanceTimersByTime(1);
  }
}

/** The process stands still: time has passed, and then all timers that are due fire. */
export function standStill(milliseconds: number): void {
  now += milliseconds;
  jest.advanceTimersByTime(milliseconds);
}
