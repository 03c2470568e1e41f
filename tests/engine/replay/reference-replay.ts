// A slow and obviously correct replay of recorded operations: two arrays of levels, best first, each with an array of
// orders, oldest first. It parses the file itself and computes the hashes in bigint. It shares no code with the replay
// under test.

interface Order {
  readonly id: number;
  quantity: number;
}

interface Level {
  readonly price: number;
  readonly orders: Order[];
}

interface ReferenceReport {
  ops: number;
  trades: number;
  tradedQuantity: number;
  cancelMisses: number;
  liveOrders: number;
  tradeHash: number;
  levelHash: number;
  orderHash: number;
}

export function referenceReplay(file: Uint8Array): ReferenceReport {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const sides: [Level[], Level[]] = [[], []];
  const levelOf = new Map<number, Level>();
  const tradeWords = new ReferenceHash();
  const ops = view.getUint32(8, true);
  const report = { ops, trades: 0, tradedQuantity: 0, cancelMisses: 0 };

  function forget(side: number, level: Level, order: Order): void {
    level.orders.splice(level.orders.indexOf(order), 1);
    levelOf.delete(order.id);
    if (level.orders.length === 0) sides[side === 0 ? 0 : 1].splice(sides[side === 0 ? 0 : 1].indexOf(level), 1);
  }

  function cancel(id: number): void {
    const level = levelOf.get(id);
    const order = level?.orders.find((candidate) => candidate.id === id);
    if (level === undefined || order === undefined) {
      report.cancelMisses += 1;
      return;
    }
    forget(sides[0].includes(level) ? 0 : 1, level, order);
  }

  function submit(side: number, id: number, price: number, ordered: number): void {
    let quantity = ordered;
    const others = sides[side === 0 ? 1 : 0];
    for (;;) {
      const best = others[0];
      const resting = best?.orders[0];
      if (quantity === 0 || best === undefined || resting === undefined) break;
      if (side === 0 ? best.price > price : best.price < price) break;
      const traded = Math.min(quantity, resting.quantity);
      quantity -= traded;
      resting.quantity -= traded;
      report.trades += 1;
      report.tradedQuantity += traded;
      tradeWords.take(resting.id, id, best.price, traded);
      if (resting.quantity === 0) forget(side === 0 ? 1 : 0, best, resting);
    }
    if (quantity > 0) rest(side, id, price, quantity);
  }

  function rest(side: number, id: number, price: number, quantity: number): void {
    const own = sides[side === 0 ? 0 : 1];
    let at = own.findIndex((level) => side === 0 ? level.price <= price : level.price >= price);
    if (at < 0) at = own.length;
    let level = own[at];
    if (level?.price !== price) {
      level = { price, orders: [] };
      own.splice(at, 0, level);
    }
    level.orders.push({ id, quantity });
    levelOf.set(id, level);
  }

  for (let at = 32; at < 32 + ops * 16; at += 16) {
    const id = view.getUint32(at + 4, true);
    if (view.getUint8(at) === 1) cancel(id);
    else submit(view.getUint8(at + 1), id, view.getInt32(at + 8, true), view.getUint32(at + 12, true));
  }

  const levelWords = new ReferenceHash();
  const orderWords = new ReferenceHash();
  sides.forEach((levels, side) => {
    for (const { price, orders } of levels) {
      levelWords.take(side, price, orders.reduce((sum, { quantity }) => sum + quantity, 0));
      for (const { id, quantity } of orders) orderWords.take(side, price, id, quantity);
    }
  });
  return {
    ...report,
    liveOrders: levelOf.size,
    tradeHash: tradeWords.value,
    levelHash: levelWords.value,
    orderHash: orderWords.value,
  };
}

class ReferenceHash {
  #hash = 0x811c9dc5n;

  take(...words: number[]): void {
    for (const word of words) {
      this.#hash = ((this.#hash ^ BigInt.asUintN(32, BigInt(word))) * 0x01000193n) % (1n << 32n);
    }
  }

  get value(): number {
    return Number(this.#hash);
  }
}
