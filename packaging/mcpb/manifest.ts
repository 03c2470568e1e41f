// The manifest of an MCPB bundle: how a chat host starts the executable, and what it asks its user for.
//
// Each bundle contains the executable of one platform: a manifest can choose by operating system (`platform_overrides`) but not
// by processor, and all executables together would be six times as large. So there are no overrides.
//
// A host leaves `${user_config.name}` as it is if the user gave no value and the manifest has no default. So everything that is
// not required has one; the empty text counts as a variable that is not set.

import type { VariableName } from "../../core/config/variables.ts";
import { PACKS } from "../../plugins/index.ts";
import { AUTHOR, DESCRIPTION, HOMEPAGE, ISSUES, LICENSE, PROGRAM_NAME, REPOSITORY } from "../identity.ts";
import { executableName, type Platform } from "../platforms.ts";
import { ICON_SIZE } from "./icon.ts";

/** The newest version of the manifest that hosts support besides the draft of the next one. */
export const MANIFEST_VERSION = "0.3";
export const ICON_FILE = "icon.png";

/** Where the executable is in the bundle. */
export function entryPoint(platform: Platform): string {
  return `server/${executableName(platform)}`;
}

interface Setting {
  readonly type: "string" | "number" | "boolean";
  readonly title: string;
  readonly description: string;
  readonly required?: boolean;
  readonly sensitive?: boolean;
  readonly default?: string | number | boolean;
}

/** What a host asks its user for, by the name in `user_config`. */
const SETTINGS = {
  host: {
    type: "string",
    title: "Engine",
    description: "Host and port of the market's engine. localhost:3001 is mkt demo or mkt engine on this machine.",
    required: true,
    default: "localhost:3001",
  },
  user: {
    type: "string",
    title: "User",
    description: "The user of the market to act as. operator is the operator of the built-in market.",
    required: true,
    default: "operator",
  },
  token: {
    type: "string",
    title: "Token",
    description: "The engine's bearer token. Empty if the engine needs none.",
    sensitive: true,
    default: "",
  },
  read_only: {
    type: "boolean",
    title: "Read only",
    description: "Offer only tools that change nothing in the market.",
    default: false,
  },
  packs: {
    type: "string",
    title: "Packs",
    description: `Packs of tools to offer, separated by commas. Empty: all. ${
      PACKS.map(({ name }) => name).join(", ")
    }`,
    default: "",
  },
} as const satisfies Readonly<Record<string, Setting>>;

const reference = (name: keyof typeof SETTINGS) => `\${user_config.${name}}`;

/** The environment of the executable, by the user's settings. */
const ENVIRONMENT = {
  MKT_HOST: reference("host"),
  MKT_BASE_URL: `http://${reference("host")}`,
  MKT_USER_ID: reference("user"),
  MKT_BEARER_TOKEN: reference("token"),
  MKT_READ_ONLY: reference("read_only"),
  MKT_PACKS: reference("packs"),
  MKT_AUDIT_STORE: "backend",
} as const satisfies Partial<Record<VariableName, string>>;

const SYSTEMS = { linux: "Linux", macos: "macOS", windows: "Windows" } as const;

export function mcpbManifest(platform: Platform, version: string) {
  return {
    manifest_version: MANIFEST_VERSION,
    name: PROGRAM_NAME,
    display_name: `${PROGRAM_NAME} electricity market`,
    version,
    description: DESCRIPTION,
    long_description: "Orders, order book, fills, credit, trading halts and live events of an electricity market. " +
      "Start a market first: `mkt demo` has one with simulated traders. An engine that others reach over TLS is " +
      `configured with variables instead: \`mkt client-config claude-desktop\`. This bundle is for ${
        SYSTEMS[platform.os]
      }, ${platform.nodeArch}.`,
    author: { name: AUTHOR },
    repository: { type: "git", url: REPOSITORY },
    homepage: HOMEPAGE,
    support: ISSUES,
    license: LICENSE,
    keywords: ["electricity", "market", "trading", "matching engine", "simulation"],
    icon: ICON_FILE,
    icons: [{ src: ICON_FILE, size: `${ICON_SIZE}x${ICON_SIZE}` }],
    server: {
      type: "binary",
      entry_point: entryPoint(platform),
      mcp_config: { command: `\${__dirname}/${entryPoint(platform)}`, args: [], env: ENVIRONMENT },
    },
    tools: offeredTools(),
    // Which tools and prompts there are depends on the settings.
    tools_generated: true,
    prompts_generated: true,
    compatibility: { platforms: [platform.nodePlatform] },
    user_config: SETTINGS,
  };
}

/** The tools that a server without further settings offers. */
function offeredTools() {
  return PACKS.filter(({ needs }) => needs === undefined)
    .flatMap(({ tools }) => tools.map(({ name, title }) => ({ name, description: title })));
}
