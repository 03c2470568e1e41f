// The SharedWorker of the dashboard, a program of its own: it holds the stream of the market for all windows of a browser.

import { StreamHub, type WindowPort } from "./stream-hub.ts";

const hub = new StreamHub();

Object.assign(globalThis, { onconnect: ({ ports }: MessageEvent) => hub.join(ports[0] as unknown as WindowPort) });
