// The headers of a plain message over HTTP. Protocol 2026-07-28 repeats version, method and name there.

import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { MODERN_VERSION, type PlainCall, type PlainQuestion } from "../../messages/plain-message.ts";

const LEGACY_VERSIONS: ReadonlySet<string> = new Set(SUPPORTED_PROTOCOL_VERSIONS);

/** Whether the headers are those of the message. */
export function headersFit(message: PlainCall | PlainQuestion, headers: Headers): boolean {
  const version = headers.get("MCP-Protocol-Version");
  if (message.era === "legacy") return version === null || LEGACY_VERSIONS.has(version);
  return version === MODERN_VERSION && headers.get("Mcp-Method") === message.method &&
    (message.method !== "tools/call" || headers.get("Mcp-Name") === message.name);
}
