// Reads a market definition from the JSON file of `mkt engine --market FILE`.

import { readFileSync } from "node:fs";
import { checkDefinition, type CheckedDefinition } from "./check-definition.ts";

/** A file that can't be read or is not JSON gives one fault of one line. Other faults name their path in the file. */
export function loadDefinition(path: string): CheckedDefinition {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return { ok: false, faults: [`can't be read: ${reasonOf(error)}`] };
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { ok: false, faults: [`is not JSON: ${reasonOf(error)}`] };
  }
  return checkDefinition(json);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) throw error;
  if ("code" in error && error.code === "ENOENT") return "no such file";
  return error.message.replaceAll(/\s+/g, " ").trim();
}
