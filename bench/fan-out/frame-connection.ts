// One WebSocket of the load: sends text frames, and counts the frames and bytes that come. It looks into a frame only for
// responses, so the load costs little beside the servers.
//
// Limits: what a server must not send is not handled (masked or fragmented frames). A ping is answered.

import type { Socket } from "bun";

const HANDSHAKE = [
  "Upgrade: websocket",
  "Connection: Upgrade",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];
const END_OF_HEADERS = "\r\n\r\n";
const TEXT = 0x1;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;
const FINAL = 0x80;
const MASKED = 0x80;
const RESPONSE = Buffer.from('"kind":"response"');
const CONFIRMED = Buffer.from('"status":"ok"');
const SEQUENCE = Buffer.from('"sequence":');

export class FrameConnection {
  /** Everything that has come. */
  frames = 0;
  bytes = 0;
  responses = 0;
  /** Bytes of frames with responses only. */
  responseBytes = 0;
  responseFrames = 0;
  /** Called with the number of responses in a frame. */
  onResponses: (count: number) => void = () => {};
  /** Called with the text of every frame, if set. */
  onText: ((text: string) => void) | null = null;
  readonly #opened = Promise.withResolvers<void>();
  #socket: Socket | null = null;
  #isOpen = false;
  #isClosing = false;
  #rest: Buffer | null = null;
  /** The last frame that is not only responses. */
  #last: Buffer | null = null;
  #failure: Error | null = null;

  /** `looksForResponses`: false saves time on connections that request nothing. */
  private constructor(private readonly looksForResponses: boolean) {}

  static async open(url: string, looksForResponses: boolean): Promise<FrameConnection> {
    const connection = new FrameConnection(looksForResponses);
    const { hostname, port, pathname } = new URL(url);
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        binaryType: "buffer",
        data: (_socket, bytes) => connection.#read(bytes),
        close: () => connection.#fail(new Error("the server has ended a connection")),
        error: (_socket, error) => connection.#fail(error),
      },
    });
    connection.#socket = socket;
    socket.write([`GET ${pathname} HTTP/1.1`, `Host: ${hostname}:${port}`, ...HANDSHAKE].join("\r\n") + END_OF_HEADERS);
    await connection.#opened.promise;
    return connection;
  }

  /** The number of the newest event that has come; null if there was none. Throws if the connection has been lost. */
  get newestSequence(): number | null {
    if (this.#failure !== null) throw this.#failure;
    const at = this.#last?.lastIndexOf(SEQUENCE) ?? -1;
    return at < 0
      ? null
      : parseInt(this.#last!.toString("latin1", at + SEQUENCE.length, at + SEQUENCE.length + 20), 10);
  }

  send(text: string): void {
    const frame = framed(TEXT, Buffer.from(text));
    if (this.#socket?.write(frame) !== frame.length) throw new Error("a frame did not fit into the socket");
  }

  close(): void {
    this.#isClosing = true;
    this.#socket?.end();
  }

  #fail(error: Error): void {
    if (this.#isClosing) return;
    this.#failure ??= error;
    this.#opened.reject(error);
  }

  #read(bytes: Buffer): void {
    let buffer = this.#rest === null ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#rest = null;
    if (!this.#isOpen) {
      const end = buffer.indexOf(END_OF_HEADERS);
      if (end < 0) return void (this.#rest = buffer);
      this.#isOpen = true;
      this.#opened.resolve();
      buffer = buffer.subarray(end + END_OF_HEADERS.length);
    }
    let at = 0;
    for (let frame = frameAt(buffer, at); frame !== null; frame = frameAt(buffer, at)) {
      at = frame.end;
      this.#take(frame.opcode, buffer.subarray(frame.start, frame.end));
    }
    if (at < buffer.length) this.#rest = buffer.subarray(at);
  }

  #take(opcode: number, payload: Buffer): void {
    if (opcode === PING) return void this.#socket?.write(framed(PONG, payload));
    if (opcode === CLOSE) return this.#fail(new Error(`the server closes: ${payload.toString("utf8", 2)}`));
    if (opcode !== TEXT) throw new Error(`a frame with opcode ${opcode}`);
    this.frames += 1;
    this.bytes += payload.length;
    this.onText?.(payload.toString());
    const responses = this.looksForResponses ? countOf(RESPONSE, payload) : 0;
    if (responses === 0) return void (this.#last = payload);
    if (countOf(CONFIRMED, payload) !== responses) throw new Error(`not confirmed: ${payload}`);
    if (payload.includes(SEQUENCE)) this.#last = payload;
    else {
      this.responseBytes += payload.length;
      this.responseFrames += 1;
    }
    this.responses += responses;
    this.onResponses(responses);
  }
}

function countOf(part: Buffer, bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(part); at >= 0; at = bytes.indexOf(part, at + part.length)) count += 1;
  return count;
}

/** The first frame from `at` on; null if it is not complete. */
function frameAt(buffer: Buffer, at: number): { opcode: number; start: number; end: number } | null {
  if (buffer.length < at + 2) return null;
  const opcode = buffer[at]! & 0xf;
  const short = buffer[at + 1]!;
  const start = at + (short === 126 ? 4 : short === 127 ? 10 : 2);
  if (buffer.length < start) return null;
  const length = short === 126
    ? buffer.readUInt16BE(at + 2)
    : short === 127
    ? Number(buffer.readBigUInt64BE(at + 2))
    : short;
  const end = start + length;
  return buffer.length < end ? null : { opcode, start, end };
}

/** A client's frame. Its mask is zero, which leaves the payload as it is. */
function framed(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const header = Buffer.alloc(length < 126 ? 6 : 8);
  header[0] = FINAL | opcode;
  if (length < 126) header[1] = MASKED | length;
  else {
    if (length > 0xffff) throw new Error(`a frame of ${length} bytes`);
    header[1] = MASKED | 126;
    header.writeUInt16BE(length, 2);
  }
  return Buffer.concat([header, payload]);
}
