// Reads a market definition from the JSON file of `mkt engine --market FILE`.

import { readFileSync } from "node:fs";
import { fileErrorReason } from "../../common/file-error.ts";
import { checkDefinition, type CheckedDefinition } from "./check-definition.ts";

/** Some editors put it before the text. */
const BYTE_ORDER_MARK = /^\uFEFF/;

type JsonFile =
  | { readonly ok: true; readonly json: unknown }
  | { readonly ok: false; readonly faults: readonly string[] };

/** A file that can't be read or is not JSON gives one fault of one line. Other faults name their path in the file. */
export function loadDefinition(path: string): CheckedDefinition {
  const file = readJsonFile(path);
  return file.ok ? checkDefinition(file.json) : file;
}

/** A file that can't be read or is not JSON gives one fault of one line. */
export function readJsonFile(path: string): JsonFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return { ok: false, faults: [`can't be read: ${fileErrorReason(error)}`] };
  }
  try {
    return { ok: true, json: JSON.parse(text.replace(BYTE_ORDER_MARK, "")) };
  } catch (error) {
    return { ok: false, faults: [`is not JSON: ${fileErrorReason(error)}`] };
  }
}
