// The fingerprint of a request's content, and its text in journals.

/** 64 bits. */
export interface Fingerprint {
  readonly high: number;
  readonly low: number;
}

/** 16 hexadecimal digits. */
export function fingerprintText({ high, low }: Fingerprint): string {
  return hex(high) + hex(low);
}

export function fingerprintFrom(text: string): Fingerprint {
  return { high: parseInt(text.slice(0, 8), 16), low: parseInt(text.slice(8), 16) };
}

function hex(word: number): string {
  return word.toString(16).padStart(8, "0");
}
