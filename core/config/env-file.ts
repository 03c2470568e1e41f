// DOTENV_PATH: an env file for local development. It does not override variables that are already set.

import { existsSync } from "node:fs";
import { fileErrorReason } from "../../common/file-error.ts";
import type { ConfigurationFault } from "./configuration.ts";

/** Loads the file into `process.env`. Null if that worked or DOTENV_PATH is not set. */
export function loadEnvFile(): ConfigurationFault | null {
  const path = process.env["DOTENV_PATH"];
  if (path === undefined || path === "") return null;
  if (!existsSync(path)) return { variable: "DOTENV_PATH", message: `there is no file ${path}` };
  try {
    process.loadEnvFile(path);
    return null;
  } catch (error) {
    return { variable: "DOTENV_PATH", message: `${path} can't be read: ${fileErrorReason(error)}` };
  }
}
