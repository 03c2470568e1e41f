// An agent that makes a market in one contract, over the socket of `mkt simulate --agent`. Bun, Deno and Node run it; it needs
// no package.
//
//   mkt simulate --agent 5001 --hours 2        in one terminal
//   bun agent.ts 5001                          in another

import { connect } from "node:net";
import { createInterface } from "node:readline";

interface Observation {
  readonly orders: readonly { readonly orderId: string }[];
  readonly positions: readonly { readonly contractId: string; readonly position: number }[];
  readonly books: readonly { readonly contractId: string; readonly isOpen: boolean; readonly forecast: number }[];
}

const QUANTITY = 5;
const HALF_SPREAD = 0.01;

/** Replaces all open orders by a bid and an ask around the forecast, and leans against the position. */
function actionsFor({ orders, positions, books }: Observation): object[] {
  const cancels = orders.map(({ orderId }) => ({ kind: "cancel", orderId }));
  const book = books.find(({ isOpen }) => isOpen);
  if (book === undefined) return cancels;
  const { contractId, forecast } = book;
  const held = positions.find((position) => position.contractId === contractId)?.position ?? 0;
  const distance = Math.max(1, HALF_SPREAD * Math.abs(forecast));
  const middle = forecast - distance * held / (4 * QUANTITY);
  const quote = (side: string, price: number) => ({ kind: "submit", contractId, side, price, quantity: QUANTITY });
  return [
    ...cancels,
    quote("BUY", Math.round(middle - distance)),
    quote("SELL", Math.round(middle + distance)),
  ];
}

const socket = connect(Number(process.argv[2]), "127.0.0.1");
const send = (message: object) => void socket.write(`${JSON.stringify(message)}\n`);
send({ type: "hello", protocol: 1, name: "typescript", products: ["NORTH-DA-BASE"], wakeMs: 60_000 });

for await (const line of createInterface({ input: socket })) {
  const message = JSON.parse(line);
  if (message.type === "observe") {
    send({ type: "act", actions: actionsFor(message) });
    // At my next fill, or after a minute of market time.
    send({ type: "next", fill: true });
  }
  if (message.type === "answer") {
    for (const { accepted, code } of message.results) if (!accepted) console.error(`refused: ${code}`);
  }
  if (message.type === "error") throw new Error(message.message);
  if (message.type === "end") console.log(`${message.report.trades} trades, ${message.report.profitAndLoss} dollars`);
}
