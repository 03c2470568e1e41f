// Oddities of the JSON text and of its bytes.

import { bytesOf, type Draft, type Oddity, oddityAt } from "./drafts.ts";
import type { Draw } from "./draw.ts";

const textOddity = oddityAt("text");
const byteOddity = oddityAt("bytes");

function ofText(name: string, weight: number, change: (text: string, at: number) => string, places: number): Oddity {
  return textOddity(name, weight, (draft, draw) => {
    draft.text = change(draft.text, draw.integer(0, places));
  });
}

function ofBytes(name: string, weight: number, change: (draft: Draft, draw: Draw) => Iterable<number>): Oddity {
  return byteOddity(name, weight, (draft, draw) => {
    draft.bytes = new Uint8Array(change(draft, draw));
  });
}

const DUPLICATES = [
  ['"id":77', '"id":null', '"method":"ping"', '"method":"tools/list"', '"method":"nope"', '"jsonrpc":"1.0"'],
  ['"params":{}', '"params":{"name":"mkt_ping","arguments":{}}', '"params":null', '"__proto__":{"id":1}'],
].flat();
const PIECES = ["{", "]", '"', "\\", "\u0000", "1e999", "NaN", "\\ud800", "\ud800", "//", ",", "undefined", "\u2028"];
const WHOLE = ["", " ", "null", "[]", "{}", "7", '"x"', "[[[[", "[".repeat(20_000), "nul", "{}{}", "'x'", "1e", "-"];
const SPACES = [" ", "\n", "\t", "\r\n  ", "\u00a0", "\u2028", "\ufeff", "\f"];

export const TEXT_ODDITIES: readonly Oddity[] = [
  ofText("duplicate member first", 4, (text, at) => text.replace("{", `{${DUPLICATES[at]},`), DUPLICATES.length - 1),
  ofText("duplicate member last", 4, (text, at) => text.replace(/}$/, `,${DUPLICATES[at]}}`), DUPLICATES.length - 1),
  ofText("duplicate name", 3, (text) => text.replace('"name":', '"name":"mkt_ping","name":'), 0),
  ofText("duplicate arguments", 3, (text) => text.replace(/("arguments":){/, '$1{"limit":1,"limit":2,'), 0),
  ofText("escaped names", 3, (text) => text.replace('"method"', '"\\u006dethod"').replace('"name"', '"n\\u0061me"'), 0),
  ofText("escaped value", 3, (text) => text.replace("tools/", "tools\\/").replace("mkt_", "mk\\u0074_"), 0),
  ofText("space around", 4, (text, at) => `${SPACES[at]}${text}${SPACES[at]}`, SPACES.length - 1),
  ofText("space inside", 3, (text, at) => text.replace(",", `${SPACES[at]},${SPACES[at]}`), SPACES.length - 1),
  ofText("cut", 2, (text, at) => text.slice(0, at % (text.length + 1)), 10_000),
  ofText("piece", 3, (text, at) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + PIECES[at % PIECES.length] + text.slice(place);
  }, 10_000),
  ofText("other text", 2, (_text, at) => WHOLE[at] ?? "", WHOLE.length - 1),
  ofText("trailing comma", 1, (text) => text.replace(/}$/, ",}"), 0),
];

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const NOT_UTF8 = [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc0, 0x80]];

export const BYTE_ODDITIES: readonly Oddity[] = [
  ofBytes("byte order mark", 2, ({ bytes }) => [...BYTE_ORDER_MARK, ...bytes]),
  ofBytes("not UTF-8", 2, ({ bytes }, draw) => {
    const at = draw.integer(0, bytes.length);
    return [...bytes.slice(0, at), ...draw.of(NOT_UTF8), ...bytes.slice(at)];
  }),
  ofBytes("UTF-16", 1, ({ text }) => Buffer.from(text, "utf16le")),
  ofBytes("large", 1, ({ text }, draw) => bytesOf(text.padEnd(draw.of([1999, 2000, 2001, 1_048_577]), " "))),
];
