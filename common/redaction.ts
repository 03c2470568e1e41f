// JSON text in which no string has a secret in it.
//
// Cost: one search for each secret. Only if one is found is the value serialised again, string by string.

const REDACTED = "[secret]";

export class Redaction {
  #secrets: readonly string[] = [];
  /** The secrets as they would be in JSON text. */
  #inJson: readonly string[] = [];

  /** `secrets` is called for each value. It should return the same array again until the secrets change. */
  constructor(private readonly secrets: () => readonly string[]) {}

  /** The compact JSON text of a value. */
  jsonOf(value: object): string {
    const secrets = this.secrets();
    if (secrets !== this.#secrets) {
      this.#secrets = secrets;
      this.#inJson = secrets.map(inJson);
    }
    const json = JSON.stringify(value);
    return this.#inJson.some((secret) => json.includes(secret)) ? redactedJson(value, secrets) : json;
  }
}

/** The text without these secrets. */
export function redacted(text: string, secrets: readonly string[]): string {
  // Longest first: a secret that begins with another one would otherwise keep its end.
  const ordered = secrets.toSorted((one, other) => other.length - one.length);
  return ordered.reduce((safe, secret) => safe.replaceAll(secret, REDACTED), text);
}

function redactedJson(value: object, secrets: readonly string[]): string {
  return JSON.stringify(value, (_name, part: unknown) => typeof part === "string" ? redacted(part, secrets) : part);
}

/** What is part of the JSON text of every string that holds the secret. Half of a character depends on what follows it. */
function inJson(secret: string): string {
  return secret.isWellFormed() ? JSON.stringify(secret).slice(1, -1) : "";
}
