// Why a file that a person named can't be read or written, in words.

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EISDIR: "it is a folder",
  ENOTDIR: "part of the path is no folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
};

/** One line, without the path. Throws the error itself if it is none of the system's. */
export function fileErrorReason(error: unknown): string {
  if (!(error instanceof Error)) throw error;
  const code = "code" in error ? String(error.code) : "";
  return REASONS[code] ?? error.message.replaceAll(/\s+/g, " ").trim();
}
