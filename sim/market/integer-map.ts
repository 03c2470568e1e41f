// A map from safe integers to 32-bit integers other than 0: open addressing with linear probing and multiplicative hashing
// (Knuth, The Art of Computer Programming 3, 6.4). What follows a removed key moves up to close the gap, so that removals
// leave nothing behind, however many there are.
//
// Invariants: a value of 0 is a free place; between a key and the place that its hash names no place is free; at least
// half of the places are free. A place is 16 bytes of one buffer, key and value side by side: most often one cache line.
//
// Cost: O(1) expected; nothing is allocated but when it grows, by doubling. Limit: keys chosen to collide make it slow.

const INITIAL_PLACES = 16;
const PLACE_BYTES = 16;
const WORD = 2 ** 32;

export class IntegerMap {
  /** The key of a place at place x 2. */
  private keys = new Float64Array(INITIAL_PLACES * 2);
  /** Its value at place x 4 + 2. */
  private values = new Int32Array(this.keys.buffer);
  private mask = INITIAL_PLACES - 1;
  private shift = Math.clz32(INITIAL_PLACES - 1);
  private count = 0;

  /** 0 where the key is absent. */
  get(key: number): number {
    return this.values[this.placeOf(key) * 4 + 2]!;
  }

  /** False, and nothing changes, where the key is there already. */
  insert(key: number, value: number): boolean {
    const place = this.placeOf(key);
    if (this.values[place * 4 + 2] !== 0) return false;
    this.keys[place * 2] = key;
    this.values[place * 4 + 2] = value;
    this.count += 1;
    if (this.count * 2 > this.mask) this.grow();
    return true;
  }

  set(key: number, value: number): void {
    const place = this.placeOf(key);
    if (this.values[place * 4 + 2] === 0) this.insert(key, value);
    else this.values[place * 4 + 2] = value;
  }

  /** Returns the value that was there; 0 where the key is absent. */
  delete(key: number): number {
    let gap = this.placeOf(key);
    const { keys, values, mask, shift } = this;
    const value = values[gap * 4 + 2]!;
    if (value === 0) return 0;
    for (let place = (gap + 1) & mask; values[place * 4 + 2] !== 0; place = (place + 1) & mask) {
      const home = hashOf(keys[place * 2]!) >>> shift;
      if (((place - home) & mask) < ((place - gap) & mask)) continue;
      keys[gap * 2] = keys[place * 2]!;
      values[gap * 4 + 2] = values[place * 4 + 2]!;
      gap = place;
    }
    values[gap * 4 + 2] = 0;
    this.count -= 1;
    return value;
  }

  /** Where a key stands, or would stand. */
  private placeOf(key: number): number {
    const { keys, values, mask } = this;
    let place = hashOf(key) >>> this.shift;
    while (values[place * 4 + 2] !== 0 && keys[place * 2] !== key) place = (place + 1) & mask;
    return place;
  }

  private grow(): void {
    const { keys, values } = this;
    const places = (this.mask + 1) * 2;
    const buffer = new ArrayBuffer(places * PLACE_BYTES);
    this.keys = new Float64Array(buffer);
    this.values = new Int32Array(buffer);
    this.mask = places - 1;
    this.shift -= 1;
    for (let place = 0; place < places / 2; place++) {
      if (values[place * 4 + 2] === 0) continue;
      const moved = this.placeOf(keys[place * 2]!);
      this.keys[moved * 2] = keys[place * 2]!;
      this.values[moved * 4 + 2] = values[place * 4 + 2]!;
    }
  }
}

/** 32 bits of a safe integer; the upper ones are the best mixed. */
export function hashOf(key: number): number {
  const low = key | 0;
  const word = low === key ? low : low ^ Math.imul(Math.floor(key / WORD), 0x85ebca6b);
  return Math.imul(word, 0x9e3779b1);
}
