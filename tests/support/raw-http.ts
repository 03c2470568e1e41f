// Raw bytes on a socket, for requests that no well-behaved HTTP client sends.

import { connect, type Socket } from "node:net";

/** Writes raw bytes. Returns what the server sent until it closed the connection, or until `enough` is true. */
export async function raw(
  url: string,
  write: (socket: Socket) => void,
  enough: (text: string) => boolean = () => false,
): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString();
    if (enough(text)) resolve(text);
  });
  socket.on("close", () => resolve(text));
  socket.on("error", () => resolve(text));
  socket.on("connect", () => write(socket));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

/** The head of a POST /mcp with further header lines. */
export function headOf(url: string, lines: readonly string[] = []): string {
  return ["POST /mcp HTTP/1.1", `Host: ${new URL(url).host}`, "Content-Type: application/json", ...lines, "", ""]
    .join("\r\n");
}
