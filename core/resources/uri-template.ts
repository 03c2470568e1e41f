// URIs with parameters: `mkt://order-book/{contractId}` (RFC 6570, level 1). A parameter matches one segment of the path,
// percent-encoded. The parameters of a URI template have lower case letters first: `{contractId}`.

import type { UriParameters } from "./resource.ts";

const PARAMETER = /\{([a-z][A-Za-z0-9]*)\}/g;

/** The names of the parameters, in order. */
export function parameterNames(template: string): string[] {
  return [...template.matchAll(PARAMETER)].map(([, name]) => name!);
}

/** The URI with these values. No URI can have a lone surrogate: it becomes U+FFFD, so reading such a URI finds nothing. */
export function expandUri(template: string, parameters: UriParameters): string {
  return template.replace(PARAMETER, (_, name: string) => encodeURIComponent((parameters[name] ?? "").toWellFormed()));
}

/** Reads the parameters from URIs of this form; null for any other URI. */
export function uriReader(template: string): (uri: string) => UriParameters | null {
  const names = parameterNames(template);
  const literals = template.split(/\{[^}]*\}/).map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`^${literals.join("([^/?#]+)")}$`);
  return (uri) => {
    const match = pattern.exec(uri);
    if (match === null) return null;
    try {
      return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1]!)]));
    } catch {
      return null;
    }
  };
}
