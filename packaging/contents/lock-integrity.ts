// The hashes of packages as the lockfile has them: `bun bun.lockb` prints it in yarn's format.

/**
 * SHA-512 of each package's file in the registry, in hexadecimal digits, by `name@version`. Throws if Bun can't read the file.
 */
export function lockIntegrity(lockfile: string): Map<string, string> {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, lockfile], { stdout: "pipe", stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`${lockfile} can't be read: ${stderr.toString().trim()}`);
  return parsedIntegrity(stdout.toString());
}

/** An entry begins with the name and the wanted ranges; its version and hash follow, indented. */
export function parsedIntegrity(text: string): Map<string, string> {
  const entries = text.matchAll(
    /^"?((?:@[^@/\n]+\/)?[^@"\n]+)@[^\n]*:\n {2}version "([^"]+)"\n(?: {2}resolved [^\n]*\n)? {2}integrity sha512-(\S+)/gm,
  );
  return new Map(
    [...entries].map(([, name, version, hash = ""]) =>
      [`${name}@${version}`, Buffer.from(hash, "base64").toString("hex")] as const
    ),
  );
}
