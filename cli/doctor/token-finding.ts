// `mkt doctor` on bearer tokens: those that MCP over HTTP accepts, the one for the backend, and those that an engine with this
// environment accepts.

import type { Configuration } from "../../core/config/configuration.ts";
import type { Environment } from "../../core/config/variables.ts";
import { tokenFileFaults } from "../../common/http/server-access.ts";
import { readTokenFile } from "../../common/http/token-file.ts";
import { shortTokenWarning } from "../../common/http/token-store.ts";
import type { Finding } from "./finding.ts";

export function examineTokens({ http, backend }: Configuration, environment: Environment = {}): Finding {
  const subject = "tokens";
  const path = http?.tokenFile ?? null;
  const enginePath = environment["MKT_ENGINE_TOKEN_FILE"] || null;
  const faults = [...tokenFileFaults(path, "names_and_holders"), ...tokenFileFaults(enginePath, "names_and_users")];
  if (faults.length > 0) return { subject, state: "failed", detail: faults.join("; ") };
  const file = path === null ? null : readTokenFile(path);
  const ofEngine = enginePath === null ? null : readTokenFile(enginePath, "names_and_users");
  const warnings = [
    shortTokenWarning(http?.bearerToken ?? null, "MCP_BEARER_TOKEN"),
    shortTokenWarning(backend.bearerToken, backend.tokenSetting),
    ...file?.warnings ?? [],
    ...ofEngine?.warnings ?? [],
  ].filter((warning) => warning !== null);
  if (warnings.length > 0) return { subject, state: "warning", detail: warnings.join("; ") };
  if (http === null) return { subject, state: "off", detail: "stdio needs no token" };
  const count = (file?.tokens.length ?? 0) + (http.bearerToken === null ? 0 : 1);
  if (count === 0) return { subject, state: "off", detail: "MCP over HTTP requires no token: set MCP_BEARER_TOKEN" };
  const people = file?.tokens.filter(({ isPerson }) => isPerson).length ?? 0;
  const control = people === 0 ? ", so nobody can take control in the dashboard" : "";
  return { subject, state: "ok", detail: `tokens accepted over HTTP: ${count}, held by people: ${people}${control}` };
}
