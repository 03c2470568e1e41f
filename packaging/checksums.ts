// SHA256SUMS: the hashes of a release's files, as `sha256sum --check` reads them.

/** The hash in hexadecimal digits. Reads the file in pieces. */
export async function sha256Of(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const piece of Bun.file(path).stream()) hasher.update(piece);
  return hasher.digest("hex");
}

export interface HashedFile {
  /** Relative to the folder of SHA256SUMS. */
  readonly name: string;
  readonly sha256: string;
}

/** The text of the file, sorted by name. Two spaces mean that a file is read as text, which on Unix is the same as binary. */
export function checksumText(files: readonly HashedFile[]): string {
  return files.toSorted((a, b) => a.name < b.name ? -1 : 1).map(({ name, sha256 }) => `${sha256}  ${name}\n`).join("");
}
