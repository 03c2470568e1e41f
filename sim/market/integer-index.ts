// A map from safe integers to 32-bit integers other than 0, in two typed arrays: open addressing with linear probing and
// multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4). What follows a removed key moves up to close
// the gap, so that removals leave nothing behind, however many there are.
//
// Invariants: a value of 0 is a free place; between a key and the place that its hash names no place is free; at least
// half of the places are free.
//
// Cost: O(1) expected; nothing is allocated but when it grows, by doubling. Limit: keys chosen to collide make it slow.

const INITIAL_PLACES = 16;
const WORD = 2 ** 32;

export class IntegerIndex {
  private keys = new Float64Array(INITIAL_PLACES);
  private values = new Int32Array(INITIAL_PLACES);
  private mask = INITIAL_PLACES - 1;
  private shift = Math.clz32(INITIAL_PLACES - 1);
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** 0 where the key is absent. */
  get(key: number): number {
    return this.values[this.placeOf(key)]!;
  }

  /** False, and nothing changes, where the key is there already. */
  insert(key: number, value: number): boolean {
    const place = this.placeOf(key);
    if (this.values[place] !== 0) return false;
    this.keys[place] = key;
    this.values[place] = value;
    this.count += 1;
    if (this.count * 2 > this.mask) this.grow();
    return true;
  }

  set(key: number, value: number): void {
    const place = this.placeOf(key);
    if (this.values[place] === 0) this.insert(key, value);
    else this.values[place] = value;
  }

  /** Returns the value that was there; 0 where the key is absent. */
  delete(key: number): number {
    let gap = this.placeOf(key);
    const { keys, values, mask } = this;
    const value = values[gap]!;
    if (value === 0) return 0;
    for (let place = (gap + 1) & mask; values[place] !== 0; place = (place + 1) & mask) {
      const home = hashOf(keys[place]!) >>> this.shift;
      if (((place - home) & mask) < ((place - gap) & mask)) continue;
      keys[gap] = keys[place]!;
      values[gap] = values[place]!;
      gap = place;
    }
    values[gap] = 0;
    this.count -= 1;
    return value;
  }

  /** Where a key stands, or would stand. */
  private placeOf(key: number): number {
    const { keys, values, mask } = this;
    let place = hashOf(key) >>> this.shift;
    while (values[place] !== 0 && keys[place] !== key) place = (place + 1) & mask;
    return place;
  }

  private grow(): void {
    const { keys, values } = this;
    this.keys = new Float64Array(keys.length * 2);
    this.values = new Int32Array(keys.length * 2);
    this.mask = keys.length * 2 - 1;
    this.shift -= 1;
    for (let place = 0; place < keys.length; place++) {
      if (values[place] === 0) continue;
      const moved = this.placeOf(keys[place]!);
      this.keys[moved] = keys[place]!;
      this.values[moved] = values[place]!;
    }
  }
}

function hashOf(key: number): number {
  const low = key | 0;
  const word = low === key ? low : low ^ Math.imul(Math.floor(key / WORD), 0x85ebca6b);
  return Math.imul(word, 0x9e3779b1);
}
