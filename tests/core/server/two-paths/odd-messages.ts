// Oddities of a message: its id, method, params and `_meta`, batches, and what is no JSON-RPC message at all.

import { nested } from "../../../support/schema-inputs.ts";
import { type Draft, type Json, objectIn, type Oddity, oddityAt, setOwn } from "./drafts.ts";
import type { Draw } from "./draw.ts";
import * as odd from "./odd-values.ts";
import { CAPABILITIES_KEY, CLIENT_KEY, VERSION_KEY } from "./usual-requests.ts";

const params = (draft: Draft) => objectIn(draft.message, "params");
/** The message's `_meta`, which is added if there is none. */
function meta(draft: Draft): Json | undefined {
  const found = params(draft);
  if (found !== undefined && found["_meta"] === undefined) found["_meta"] = {};
  return objectIn(draft.message, "params", "_meta");
}

function assign(object: Json | undefined, members: Json): void {
  for (const [name, value] of Object.entries(members)) setOwn(object, name, value);
}

const oddity = oddityAt("message");

/** Objects in objects, and now and then another value. */
function nestedCapabilities(draw: Draw, depth: number): unknown {
  const count = draw.integer(0, depth > 4 ? 0 : 3);
  const entries = Array.from({ length: count }, () => {
    const value = draw.chance(0.85)
      ? nestedCapabilities(draw, depth + 1)
      : draw.of<unknown>([true, false, null, 7, "x", []]);
    return [draw.of(odd.CAPABILITY_NAMES), value];
  });
  return Object.fromEntries(entries);
}

/** Puts a member at a random place among those that are there. */
function reordered(message: unknown, draw: Draw): unknown {
  const object = objectIn(message);
  return object === undefined ? message : Object.fromEntries(draw.shuffled(Object.entries(object)));
}

const another = (draft: Draft, message: Json) => {
  draft.message = { jsonrpc: "2.0", ...structuredClone(message) };
  draft.kind = String(message["method"] ?? "response");
};

export const MESSAGE_ODDITIES: readonly Oddity[] = [
  oddity("odd id", 6, (draft, draw) => setOwn(objectIn(draft.message), "id", draw.of(odd.ODD_IDS))),
  oddity("no id", 2, (draft) => delete objectIn(draft.message)?.["id"]),
  oddity("jsonrpc", 2, (draft, draw) => {
    const version = draw.of<unknown>([undefined, "1.0", "2", 2, null, "2.0 ", "", {}]);
    setOwn(objectIn(draft.message), "jsonrpc", version);
  }),
  oddity("member", 3, (draft, draw) => assign(objectIn(draft.message), draw.of(odd.TOP_MEMBERS))),
  oddity("__proto__", 2, (draft, draw) => {
    const at = draw.of([[], ["params"], ["params", "arguments"], ["params", "_meta"]]);
    setOwn(objectIn(draft.message, ...at), "__proto__", draw.of<unknown>([{}, { id: 7, method: "ping" }, null, 7]));
  }),
  oddity("method", 3, (draft, draw) => {
    const method = draw.of(odd.METHODS);
    setOwn(objectIn(draft.message), "method", method);
    draft.kind = "odd method";
  }),
  oddity("other method", 9, (draft, draw) => {
    const old = meta(draft);
    another(draft, draw.of(odd.OTHERS));
    if (old !== undefined && draw.chance(0.8)) {
      const message = objectIn(draft.message) ?? {};
      message["params"] = { ...objectIn(message, "params"), _meta: old };
    }
  }),
  oddity("no message", 2, (draft, draw) => {
    draft.message = structuredClone(draw.of(odd.NO_MESSAGES));
    draft.kind = "no message";
  }),
  oddity("params", 4, (draft, draw) => setOwn(objectIn(draft.message), "params", draw.of([...odd.WRONG, undefined]))),
  oddity("params member", 5, (draft, draw) => assign(params(draft), draw.of(odd.PARAM_MEMBERS))),
  oddity("tool name", 5, (draft, draw) => setOwn(params(draft), "name", draw.of(odd.TOOL_NAMES))),
  oddity("arguments", 8, (draft, draw) => {
    const value = draw.chance(0.1) ? nested(draw.of([20, 60, 5000])) : draw.of([...odd.ODD_ARGUMENTS, undefined]);
    setOwn(params(draft), "arguments", value);
  }),
  oddity("argument", 8, (draft, draw) => {
    const input = objectIn(draft.message, "params", "arguments");
    const name = draw.of([...Object.keys(input ?? {}), "limit", "cursor", "unknown", "", "7", "constructor"]);
    setOwn(input, name, draw.of(odd.ODD_ARGUMENTS));
  }),
  oddity("_meta", 3, (draft, draw) => setOwn(params(draft), "_meta", draw.of([...odd.WRONG, undefined]))),
  oddity("_meta member", 6, (draft, draw) => assign(meta(draft), draw.of(odd.META_MEMBERS))),
  oddity("progress token", 4, (draft, draw) => setOwn(meta(draft), "progressToken", draw.of(odd.PROGRESS_TOKENS))),
  oddity("envelope version", 5, (draft, draw) => setOwn(meta(draft), VERSION_KEY, draw.of(odd.VERSIONS))),
  oddity("client info", 5, (draft, draw) => setOwn(meta(draft), CLIENT_KEY, draw.of(odd.CLIENT_INFOS))),
  oddity("capabilities", 5, (draft, draw) => setOwn(meta(draft), CAPABILITIES_KEY, draw.of(odd.ODD_CAPABILITIES))),
  oddity("nested capabilities", 5, (draft, draw) => setOwn(meta(draft), CAPABILITIES_KEY, nestedCapabilities(draw, 0))),
  oddity("envelope part", 4, (draft, draw) => {
    delete objectIn(draft.message, "params", "_meta")?.[draw.of([VERSION_KEY, CLIENT_KEY, CAPABILITIES_KEY])];
  }),
  oddity("input responses", 4, (draft, draw) => assign(params(draft), draw.of(odd.ANSWERS))),
  oddity("order of members", 4, (draft, draw) => {
    draft.message = reordered(draft.message, draw);
    const message = objectIn(draft.message);
    if (message !== undefined && draw.chance(0.5)) message["params"] = reordered(message["params"], draw);
  }),
  oddity("batch", 5, (draft, draw) => {
    const count = draw.weighted([[1, 0], [4, 1], [5, 2], [3, 5], [1, 20], [1, 21], [1, 101]]);
    const items: unknown[] = Array.from({ length: count }, (_, at) => {
      const copy: unknown = structuredClone(draft.message);
      if (draw.chance(0.9)) setOwn(objectIn(copy), "id", at);
      return copy;
    });
    if (draw.chance(0.3)) {
      items.push(structuredClone(draw.of<unknown>([{ jsonrpc: "2.0", ...draw.of(odd.OTHERS) }, ...odd.NO_MESSAGES])));
    }
    draft.message = items;
    draft.kind = "batch";
  }),
];
