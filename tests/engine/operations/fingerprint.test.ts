import { expect, test } from "bun:test";
import { ANY_CONTENT, ContentHash } from "../../../engine/operations/fingerprint.ts";
import { fingerprintText } from "../../../engine/api/fingerprint.ts";
import { KeyedHash } from "../../../engine/operations/keyed-hash.ts";

const hash = new ContentHash();

function fingerprint(action: string, write: (content: ContentHash) => void = () => {}): string {
  hash.begin(action);
  write(hash);
  return fingerprintText(hash.end());
}

// Fields come in the order and of the types of their action, so only such contents can be taken for each other.
test("contents that differ in anything have other fingerprints, and the same content has the same", () => {
  const contents: [action: string, write?: (content: ContentHash) => void][] = [
    ["a"],
    ["b"],
    ["", (content) => content.text("a")],
    ["a", (content) => content.text("x")],
    ["a", (content) => content.text("y")],
    ["a", (content) => content.text("xy")],
    ["a", (content) => content.text("xyz")],
    ["a", (content) => content.text("xyw")],
    ["a", (content) => (content.text("x"), content.text("y"))],
    ["a", (content) => (content.text("y"), content.text("x"))],
    ["a", (content) => (content.text("xy"), content.text(""))],
    ["a", (content) => (content.text(""), content.text("xy"))],
    ["a", (content) => content.text("x\0")],
    ["a", (content) => content.text("x\0\0")],
    ["a", (content) => content.text("\u0100")],
    ["a", (content) => content.text("\u0200")],
    ["a", (content) => content.text("x".repeat(1_000))],
    ["a", (content) => content.text("x".repeat(999))],
    ["a", (content) => content.number(0)],
    ["a", (content) => content.number(1)],
    ["a", (content) => content.number(-1)],
    ["a", (content) => content.number(0.1)],
    ["a", (content) => content.number(0.1 + Number.EPSILON / 8)],
    ["a", (content) => content.number(2 ** 40)],
    ["a", (content) => content.number(2 ** 40 + 1)],
    ["a", (content) => content.flag(true)],
    ["a", (content) => content.flag(false)],
    ["a", (content) => (content.optionalText("x"), content.optionalText(undefined))],
    ["a", (content) => (content.optionalText(undefined), content.optionalText("x"))],
    ["a", (content) => content.optionalText("")],
    ["a", (content) => (content.optionalNumber(5), content.optionalNumber(undefined))],
    ["a", (content) => (content.optionalNumber(undefined), content.optionalNumber(5))],
    ["a", (content) => content.optionalNumber(0)],
  ];
  const fingerprints = contents.map(([action, write]) => fingerprint(action, write));
  expect(new Set(fingerprints).size).toBe(contents.length);
  expect(contents.map(([action, write]) => fingerprint(action, write))).toEqual(fingerprints);
  expect(fingerprints).not.toContain(fingerprintText(ANY_CONTENT));
  expect(fingerprint("a", (content) => content.number(-0))).toBe(fingerprint("a", (content) => content.number(0)));
});

test("a text has the same hash whatever was hashed before, another one under another key, and spreads over all bits", () => {
  const keyed = new KeyedHash([1, 2]);
  const texts = Array.from({ length: 2_000 }, (_, at) => `order-${at}`);
  const hashes = texts.map((text) => keyed.of(text));
  expect(texts.toReversed().map((text) => keyed.of(text))).toEqual(hashes.toReversed());
  expect(keyed.of("order-7")).toBe(keyed.of("order-7"));
  keyed.of("order-7");
  keyed.begin();
  keyed.text("another");
  keyed.end();
  expect([keyed.of("order-7"), keyed.of("order-8")]).toEqual([hashes[7]!, hashes[8]!]);
  expect(new KeyedHash([1, 2]).of("order-7")).toBe(hashes[7]!);
  for (const key of [[1, 3], [2, 2], [0, 0]] as const) expect(new KeyedHash(key).of("order-7")).not.toBe(hashes[7]!);
  expect(new Set(hashes).size).toBe(texts.length);
  expect(new Set(["", "\0", "\0\0", "x", "x\0", "x\0\0"].map((text) => keyed.of(text))).size).toBe(6);
  for (let bit = 0; bit < 32; bit++) {
    const share = hashes.filter((hash) => (hash >>> bit & 1) === 1).length / texts.length;
    expect(share).toBeWithin(0.4, 0.6);
  }
  expect(hashes.every((hash) => hash >= 0 && hash < 2 ** 32)).toBe(true);
});
