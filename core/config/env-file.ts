// DOTENV_PATH: an env file for local development. A variable that is set already wins over the file.

import { existsSync } from "node:fs";
import type { ConfigurationFault } from "./configuration.ts";

/** Loads the file that DOTENV_PATH names into `process.env`; null where all is well or none is named. */
export function loadEnvFile(): ConfigurationFault | null {
  const path = process.env["DOTENV_PATH"];
  if (path === undefined || path === "") return null;
  if (!existsSync(path)) return { variable: "DOTENV_PATH", message: `there is no file ${path}` };
  try {
    process.loadEnvFile(path);
    return null;
  } catch (error) {
    return { variable: "DOTENV_PATH", message: `${path} can't be read: ${(error as Error).message}` };
  }
}
