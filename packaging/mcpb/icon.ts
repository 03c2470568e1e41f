// The icon of the bundle: three candles of a price chart on a dark square with round corners, as PNG. It is drawn here, so the
// repository has no picture whose source is somewhere else.

import { deflateSync } from "node:zlib";

/** Width and height in pixels, as hosts recommend it. */
export const ICON_SIZE = 512;
const CORNER = 96;

type Colour = readonly [red: number, green: number, blue: number];
const BACKGROUND: Colour = [17, 24, 39];
const RISING: Colour = [52, 211, 153];
const FALLING: Colour = [248, 113, 113];

interface Bar {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly colour: Colour;
}

/** A candle: a thin line from the lowest to the highest price, and a body from the first to the last one. */
function candle(centre: number, [high, bodyTop, bodyBottom, low]: readonly number[], colour: Colour): Bar[] {
  return [
    { left: centre - 8, right: centre + 8, top: high ?? 0, bottom: low ?? 0, colour },
    { left: centre - 44, right: centre + 44, top: bodyTop ?? 0, bottom: bodyBottom ?? 0, colour },
  ];
}

const BARS: readonly Bar[] = [
  ...candle(128, [176, 240, 384, 432], FALLING),
  ...candle(256, [128, 208, 352, 400], RISING),
  ...candle(384, [80, 112, 272, 336], RISING),
];

/** The icon as the bytes of a PNG file: 8 bits for each of red, green, blue and alpha. */
export function iconPng(): Uint8Array {
  const rows = Buffer.alloc(ICON_SIZE * (1 + ICON_SIZE * 4));
  for (let y = 0; y < ICON_SIZE; y++) {
    // The first byte of a row is its filter: none.
    const start = y * (1 + ICON_SIZE * 4) + 1;
    for (let x = 0; x < ICON_SIZE; x++) rows.set(pixel(x, y), start + x * 4);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(ICON_SIZE, 0);
  header.writeUInt32BE(ICON_SIZE, 4);
  // 8 bits for each channel, and the colour type of red, green, blue and alpha.
  header.set([8, 6], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat([signature, ...chunks]);
}

function pixel(x: number, y: number): readonly number[] {
  const bar = BARS.findLast(({ left, right, top, bottom }) => x >= left && x < right && y >= top && y < bottom);
  return [...(bar?.colour ?? BACKGROUND), Math.round(255 * opacity(x, y))];
}

/** 1 inside, 0 outside the round corners, and between them at their edges. */
function opacity(x: number, y: number): number {
  const beyond = (at: number) => Math.max(CORNER - at - 0.5, at + 0.5 - (ICON_SIZE - CORNER), 0);
  const distance = Math.hypot(beyond(x), beyond(y));
  return Math.min(1, Math.max(0, CORNER - distance + 0.5));
}

/** Length, type, data, and the CRC-32 of type and data. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "ascii"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(Bun.hash.crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
