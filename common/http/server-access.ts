// Who may reach a server over HTTP: the Hosts and Origins that it lets in, and its tokens; and what is wrong with settings
// for that. Every fault is a sentence that goes after the name of its variable.

import { LOOPBACK_NAMES } from "./host-check.ts";
import { isLoopback, reachableAddress } from "./listen.ts";
import { readTokenFile, type TokenFileFormat } from "./token-file.ts";

export interface ServerAccess {
  /** The bearer token, good for every user; null: none. */
  readonly token: string | null;
  /** Path of a file of named tokens; null or absent: there is none. Without it and `token`, none is asked for. */
  readonly tokenFile?: string | null;
  /** Loopback names if absent. */
  readonly allowedHosts?: readonly string[];
  /** Loopback names if absent. */
  readonly allowedOrigins?: readonly string[];
}

/**
 * What hostCheck needs of it. `host`: the address that the server listens on, which is let in whatever else is: the process
 * itself comes by it.
 */
export function hostAccess({ allowedHosts, allowedOrigins }: ServerAccess, host: string) {
  return {
    allowedHosts: [...allowedHosts ?? LOOPBACK_NAMES, reachableAddress(host, 0).replace(/:0$/, "")],
    allowedOrigins: allowedOrigins ?? LOOPBACK_NAMES,
  };
}

/** The names of the variables that a message about them mentions. */
export interface AccessVariables {
  readonly token: string;
  readonly tokenFile: string;
  readonly allowUnauthenticated: string;
}

/** A server that others than this machine can reach needs a token, unless the operator says otherwise. */
export function exposureFault(
  host: string,
  { token, tokenFile = null }: ServerAccess,
  isAllowed: boolean,
  variables: AccessVariables,
): string | null {
  if (isLoopback(host) || token !== null || tokenFile !== null || isAllowed) return null;
  return `${host} is not a loopback address: set ${variables.token} or ${variables.tokenFile}, ` +
    `or ${variables.allowUnauthenticated}=1 to let anyone in`;
}

/** What is wrong with the file now; empty if nothing is, or there is none. */
export function tokenFileFaults(path: string | null | undefined, format: TokenFileFormat): string[] {
  if (path === null || path === undefined) return [];
  try {
    return readTokenFile(path, format).faults.map((fault) => `${path}: ${fault}`);
  } catch (error) {
    return [`can't be read: ${(error as Error).message}`];
  }
}

/** A name that would match no Host header lets nobody in. */
export function hostNameFaults(hosts: readonly string[] = []): string[] {
  const isHost = (host: string) =>
    !host.includes("*") && URL.parse(`http://${host}`)?.host === host.toLowerCase().replace(/:80$/, "");
  return hosts.filter((host) => !isHost(host))
    .map((host) => `"${host}" is no host: write a name or an address, with or without a port ([::1] for IPv6)`);
}

/** An origin is a host name, or scheme, name and port. */
export function originFaults(origins: readonly string[] = []): string[] {
  const isOrigin = (origin: string) => !origin.includes("*") && URL.parse(origin)?.origin === origin.toLowerCase();
  return origins.filter((origin) => !isOrigin(origin) && hostNameFaults([origin]).length > 0)
    .map((origin) => `"${origin}" is no origin: write a host name, or one such as https://desk.example:8443`);
}
