// The peer of the engine: a WebSocket server of Bun that does nothing but send frames.
//
// Each request gets a response, and each connection is sent the updates. Both are texts of a length that the bench has measured
// on the engine. The texts are made once. A Plan as the first message of a connection replaces the plan.

import { addressLine, type Plan } from "./bare-plan.ts";

const sockets = new Set<Bun.ServerWebSocket<undefined>>();
let plan: Plan = { responseBytes: 100, updateBytes: 100, ordersInUpdate: 1 };
let response = "";
let update = "";
let orders = 0;

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request, server) => server.upgrade(request) ? undefined : new Response(null, { status: 426 }),
  websocket: {
    backpressureLimit: 64 << 20,
    open: (socket) => void sockets.add(socket),
    close: (socket) => void sockets.delete(socket),
    message(socket, text) {
      if (typeof text !== "string") throw new Error("a frame must be text");
      if (text.startsWith('{"responseBytes"')) return follow(JSON.parse(text));
      orders += 1;
      if (orders % plan.ordersInUpdate === 0) { for (const each of sockets) each.send(update); }
      socket.send(response);
    },
  },
});
process.stderr.write(addressLine(`http://127.0.0.1:${server.port}/`));

function follow(next: Plan): void {
  plan = next;
  orders = 0;
  response = textOf('{"kind":"response","status":"ok","filler":"', plan.responseBytes);
  update = textOf('[{"kind":"event","filler":"', plan.updateBytes);
}

function textOf(start: string, length: number): string {
  return start.padEnd(length, "x");
}
