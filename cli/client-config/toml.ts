// Writes a table of TOML 1.0 with strings and lists of strings.

export function tomlTable(name: string, values: Readonly<Record<string, string | readonly string[]>>): string {
  const lines = Object.entries(values).map(([key, value]) =>
    `${key} = ${typeof value === "string" ? tomlString(value) : `[${value.map(tomlString).join(", ")}]`}\n`
  );
  return `[${name}]\n${lines.join("")}`;
}

/** A basic string. Everything but letters, digits, punctuation, symbols and spaces is escaped. */
function tomlString(text: string): string {
  const escaped = text.toWellFormed().replace(/["\\]/g, "\\$&").replace(
    /[^\p{L}\p{N}\p{P}\p{S} ]/gu,
    (character) => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`,
  );
  return `"${escaped}"`;
}
