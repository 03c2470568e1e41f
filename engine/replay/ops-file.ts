// The file of recorded operations on one book that `mkt replay --format ops` reads (docs/replay.md). Little-endian.
//
// Header, 32 bytes: `LOBW`, u32 version 1, u32 operations, u32 greatest id, i32 lowest and i32 highest price in ticks,
// u32 seed, u32 0. Each record, 16 bytes: u8 op (0 new limit order, 1 cancel), u8 side (0 buy, 1 sell), u8 kind (for
// information), u8 0, u32 id, i32 price, u32 quantity (price and quantity 0 for a cancel).
//
// Greatest id, prices and seed in the header are for information only.

const MAGIC = "LOBW";
const VERSION = 1;
const HEADER_BYTES = 32;
const RECORD_BYTES = 16;

export const NEW_ORDER = 0;
export const CANCEL = 1;

/** One operation at each index. */
export interface Operations {
  readonly count: number;
  /** NEW_ORDER or CANCEL. */
  readonly op: Uint8Array;
  /** 0 buy, 1 sell. */
  readonly side: Uint8Array;
  readonly id: Uint32Array;
  /** Ticks. */
  readonly price: Int32Array;
  /** Above 0 for a new order. */
  readonly quantity: Uint32Array;
}

type OperationsRead = { readonly ok: true; readonly operations: Operations } | {
  readonly ok: false;
  /** One line. Records are numbered from 1. */
  readonly fault: string;
};

/** Parses a whole file. The first fault names its record. */
export function readOperations(file: Uint8Array): OperationsRead {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const fault = headerFault(file, view);
  if (fault !== null) return { ok: false, fault };
  const count = view.getUint32(8, true);
  const operations = {
    count,
    op: new Uint8Array(count),
    side: new Uint8Array(count),
    id: new Uint32Array(count),
    price: new Int32Array(count),
    quantity: new Uint32Array(count),
  };
  for (let index = 0, at = HEADER_BYTES; index < count; index++, at += RECORD_BYTES) {
    const op = operations.op[index] = view.getUint8(at);
    const side = operations.side[index] = view.getUint8(at + 1);
    operations.id[index] = view.getUint32(at + 4, true);
    operations.price[index] = view.getInt32(at + 8, true);
    const quantity = operations.quantity[index] = view.getUint32(at + 12, true);
    if (op > CANCEL) return recordFault(index, `op ${op} is neither 0 (new limit order) nor 1 (cancel)`);
    if (side > 1) return recordFault(index, `side ${side} is neither 0 (buy) nor 1 (sell)`);
    if (op === NEW_ORDER && quantity === 0) return recordFault(index, "new order with quantity 0");
  }
  return { ok: true, operations };
}

function headerFault(file: Uint8Array, view: DataView): string | null {
  const magic = String.fromCharCode(...file.subarray(0, MAGIC.length));
  if (magic !== MAGIC) return `not a file of operations: it does not begin with ${MAGIC}`;
  if (file.byteLength < HEADER_BYTES) {
    return `truncated: ${file.byteLength} bytes, but the header alone has ${HEADER_BYTES}`;
  }
  const version = view.getUint32(4, true);
  if (version !== VERSION) return `version ${version}; only version ${VERSION} is supported`;
  const count = view.getUint32(8, true);
  const expectedBytes = HEADER_BYTES + count * RECORD_BYTES;
  const sizes = `${file.byteLength} bytes, but ${count} operations take ${expectedBytes}`;
  if (file.byteLength < expectedBytes) return `truncated: ${sizes}`;
  return file.byteLength > expectedBytes ? `too long: ${sizes}` : null;
}

function recordFault(index: number, what: string): OperationsRead {
  return { ok: false, fault: `record ${index + 1}: ${what}` };
}
