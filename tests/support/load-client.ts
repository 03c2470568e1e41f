// A client that keeps an engine busy over its real WebSocket. It parses only the responses in each frame, so a bench measures
// the engine and not the client.

import { type EngineMessage, PROTOCOL_VERSION } from "../../protocol/index.ts";

export interface LoadResponse {
  readonly requestId: string;
  readonly operationId: string;
  readonly status: string;
  readonly code?: string;
  readonly result?: Record<string, unknown>;
}

interface LoadOptions {
  readonly cancelOnDisconnect?: boolean;
  readonly resume?: { readonly epoch: number; readonly sequence: number };
  readonly onFrame?: (text: string) => void;
}

const RESPONSE = '{"kind":"response"';
/** Beginnings of the message after a response in the same frame. */
const NEXT_MESSAGES = [',{"statePath":', ',{"kind":'] as const;

export class LoadClient {
  /** Resolves when the connection has ended for any reason. */
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<string, (response: LoadResponse | null) => void>();
  readonly #welcomed = Promise.withResolvers<void>();
  #requests = 0;
  #isWelcomed = false;

  /** `onFrame` gets the text of every frame, before the responses in it are settled; see `messagesIn`. */
  constructor(url: string, readonly userId: string, { onFrame, ...hello }: LoadOptions = {}) {
    const closed = Promise.withResolvers<void>();
    this.closed = closed.promise;
    this.#socket = new WebSocket(url);
    this.#socket.onopen = () =>
      this.#socket.send(JSON.stringify({ kind: "hello", protocol: PROTOCOL_VERSION, userId, ...hello }));
    this.#socket.onmessage = ({ data }) => {
      const text = String(data);
      onFrame?.(text);
      this.#read(text);
    };
    this.#socket.onclose = () => {
      for (const settle of this.#waiting.values()) settle(null);
      this.#waiting.clear();
      this.#welcomed.resolve();
      closed.resolve();
    };
  }

  /** Resolves once the snapshot is complete or the connection has ended. */
  async welcomed(): Promise<this> {
    await this.#welcomed.promise;
    return this;
  }

  /** Null if the connection ended first. The outcome is then unknown. */
  request(action: string, payload: unknown, operationId: string): Promise<LoadResponse | null> {
    if (this.#socket.readyState !== WebSocket.OPEN) return Promise.resolve(null);
    const requestId = String(++this.#requests);
    return new Promise((resolve) => {
      this.#waiting.set(requestId, resolve);
      this.#socket.send(JSON.stringify({ kind: "request", requestId, operationId, action, payload }));
    });
  }

  close(): void {
    this.#socket.close();
  }

  #read(text: string): void {
    if (!this.#isWelcomed && text.includes('"snapshotEnd"')) {
      this.#isWelcomed = true;
      this.#welcomed.resolve();
    }
    for (let at = text.indexOf(RESPONSE); at >= 0;) {
      const end = endOfMessage(text, at);
      const response: LoadResponse = JSON.parse(text.slice(at, end));
      this.#waiting.get(response.requestId)?.(response);
      this.#waiting.delete(response.requestId);
      at = text.indexOf(RESPONSE, end);
    }
  }
}

/** The id of the order in the response to a submit. */
export function orderIdOf(response: { readonly result?: Record<string, unknown> } | null): string {
  return (response?.result?.["order"] as { id: string }).id;
}

export function messagesIn(frame: string): EngineMessage[] {
  return [JSON.parse(frame)].flat();
}

function endOfMessage(text: string, start: number): number {
  const ends = NEXT_MESSAGES.map((next) => text.indexOf(next, start)).filter((end) => end >= 0);
  return Math.min(...ends, text.length - 1);
}

/** Keeps `outstanding` requests pending until `next` returns null or the connection ends. */
export async function keepBusy(
  client: LoadClient,
  outstanding: number,
  next: () => { action: string; payload: unknown; operationId: string } | null,
  settled: (operationId: string, response: LoadResponse | null) => void,
): Promise<void> {
  const worker = async () => {
    for (;;) {
      const request = next();
      if (request === null) return;
      const response = await client.request(request.action, request.payload, request.operationId);
      settled(request.operationId, response);
      if (response === null) return;
    }
  };
  await Promise.all(Array.from({ length: outstanding }, worker));
}
