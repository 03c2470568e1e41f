// Who may reach an engine or a simulator, as set by variables (docs/configuration.md).

import { tokenOrFile } from "../secret-file.ts";
import { exposureFault, hostNameFaults, originFaults, type ServerAccess, tokenFileFaults } from "../server-access.ts";
import { TOKEN_TEXT } from "../token-file.ts";
import type { EnvironmentOf } from "../../environment.ts";
import type { SettingFault } from "./engine-limits.ts";

const TOKEN = "MKT_BEARER_TOKEN";
const SECRET_FILE = "MKT_BEARER_TOKEN_FILE";
const TOKEN_FILE = "MKT_ENGINE_TOKEN_FILE";
const ALLOWED_HOSTS = "MKT_ENGINE_ALLOWED_HOSTS";
const ALLOWED_ORIGINS = "MKT_ENGINE_ALLOWED_ORIGINS";
const ALLOW_UNAUTHENTICATED = "MKT_ENGINE_ALLOW_UNAUTHENTICATED";

/** The variables that only an engine and a simulator read. */
export const ENGINE_ACCESS_VARIABLES = [TOKEN_FILE, ALLOWED_HOSTS, ALLOWED_ORIGINS, ALLOW_UNAUTHENTICATED] as const;

export type EngineAccessVariable = (typeof ENGINE_ACCESS_VARIABLES)[number];

/** Variables that refusals and log lines name. */
export const ACCESS_SETTINGS = { hosts: ALLOWED_HOSTS, origins: ALLOWED_ORIGINS } as const;
export const TOKEN_SETTINGS = { token: TOKEN, file: TOKEN_FILE } as const;

/** An empty value counts as not set. `host`: the address to listen on. */
export function readEngineAccess(
  environment: EnvironmentOf<typeof TOKEN | typeof SECRET_FILE | EngineAccessVariable>,
  host: string,
): { readonly access: ServerAccess } | { readonly faults: readonly SettingFault[] } {
  const secret = tokenOrFile(environment[TOKEN], environment[SECRET_FILE], TOKEN);
  const access: ServerAccess = {
    // A file that can't be read is one fault, and not a missing token too.
    token: "fault" in secret ? "unknown" : secret.token,
    tokenFile: environment[TOKEN_FILE] || null,
    allowedHosts: listIn(environment[ALLOWED_HOSTS]),
    allowedOrigins: listIn(environment[ALLOWED_ORIGINS]),
  };
  const flag = environment[ALLOW_UNAUTHENTICATED] || "0";
  const isOpen = flag === "1" || flag === "true";
  const isFlag = isOpen || flag === "0" || flag === "false";
  const variables = { token: TOKEN, tokenFile: TOKEN_FILE, allowUnauthenticated: ALLOW_UNAUTHENTICATED };
  const exposure = exposureFault(host, access, isOpen, variables);
  const isToken = access.token === null || TOKEN_TEXT.test(access.token);
  const faults: SettingFault[] = [
    ...(exposure === null ? [] : [{ variable: "--host", message: exposure }]),
    ...(isFlag ? [] : [{ variable: ALLOW_UNAUTHENTICATED, message: "must be 1, true, 0 or false" }]),
    ...("fault" in secret ? [{ variable: SECRET_FILE, message: secret.fault }] : []),
    ...(isToken ? [] : [{ variable: TOKEN, message: "must be printable ASCII without spaces" }]),
    ...tokenFileFaults(access.tokenFile, "names_and_users").map((message) => ({ variable: TOKEN_FILE, message })),
    ...hostNameFaults(access.allowedHosts).map((message) => ({ variable: ALLOWED_HOSTS, message })),
    ...originFaults(access.allowedOrigins).map((message) => ({ variable: ALLOWED_ORIGINS, message })),
  ];
  return faults.length > 0 ? { faults } : { access };
}

function listIn(text: string | undefined): readonly string[] | undefined {
  if (text === undefined || text === "") return undefined;
  return text.split(",").map((item) => item.trim()).filter((item) => item !== "");
}
