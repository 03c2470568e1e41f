// The length of a time for people: in the largest unit of which it has at least two.

const UNITS = [["days", 86_400], ["hours", 3600], ["minutes", 60]] as const;

/** Ignores the sign. */
export function lengthText(milliseconds: number): string {
  const seconds = Math.abs(milliseconds) / 1000;
  const [name, size] = UNITS.find(([, size]) => Math.round(seconds) >= 2 * size) ?? ["seconds", 1];
  return `${Math.round(seconds / size * 10) / 10} ${name}`;
}
