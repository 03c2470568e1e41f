// A map from safe integers to 32-bit integers other than 0: open addressing with linear probing and multiplicative hashing
// (Knuth, The Art of Computer Programming 3, 6.4). Removing a key moves later keys of its cluster up to close the gap, so
// there are no tombstones.
//
// Invariants: a value of 0 marks a free entry; no entry is free between a key and the entry its hash points to; at least
// half of the entries are free. An entry is 16 bytes, with key and value side by side, so it usually fits one cache line.
//
// Cost: O(1) expected; allocates only when it grows, by doubling. Limit: it is slow if keys are chosen to collide.

const INITIAL_ENTRIES = 16;
const ENTRY_BYTES = 16;
const WORD = 2 ** 32;

export class IntegerMap {
  /** The key of an entry, at entry x 2. */
  private keys = new Float64Array(INITIAL_ENTRIES * 2);
  /** The value of an entry, at entry x 4 + 2. */
  private values = new Int32Array(this.keys.buffer);
  private mask = INITIAL_ENTRIES - 1;
  private shift = Math.clz32(INITIAL_ENTRIES - 1);
  private count = 0;

  /** 0 if the key is absent. */
  get(key: number): number {
    return this.values[this.entryOf(key) * 4 + 2]!;
  }

  /** False if the key is present already; then nothing changes. */
  insert(key: number, value: number): boolean {
    const entry = this.entryOf(key);
    if (this.values[entry * 4 + 2] !== 0) return false;
    this.keys[entry * 2] = key;
    this.values[entry * 4 + 2] = value;
    this.count += 1;
    if (this.count * 2 > this.mask) this.grow();
    return true;
  }

  set(key: number, value: number): void {
    const entry = this.entryOf(key);
    if (this.values[entry * 4 + 2] === 0) this.insert(key, value);
    else this.values[entry * 4 + 2] = value;
  }

  /** Returns the removed value; 0 if the key is absent. */
  delete(key: number): number {
    let gap = this.entryOf(key);
    const { keys, values, mask, shift } = this;
    const value = values[gap * 4 + 2]!;
    if (value === 0) return 0;
    for (let entry = (gap + 1) & mask; values[entry * 4 + 2] !== 0; entry = (entry + 1) & mask) {
      const home = hashOf(keys[entry * 2]!) >>> shift;
      if (((entry - home) & mask) < ((entry - gap) & mask)) continue;
      keys[gap * 2] = keys[entry * 2]!;
      values[gap * 4 + 2] = values[entry * 4 + 2]!;
      gap = entry;
    }
    values[gap * 4 + 2] = 0;
    this.count -= 1;
    return value;
  }

  /** The entry of a key, or the free entry where it would be inserted. */
  private entryOf(key: number): number {
    const { keys, values, mask } = this;
    let entry = hashOf(key) >>> this.shift;
    while (values[entry * 4 + 2] !== 0 && keys[entry * 2] !== key) entry = (entry + 1) & mask;
    return entry;
  }

  private grow(): void {
    const { keys, values } = this;
    const entries = (this.mask + 1) * 2;
    const buffer = new ArrayBuffer(entries * ENTRY_BYTES);
    this.keys = new Float64Array(buffer);
    this.values = new Int32Array(buffer);
    this.mask = entries - 1;
    this.shift -= 1;
    for (let entry = 0; entry < entries / 2; entry++) {
      if (values[entry * 4 + 2] === 0) continue;
      const moved = this.entryOf(keys[entry * 2]!);
      this.keys[moved * 2] = keys[entry * 2]!;
      this.values[moved * 4 + 2] = values[entry * 4 + 2]!;
    }
  }
}

/** A 32-bit hash of a safe integer. Use its upper bits: they are mixed best. */
export function hashOf(key: number): number {
  const low = key | 0;
  const word = low === key ? low : low ^ Math.imul(Math.floor(key / WORD), 0x85ebca6b);
  return Math.imul(word, 0x9e3779b1);
}
