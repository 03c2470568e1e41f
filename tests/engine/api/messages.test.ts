import { expect, test } from "bun:test";
import { MAX_TEXT_LENGTH } from "../../../protocol/limits.ts";
import { fingerprintFrom, fingerprintText } from "../../../engine/api/fingerprint.ts";
import { beginArray, EVERYONE, frameOf, joinableTexts, PublishedEvent } from "../../../engine/api/messages.ts";
import { notFound, rejected } from "../../../engine/api/outcome.ts";

/** Messages in one shared text: an array, unless it says otherwise. */
function published(text: string, ...messages: string[]): PublishedEvent[] {
  const shared = { text };
  return messages.map((message, at) => {
    const start = text.indexOf(message);
    return new PublishedEvent(at, EVERYONE, shared, start, start + message.length);
  });
}

const [one, two, three] = published("[{1},{2},{3}]", "{1}", "{2}", "{3}");
const [other, another] = published("[{4},{5}]", "{4}", "{5}");
const [bare] = published("{6}", "{6}");
// It begins where the first message of the others ends.
const [shifted] = published("[{7},{8}]", "{8}");

const FRAMES: [what: string, messages: PublishedEvent[], texts: string[], begins: boolean][] = [
  ["all of an array", [one!, two!, three!], ["{1},{2},{3}"], true],
  ["its first ones", [one!, two!], ["{1},{2}"], true],
  ["its last ones", [two!, three!], ["{2},{3}"], false],
  ["all but one in the middle", [one!, three!], ["{1}", "{3}"], true],
  ["the same, in another order", [three!, two!, one!], ["{3}", "{2}", "{1}"], true],
  ["two arrays", [one!, two!, three!, other!, another!], ["{1},{2},{3}", "{4},{5}"], true],
  ["places of two texts that follow each other", [one!, shifted!], ["{1}", "{8}"], true],
  ["a text without an array", [bare!], ["{6}"], false],
  ["a text without an array, then an array", [bare!, other!, another!], ["{6}", "{4},{5}"], true],
];
test.each(FRAMES)(
  "a frame of %s has each message once, and copies no more texts than it must",
  (_, messages, texts, begins) => {
    expect(joinableTexts(messages)).toEqual(texts);
    expect(frameOf(messages)).toBe(`[${texts.join(",")}]`);
    expect(beginArray(messages)).toBe(begins);
    expect(messages.map(({ text }) => text)).toEqual(texts.join(",").split(","));
    expect(messages.map(({ length }) => length)).toEqual(messages.map(() => 3));
  },
);

test("no messages have no texts", () => {
  expect([joinableTexts([]), beginArray([])]).toEqual([[], false]);
});

test("a message that is given no place is the whole text", () => {
  expect(new PublishedEvent(7, EVERYONE, { text: "{whole}" }).text).toBe("{whole}");
});

test("a fingerprint has sixteen digits, which give it back", () => {
  const words = [0, 1, 0xf, 0x1234_5678, 0x8000_0000, 0xffff_ffff];
  for (const high of words) {
    for (const low of words) {
      const text = fingerprintText({ high, low });
      expect([text, fingerprintFrom(text)]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), { high, low }]);
    }
  }
  expect(fingerprintText({ high: 0x1a, low: 0x2b00_0000 })).toBe("0000001a2b000000");
});

test("a rejection has its code, its message up to the length of the protocol, and a result if it is given one", () => {
  expect(rejected("too_late", "Late.")).toEqual({ status: "rejected", code: "too_late", message: "Late." });
  expect(rejected("too_late", "Late.", { order: 1 })).toEqual({
    ...rejected("too_late", "Late."),
    result: { order: 1 },
  });
  expect(rejected("too_late", "x".repeat(MAX_TEXT_LENGTH)).message).toHaveLength(MAX_TEXT_LENGTH);
  expect(notFound("order", "y".repeat(MAX_TEXT_LENGTH)).message).toHaveLength(MAX_TEXT_LENGTH);
  expect(notFound("order", "ORD-1")).toEqual(rejected("not_found", "There is no order with id ORD-1."));
});
