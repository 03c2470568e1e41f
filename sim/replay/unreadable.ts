// Why a file can't be read, in one line that names the file: not every error of the system does.

export function unreadable(path: string, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return new Error(message.includes(path) ? message : `${path}: ${message}`, { cause: error });
}
