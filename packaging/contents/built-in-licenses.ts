// The licences of what the executable contains. scripts/compile.ts replaces this file, because only a build knows the contents.

/** Null if mkt runs from its sources. */
export function builtInLicenses(): string | null {
  return null;
}
