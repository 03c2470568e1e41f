// Files of operations made by hand.

export interface Operation {
  readonly op?: number;
  readonly side?: number;
  readonly id: number;
  readonly price?: number;
  readonly quantity?: number;
}

export const buy = (id: number, price: number, quantity: number): Operation => ({ side: 0, id, price, quantity });
export const sell = (id: number, price: number, quantity: number): Operation => ({ side: 1, id, price, quantity });
export const cancel = (id: number): Operation => ({ op: 1, id });

export function operationsFile(operations: readonly Operation[]): Uint8Array {
  const file = new Uint8Array(32 + operations.length * 16);
  const view = new DataView(file.buffer);
  file.set([..."LOBW"].map((letter) => letter.charCodeAt(0)));
  view.setUint32(4, 1, true);
  view.setUint32(8, operations.length, true);
  operations.forEach(({ op = 0, side = 0, id, price = 0, quantity = 0 }, index) => {
    const at = 32 + index * 16;
    file.set([op, side], at);
    view.setUint32(at + 4, id, true);
    view.setInt32(at + 8, price, true);
    view.setUint32(at + 12, quantity, true);
  });
  return file;
}
