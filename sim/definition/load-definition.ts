// Reads a market definition from the JSON file of `mkt engine --market FILE`.

import { readFileSync } from "node:fs";
import { fileErrorReason } from "../../common/file-error.ts";
import { checkDefinition, type CheckedDefinition } from "./check-definition.ts";

/** A file that can't be read or is not JSON gives one fault of one line. Other faults name their path in the file. */
export function loadDefinition(path: string): CheckedDefinition {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return { ok: false, faults: [`can't be read: ${fileErrorReason(error)}`] };
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { ok: false, faults: [`is not JSON: ${fileErrorReason(error)}`] };
  }
  return checkDefinition(json);
}
