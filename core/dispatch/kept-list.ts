// The JSON text of a value that has lists of kept views (core/tools/kept-view.ts): the kept texts, joined. Only what stands
// around them is serialised.

import { type JsonText, jsonText } from "../../common/json-text.ts";
import { isPlainJson } from "../../common/safe-json.ts";
import { MAX_DEPTH } from "../../protocol/limits.ts";
import { keptText } from "../tools/kept-view.ts";

/** Null if the value has no such list, or if something around the lists needs a closer look (common/safe-json.ts). */
export function textOfKeptLists(value: Readonly<Record<string, unknown>>): JsonText | null {
  if (!hasKeptList(value) || "toJSON" in value) return null;
  let text = "";
  let quoted = "";
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined) continue;
    const json = isKeptList(member) ? listText(member) : plainText(member);
    if (json === null || !PLAIN_NAME.test(name)) return null;
    const separator = text === "" ? "{" : ",";
    text += `${separator}"${name}":${json.text}`;
    quoted += `${separator}\\"${name}\\":${json.quoted}`;
  }
  return { text: `${text}}`, quoted: `${quoted}}` };
}

const PLAIN_NAME = /^\w{1,100}$/;

function hasKeptList(value: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(value).some((name) => isKeptList(value[name]));
}

/** Whether the first item's text is kept. */
function isKeptList(member: unknown): member is readonly object[] {
  if (!Array.isArray(member)) return false;
  const first: unknown = member[0];
  return typeof first === "object" && first !== null && keptText(first) !== undefined;
}

/** Null if something in the list is not kept. */
function listText(list: readonly object[]): JsonText | null {
  const texts: string[] = [];
  const quoted: string[] = [];
  for (const item of list) {
    const kept = keptText(item);
    if (kept === undefined) return null;
    texts.push(kept.text);
    quoted.push(kept.quoted);
  }
  return { text: `[${texts.join(",")}]`, quoted: `[${quoted.join(",")}]` };
}

/** Null if the member needs a closer look. */
function plainText(member: unknown): JsonText | null {
  if (typeof member === "boolean" || Number.isFinite(member)) {
    const text = `${member}`;
    return { text, quoted: text };
  }
  const text = JSON.stringify(member) as string | undefined;
  return text !== undefined && isPlainJson(text, MAX_DEPTH - 1) ? jsonText(text) : null;
}
