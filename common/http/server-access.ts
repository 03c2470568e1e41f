// Access to a server over HTTP: allowed Hosts and Origins, tokens, and the faults of such settings. A fault is the rest of a
// sentence that begins with the name of the variable.

import { fileErrorReason } from "../file-error.ts";
import { LOOPBACK_NAMES } from "./host-check.ts";
import { isLoopback, reachableAddress } from "./listen.ts";
import { readTokenFile, type TokenFileFormat } from "./token-file.ts";

export interface ServerAccess {
  /** The bearer token, valid for every user; null: none. */
  readonly token: string | null;
  /** Path of a file of named tokens. If this and `token` are null or absent, no token is required. */
  readonly tokenFile?: string | null;
  /** Loopback names if absent. */
  readonly allowedHosts?: readonly string[];
  /** Loopback names if absent. */
  readonly allowedOrigins?: readonly string[];
}

/**
 * The allowed Hosts and Origins for hostCheck. `host`, the address that the server listens on, is always allowed, because the
 * process itself connects to it.
 */
export function hostAccess({ allowedHosts, allowedOrigins }: ServerAccess, host: string) {
  return {
    allowedHosts: [...allowedHosts ?? LOOPBACK_NAMES, reachableAddress(host, 0).replace(/:0$/, "")],
    allowedOrigins: allowedOrigins ?? LOOPBACK_NAMES,
  };
}

/** The names of the variables, for messages. */
interface AccessVariables {
  readonly token: string;
  readonly tokenFile: string;
  readonly allowUnauthenticated: string;
}

/** A server that other machines can reach needs a token, unless the operator allows unauthenticated access. */
export function exposureFault(
  host: string,
  { token, tokenFile = null }: ServerAccess,
  isAllowed: boolean,
  variables: AccessVariables,
): string | null {
  if (isLoopback(host) || token !== null || tokenFile !== null || isAllowed) return null;
  return `${host} is not a loopback address: set ${variables.token} or ${variables.tokenFile}, ` +
    `or ${variables.allowUnauthenticated}=1 to allow unauthenticated access`;
}

/** The faults of the token file; empty if there are none, or no file. */
export function tokenFileFaults(path: string | null | undefined, format: TokenFileFormat): string[] {
  if (path === null || path === undefined) return [];
  try {
    return readTokenFile(path, format).faults.map((fault) => `${path}: ${fault}`);
  } catch (error) {
    const reason = fileErrorReason(error);
    return [`can't be read: ${reason.includes(path) ? reason : `${path}: ${reason}`}`];
  }
}

/** Refuses names that could never match a Host header. */
export function hostNameFaults(hosts: readonly string[] = []): string[] {
  const isHost = (host: string) =>
    !host.includes("*") && URL.parse(`http://${host}`)?.host === host.toLowerCase().replace(/:80$/, "");
  return hosts.filter((host) => !isHost(host))
    .map((host) => `"${host}" is not a host: write a name or an address, with or without a port ([::1] for IPv6)`);
}

/** An origin is a host name, or scheme, name and port. */
export function originFaults(origins: readonly string[] = []): string[] {
  const isOrigin = (origin: string) => !origin.includes("*") && URL.parse(origin)?.origin === origin.toLowerCase();
  return origins.filter((origin) => !isOrigin(origin) && hostNameFaults([origin]).length > 0)
    .map((origin) => `"${origin}" is not an origin: write a host name, or an origin such as https://desk.example:8443`);
}
