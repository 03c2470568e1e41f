// Which keys sign the sessions of whom.

import { expect, test } from "bun:test";
import { SessionKeys, signatureOf } from "../../../../core/server/sessions/session-keys.ts";

interface Token {
  readonly name: string;
  readonly token: string;
  readonly isPerson: boolean;
}

function keysWith(tokens: Token[], isRequired = true) {
  const named = (name: string) => tokens.filter((each) => each.name === name);
  return new SessionKeys({ isRequired, named, secrets: () => tokens.map(({ token }) => token) } as never);
}

const TOKENS: Token[] = [
  { name: "desk", token: "one", isPerson: true },
  { name: "desk", token: "two", isPerson: false },
  { name: "bot", token: "three", isPerson: false },
];

test("a session has the keys of all tokens of its name; for control those of persons only", () => {
  const keys = keysWith(TOKENS);
  const of = (caller: string | null, access: "view" | "control") => keys.keysOf({ caller, access });
  const [one, two, three] = ["one", "two", "three"].map((token) => keys.keyOf(token));
  expect(of("desk", "view")).toEqual([one!, two!]);
  expect(of("desk", "control")).toEqual([one!]);
  expect([of("bot", "view"), of("bot", "control")]).toEqual([[three!], []]);
  expect([of(null, "view"), of("none", "view")]).toEqual([[], []]);
  expect(new Set([one, two, three].map((key) => key!.toString("hex"))).size).toBe(3);
});

test("a token has the same key on every server, and no key once it is removed", () => {
  const tokens = [...TOKENS];
  const keys = keysWith(tokens);
  expect(keys.keyOf("one")).toEqual(keysWith(TOKENS).keyOf("one"));
  tokens.shift();
  expect(keys.keysOf({ caller: "desk", access: "control" })).toEqual([]);
  expect(keys.keyOf("two")).toEqual(keysWith(TOKENS).keyOf("two"));
});

test("without tokens each process has a key of its own, for those without a name", () => {
  const [keys, other] = [keysWith([], false), keysWith([], false)];
  expect(keys.keysOf({ caller: null, access: "control" })).toEqual([keys.keyOf("any")]);
  expect(keys.keysOf({ caller: "desk", access: "view" })).toEqual([]);
  expect(keys.keyOf("any")).not.toEqual(other.keyOf("any"));
});

test("a signature depends on the key, the label and the text", () => {
  const key = Buffer.from("k");
  const all = [["k", "a", "b"], ["l", "a", "b"], ["k", "c", "b"], ["k", "a", "c"], ["k", "", "ab"]] as const;
  expect(new Set(all.map(([by, label, text]) => signatureOf(Buffer.from(by), label, text))).size).toBe(all.length);
  expect(signatureOf(key, "a", "b")).toMatch(/^[\w-]{43}$/);
});
