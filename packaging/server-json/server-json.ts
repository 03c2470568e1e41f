// server.json: what the MCP registry knows of mkt. Its packages are alternatives: the npm package on stdio or over HTTP, and an
// MCPB bundle for each platform.
//
// The registry has no field for the platform of a bundle. The name of the file and the bundle's manifest have it, and a host
// refuses a bundle for another platform. So the npm package comes first: it runs everywhere.
//
// Schema: github.com/modelcontextprotocol/registry, docs/reference/server-json (version 2025-12-11).

import type { VARIABLES } from "../../core/config/variables.ts";
import {
  DESCRIPTION,
  HOMEPAGE,
  NPM_PACKAGE,
  PROGRAM_NAME,
  REGISTRY_NAME,
  releaseFileUrl,
  REPOSITORY,
} from "../identity.ts";

export const SERVER_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** A bundle of the release (packaging/mcpb/bundle.ts). */
interface ReleasedBundle {
  readonly file: string;
  readonly sha256: string;
}

interface ServerJsonOptions {
  readonly version: string;
  /** Empty: the server has only its npm package. */
  readonly bundles: readonly ReleasedBundle[];
}

interface Input {
  readonly name: (typeof VARIABLES)[number];
  readonly description: string;
  readonly isRequired?: boolean;
  readonly isSecret?: boolean;
  readonly format?: "string" | "number" | "boolean" | "filepath";
  readonly default?: string;
  readonly placeholder?: string;
  readonly choices?: readonly string[];
}

const BACKEND: readonly Input[] = [
  {
    name: "MKT_HOST",
    description: "Host and port of the market's engine. localhost:3001 is mkt demo or mkt engine on this machine.",
    isRequired: true,
    default: "localhost:3001",
  },
  {
    name: "MKT_BASE_URL",
    description: "Base URL of the engine's HTTP API, on the host of MKT_HOST",
    default: "http://localhost:3001",
  },
  {
    name: "MKT_USER_ID",
    description: "User of the market to act as. operator is the operator of the built-in market.",
    isRequired: true,
    default: "operator",
  },
  { name: "MKT_BEARER_TOKEN", description: "Bearer token for the engine, if it requires one", isSecret: true },
  {
    name: "MKT_AUDIT_STORE",
    description: "Where the audit trail is read: backend is mkt's own engine, azure is table storage",
    choices: ["backend", "azure"],
    default: "backend",
  },
  {
    name: "MKT_READ_ONLY",
    description: "Offer only tools that change nothing in the market",
    format: "boolean",
    default: "false",
  },
  { name: "MKT_PACKS", description: "Packs of tools to offer, separated by commas", placeholder: "query,monitor" },
];

const HTTP: readonly Input[] = [
  {
    name: "MCP_HTTP_PORT",
    description: "Port on which the server listens",
    isRequired: true,
    format: "number",
    default: "4087",
  },
  { name: "MCP_BEARER_TOKEN", description: "Bearer token that the server requires from its clients", isSecret: true },
];

/** The registry refuses descriptions of more than 100 characters; DESCRIPTION is shorter. */
export function serverJson({ version, bundles }: ServerJsonOptions) {
  const npm = { registryType: "npm", identifier: NPM_PACKAGE, version, runtimeHint: "npx" };
  return {
    $schema: SERVER_SCHEMA,
    name: REGISTRY_NAME,
    title: `${PROGRAM_NAME} electricity market`,
    description: DESCRIPTION,
    version,
    repository: { url: REPOSITORY, source: "github" },
    websiteUrl: HOMEPAGE,
    packages: [
      { ...npm, transport: { type: "stdio" }, environmentVariables: BACKEND },
      {
        ...npm,
        transport: {
          type: "streamable-http",
          // The registry puts the variable's value here.
          url: "http://127.0.0.1:{MCP_HTTP_PORT}/mcp",
          headers: [{
            name: "Authorization",
            description: "Bearer and a space, then the value of MCP_BEARER_TOKEN, if it is set",
            isSecret: true,
          }],
        },
        environmentVariables: [...HTTP, ...BACKEND],
      },
      // The bundle's manifest asks the user for its settings.
      ...bundles.map(({ file, sha256 }) => ({
        registryType: "mcpb",
        identifier: releaseFileUrl(file, version),
        version,
        fileSha256: sha256,
        transport: { type: "stdio" },
      })),
    ],
  };
}
