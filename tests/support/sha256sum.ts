// The program that checks SHA256SUMS: coreutils' on Linux, Perl's on macOS. Both read and print the same.

/** The command, without arguments. */
export const SHA256SUM: readonly string[] = Bun.which("sha256sum") === null ? ["shasum", "-a", "256"] : ["sha256sum"];
