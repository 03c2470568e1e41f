// The worker that windows share, run in this process: each name has one, and what is said comes at once.

import { StreamHub, type WindowPort } from "../../../web/dashboard/live/stream-hub.ts";
import type { ToWindow, ToWorker } from "../../../web/dashboard/live/stream-messages.ts";

/** The window's side of a port. */
interface OwnPort {
  onmessage: ((message: { readonly data: ToWindow }) => void) | null;
  postMessage(message: ToWorker): void;
  close(): void;
}

/** A hub and a port of a window to it. */
export function joined(hub: StreamHub): OwnPort {
  const inside: WindowPort = {
    onmessage: null,
    postMessage: (data) => outside.onmessage?.({ data }),
  };
  const outside: OwnPort = {
    onmessage: null,
    postMessage: (data) => inside.onmessage?.({ data } as MessageEvent<ToWorker>),
    close: () => {},
  };
  hub.join(inside);
  return outside;
}

export class WorkerHere {
  /** The name of each worker that a window has asked for, in order. */
  static readonly asked: string[] = [];
  /** The newest. */
  static last: WorkerHere | null = null;
  static readonly #hubs = new Map<string, StreamHub>();
  onerror: (() => void) | null = null;
  readonly port: OwnPort;

  /** A new browser has none: test files share this process. */
  static forgetAll(): void {
    WorkerHere.#hubs.clear();
    WorkerHere.asked.length = 0;
    WorkerHere.last = null;
  }

  constructor(_address: string, { name }: { readonly name: string }) {
    WorkerHere.asked.push(name);
    WorkerHere.last = this;
    const hub = WorkerHere.#hubs.get(name) ?? new StreamHub();
    WorkerHere.#hubs.set(name, hub);
    this.port = joined(hub);
  }
}
