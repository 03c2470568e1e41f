// The environment of this process. DOTENV_PATH: an env file for local development, which overrides no variable that is set.

import { existsSync } from "node:fs";
import { ownEnvironment } from "../../common/environment.ts";
import { fileErrorReason } from "../../common/file-error.ts";
import type { ConfigurationFault } from "./configuration.ts";
import type { VariableName } from "./variables.ts";

export const ENVIRONMENT = ownEnvironment<VariableName>();

/** Loads the file into the environment. Null if that worked or DOTENV_PATH is not set. */
export function loadEnvFile(): ConfigurationFault | null {
  const path = ENVIRONMENT.DOTENV_PATH;
  if (path === undefined || path === "") return null;
  if (!existsSync(path)) return { variable: "DOTENV_PATH", message: `there is no file ${path}` };
  try {
    process.loadEnvFile(path);
    return null;
  } catch (error) {
    return { variable: "DOTENV_PATH", message: `${path} can't be read: ${fileErrorReason(error)}` };
  }
}
