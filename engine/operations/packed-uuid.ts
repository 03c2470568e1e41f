// A UUID with lower-case digits, as clients make for operationIds, in 16 bytes instead of 36.

const LENGTH = 36;
const DASH = 45;
/** Where the two digits of each byte begin. */
const DIGITS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
export const UUID_BYTES = DIGITS.length;
/** The value of each digit, by its code; -1 for other characters. */
const VALUES = new Int8Array(128).fill(-1);
for (const [value, digit] of [..."0123456789abcdef"].entries()) VALUES[digit.charCodeAt(0)] = value;

/** Writes a text that is such a UUID, and returns whether it is one. Otherwise what it has written is without meaning. */
export function writeUuid(text: string, bytes: Uint8Array, at: number): boolean {
  if (text.length !== LENGTH || !hasDashes(text)) return false;
  for (let byte = 0; byte < UUID_BYTES; byte++) {
    const value = byteAt(text, DIGITS[byte] ?? 0);
    if (value < 0) return false;
    bytes[at + byte] = value;
  }
  return true;
}

export function readUuid(bytes: Uint8Array, at: number): string {
  const hex = bytes.subarray(at, at + UUID_BYTES).toHex();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Whether a text is the UUID that was written. */
export function isUuidAt(text: string, bytes: Uint8Array, at: number): boolean {
  if (text.length !== LENGTH) return false;
  for (let byte = 0; byte < UUID_BYTES; byte++) {
    if (byteAt(text, DIGITS[byte] ?? 0) !== bytes[at + byte]) return false;
  }
  return hasDashes(text);
}

function hasDashes(text: string): boolean {
  return text.charCodeAt(8) === DASH && text.charCodeAt(13) === DASH && text.charCodeAt(18) === DASH &&
    text.charCodeAt(23) === DASH;
}

/** The byte of two digits; below 0 if they aren't lower-case hexadecimal digits. */
function byteAt(text: string, at: number): number {
  const high = text.charCodeAt(at);
  const low = text.charCodeAt(at + 1);
  return (high | low) < VALUES.length ? (VALUES[high] ?? -1) << 4 | (VALUES[low] ?? -1) : -1;
}
