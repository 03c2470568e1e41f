// The configurations under which both paths are compared. Each has two worlds of its own.

import { tokenFile } from "../../../support/temporary-directory.ts";
import { PROBE_PACK } from "./probe-pack.ts";
import type { WorldOptions } from "./world.ts";

export interface Setting extends WorldOptions {
  readonly name: string;
  /** Share of the messages. */
  readonly weight: number;
  readonly authorizations?: readonly string[];
  /** The market connection before each group of messages; `connected` if absent. */
  readonly connection?: "connected" | "reconnecting" | "left alone";
}

const TOKEN = "token-of-the-test-0";
const TOKENS = { desk: "token-of-the-desk-1", robot: "token-of-the-robot-2" };
const UNLIMITED = { MCP_UNAUTHORIZED_LIMIT: "1000000" };

export function settings(): readonly Setting[] {
  const file = tokenFile(`desk ${TOKENS.desk}`, `robot ${TOKENS.robot}`, "desk token-of-the-desk-new");
  const bearers = Object.values(TOKENS).map((token) => `Bearer ${token}`);
  return [
    { name: "no token", weight: 5, environment: {} },
    {
      name: "one token, other hosts and origins",
      weight: 3,
      environment: {
        ...UNLIMITED,
        MCP_BEARER_TOKEN: TOKEN,
        MCP_ALLOWED_HOSTS: "localhost,127.0.0.1,[::1],desk.example:8443",
        MCP_ALLOWED_ORIGINS: "https://desk.example:8443,localhost",
        MKT_OUTPUT_SCHEMAS: "off",
      },
      authorizations: [`Bearer ${TOKEN}`],
    },
    {
      name: "token file, a person confirms",
      weight: 5,
      environment: { ...UNLIMITED, MCP_BEARER_TOKEN_FILE: file, MKT_CONFIRM: "elicit" },
      authorizations: [...bearers, "Bearer token-of-the-desk-new"],
    },
    { name: "read-only", weight: 2, environment: { MKT_READ_ONLY: "1" } },
    {
      name: "frozen",
      weight: 2,
      environment: {},
      frozen: { reason: "a \u202etest", since: "2030-01-01T00:00:00.000Z" },
    },
    {
      name: "limits",
      weight: 3,
      environment: {
        MCP_BEARER_TOKEN_FILE: file,
        MCP_RATE_LIMIT: "12",
        MCP_UNAUTHORIZED_LIMIT: "3",
        MCP_MAX_REQUESTS: "1",
        MAX_BODY_SIZE: "2000",
        MKT_MAX_ORDER_QUANTITY: "5",
      },
      authorizations: bearers,
    },
    { name: "reconnecting", weight: 2, environment: {}, connection: "reconnecting" },
    {
      name: "not connected",
      weight: 1,
      environment: { MKT_PACKS: "query,monitor,mutation" },
      connection: "left alone",
    },
    { name: "a further pack", weight: 3, environment: { MKT_PACKS: "probe,query,monitor" }, packs: [PROBE_PACK] },
  ];
}
