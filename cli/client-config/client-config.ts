// `mkt client-config CLIENT`: prints the configuration to paste into an MCP client, without secrets.
// client-formats.ts has the format of each client. All variables that are set are in it, because one that left out a
// limit on orders would allow more.

import { resolve } from "node:path";
import type { AnyEnvironment } from "../../common/environment.ts";
import { isLoopback, reachableAddress } from "../../common/http/listen.ts";
import { type Invocation, shellLine } from "../../common/own-invocation.ts";
import { type Environment, type VariableName, VARIABLES } from "../../core/config/variables.ts";
import type { PackVariable } from "../../core/packs/pack-variables.ts";
import { BUILT_IN_OPERATOR_ID, BUILT_IN_OWN_USER_IDS } from "../../engine/definition/built-in-market.ts";
import { whoTrades } from "../market/demo-greeting.ts";
import { CLIENT_FORMATS, type ClientFormat } from "./client-formats.ts";

export type Client = keyof typeof CLIENT_FORMATS;
export const CLIENTS = Object.keys(CLIENT_FORMATS) as Client[];

const named = (...names: readonly VariableName[]): readonly string[] => names;
const SECRETS = named("MKT_BEARER_TOKEN", "STRESS_TEST_SECRET", "MKT_STORAGE_KEY");
/** Variables that name a file or a folder, which may be relative to the working directory. */
const PATHS = named("MKT_PLUGIN_DIR", "MKT_BEARER_TOKEN_FILE");
const ONLY_HTTP = named("MAX_BODY_SIZE");
const STORAGE = ["STORAGE_TABLE_ENDPOINT", "STORAGE_ACCOUNT_NAME", "MKT_STORAGE_KEY"] as const;
/** `mkt demo` sets these itself. */
const BACKEND = [
  ...named("MKT_HOST", "MKT_BASE_URL", "MKT_WS_URL", "MKT_SIM_URL", "MKT_AUDIT_STORE", ...STORAGE),
  ...named("MKT_BEARER_TOKEN", "MKT_BEARER_TOKEN_FILE", "MKT_ENGINE_ID"),
  ...named("MKT_USER_ID", "MKT_ALLOWED_USER_IDS"),
];

interface ClientConfiguration {
  /** JSON or TOML, with line breaks. */
  readonly text: string;
  /** Lines for a person: which file takes the configuration, what else to do, and where prompts and resources are. */
  readonly notes: readonly string[];
}

interface ConfiguredServer {
  readonly invocation: Invocation;
  /** Must be a valid configuration. */
  readonly environment: Environment;
  /** The server is `mkt demo`. */
  readonly demo: boolean;
  /** Those of packs in MKT_PLUGIN_DIR. */
  readonly packVariables: readonly PackVariable[];
}

/** The client starts mkt, or connects to it over HTTP if MCP_HTTP_PORT is set. */
export function clientConfiguration(client: Client, server: ConfiguredServer): ClientConfiguration {
  const format: ClientFormat = CLIENT_FORMATS[client];
  const port = server.environment["MCP_HTTP_PORT"] || null;
  return port === null || format.http === null
    ? stdioConfiguration(format, server)
    : httpConfiguration({ ...format, http: format.http }, server, port);
}

function stdioConfiguration(
  format: ClientFormat,
  { invocation: { command, args }, environment, demo, packVariables }: ConfiguredServer,
) {
  const omitted = demo ? BACKEND : [];
  const known = [...VARIABLES, ...packVariables.map(({ name }) => name)];
  const hidden = [...SECRETS, ...packVariables.filter(({ secret }) => secret).map(({ name }) => name)];
  const all: AnyEnvironment = environment;
  const given = known.filter((name) => all[name] && isForChild(name) && !omitted.includes(name));
  const secrets = given.filter((name) => hidden.includes(name) || hasCredentials(all[name]));
  const values = Object.fromEntries(
    given.filter((name) => !secrets.includes(name)).map((name) => [name, valueOf(name, all[name])]),
  );
  const env = demo ? values : { ...defaultsFor(environment), ...values };
  const notes = [
    format.place,
    ...(demo ? [WHO_TRADES] : []),
    ...(environment["MCP_HTTP_PORT"] ? [NO_HTTP] : []),
    ...(secrets.length > 0 ? [format.aboutSecrets(secrets.join(", "))] : []),
    ...(format.shows === null ? [] : [format.shows]),
  ];
  return { text: format.stdio({ command, args: demo ? [...args, "demo", "--stdio"] : args, env, secrets }), notes };
}

const WHO_TRADES = `The demo acts as ${BUILT_IN_OPERATOR_ID}. To trade, let the client connect (mkt_connect_pubsub) ` +
  `${whoTrades(BUILT_IN_OWN_USER_IDS)}.`;
const NO_HTTP =
  "The file takes no HTTP servers, so Claude Desktop starts mkt itself. Add a server on the internet in Settings, Connectors.";

function httpConfiguration(
  format: ClientFormat & { readonly http: NonNullable<ClientFormat["http"]> },
  { invocation: { command, args }, environment, demo }: ConfiguredServer,
  port: string,
) {
  const url = `http://${reachableAddress(environment["MCP_HTTP_HOST"] || "127.0.0.1", Number(port))}/mcp`;
  const needsToken = Boolean(environment["MCP_BEARER_TOKEN"] || environment["MCP_BEARER_TOKEN_FILE"]);
  const tokenVariable = needsToken ? "MCP_BEARER_TOKEN" : null;
  const notes = [
    format.place,
    ...(demo ? [`The demo must run: ${shellLine([command, ...args, "demo", "--port", port])}`, WHO_TRADES] : []),
    ...(tokenVariable === null ? [] : [format.aboutSecrets(tokenVariable)]),
    ...(format.shows === null ? [] : [format.shows]),
  ];
  return { text: format.http({ url, tokenVariable }), notes };
}

/** Variables of the HTTP server mean nothing to a child process. */
function isForChild(name: string): boolean {
  return !name.startsWith("MCP_") && !ONLY_HTTP.includes(name);
}

/** Paths are absolute, because a client may start mkt in any folder. */
function valueOf(name: string, value = ""): string {
  return PATHS.includes(name) ? resolve(value) : value;
}

/** An engine on this machine is taken for `mkt engine`, which keeps its own audit trail, unless table storage is configured. */
function defaultsFor(environment: Environment): Environment {
  const addresses = [
    `http://${environment["MKT_HOST"] || "localhost"}`,
    environment["MKT_BASE_URL"] || "http://localhost",
  ];
  const isLocal = addresses.every((address) => isLoopback(URL.parse(address)?.hostname ?? ""));
  const isOurs = isLocal && !STORAGE.some((name) => environment[name]);
  return {
    MKT_HOST: "localhost:3001",
    MKT_USER_ID: "REPLACE-WITH-YOUR-USER-ID",
    ...(isOurs && { MKT_AUDIT_STORE: "backend" }),
  };
}

/** A user or a password before the host, or a signature in the query. */
function hasCredentials(value: string | undefined): boolean {
  const url = value === undefined ? null : URL.parse(value);
  return url !== null && url.host !== "" && `${url.username}${url.password}${url.search}` !== "";
}
