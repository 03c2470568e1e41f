// Finds entries by their ids: a hash table with open addressing and linear probing. It holds the hash and the number of each
// entry side by side, so a search reads one stretch of memory. The owner of the entries compares ids.
//
// Cost: O(1) expected; a growth O(entries), 10 ns for each. Memory: 8 bytes for each place, of which 3/8 to 3/4 are used once
// there are more than a few entries.

/** An entry's number is below this one. */
const EMPTY = 0xffff_ffff;
const SMALLEST = 8;

export class IdIndex {
  /** Two words for each place: an entry's number and the hash of its id. */
  #words = new Uint32Array(2 * SMALLEST).fill(EMPTY);
  #places = SMALLEST;
  #count = 0;

  /** `hasId`: whether an entry has an id. */
  constructor(readonly hasId: (entry: number, id: string) => boolean) {}

  /** The entry with an id; null if there is none. `hash`: of the id, below 2^32. */
  find(id: string, hash: number): number | null {
    const words = this.#words;
    const mask = this.#places - 1;
    for (let place = hash & mask;; place = place + 1 & mask) {
      const entry = words[2 * place] ?? EMPTY;
      if (entry === EMPTY) return null;
      if (words[2 * place + 1] === hash && this.hasId(entry, id)) return entry;
    }
  }

  add(entry: number, hash: number): void {
    if (4 * (this.#count + 1) > 3 * this.#places) this.#resize(2 * this.#places);
    this.#count += 1;
    this.#put(entry, hash);
  }

  /** Does nothing if it does not hold the entry. */
  remove(entry: number, hash: number): void {
    const words = this.#words;
    const mask = this.#places - 1;
    let hole = hash & mask;
    while (words[2 * hole] !== entry) {
      if (words[2 * hole] === EMPTY) return;
      hole = hole + 1 & mask;
    }
    // Moves each later entry into the hole if its search would otherwise end there.
    for (let place = hole + 1 & mask; words[2 * place] !== EMPTY; place = place + 1 & mask) {
      const home = (words[2 * place + 1] ?? 0) & mask;
      if ((place - home & mask) < (place - hole & mask)) continue;
      words[2 * hole] = words[2 * place] ?? EMPTY;
      words[2 * hole + 1] = words[2 * place + 1] ?? 0;
      hole = place;
    }
    words[2 * hole] = EMPTY;
    this.#count -= 1;
    if (this.#places > SMALLEST && 8 * this.#count < this.#places) this.#resize(this.#places / 2);
  }

  #resize(places: number): void {
    const earlier = this.#words;
    this.#words = new Uint32Array(2 * places).fill(EMPTY);
    this.#places = places;
    for (let at = 0; at < earlier.length; at += 2) {
      const entry = earlier[at] ?? EMPTY;
      if (entry !== EMPTY) this.#put(entry, earlier[at + 1] ?? 0);
    }
  }

  #put(entry: number, hash: number): void {
    const words = this.#words;
    const mask = this.#places - 1;
    let place = hash & mask;
    while (words[2 * place] !== EMPTY) place = place + 1 & mask;
    words[2 * place] = entry;
    words[2 * place + 1] = hash;
  }
}
