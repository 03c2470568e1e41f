// Which licences the packages of the executable may have. A licence that is not listed here must be read before it is added.

/** Licences without conditions beyond naming the authors and adding the text. */
const ACCEPTED_LICENSES = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"] as const;

/** What is wrong with the licence of a package, or null. `texts` are those of its licence files. */
export function licenseFault(
  { name, version, license }: { readonly name: string; readonly version: string; readonly license: string },
): string | null {
  if (license === "") return `${name}@${version} names no licence in its package.json`;
  if (ACCEPTED_LICENSES.some((accepted) => accepted === license)) return null;
  return `${name}@${version} has the licence ${license}, which packaging/contents/license-policy.ts does not accept`;
}
