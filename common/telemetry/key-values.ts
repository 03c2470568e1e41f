// Lists of names and values in OpenTelemetry's variables: `name=value,name=value`. Names and values are percent-encoded, as in
// W3C Baggage.

/** Null if the text has another form. A name that comes twice has its last value. */
export function keyValues(text: string): Readonly<Record<string, string>> | null {
  const pairs = text.split(",").map((pair) => pair.trim()).filter((pair) => pair !== "").map(pairOf);
  return pairs.every((pair) => pair !== null) ? Object.fromEntries(pairs) : null;
}

/** A value may have further equals signs, as base64 does. */
function pairOf(pair: string): [string, string] | null {
  const at = pair.indexOf("=");
  if (at < 1) return null;
  const name = decoded(pair.slice(0, at).trim());
  const value = decoded(pair.slice(at + 1).trim());
  return name === null || name === "" || value === null ? null : [name, value];
}

/** Null if a percent sign begins no encoded character. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
