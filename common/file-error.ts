// Says in words why a file can't be read or written.

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  EISDIR: "it is a folder",
  ENOTDIR: "part of the path is not a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
};

/** One line, without the path for the codes above. Throws a value that is not an Error. */
export function fileErrorReason(error: unknown): string {
  if (!(error instanceof Error)) throw error;
  const code = "code" in error ? String(error.code) : "";
  return REASONS[code] ?? error.message.replaceAll(/\s+/g, " ").trim();
}
