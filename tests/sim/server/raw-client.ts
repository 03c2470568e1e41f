// A WebSocket client on a TCP socket that can stop reading. It implements only a part of RFC 6455: masked text frames out,
// unmasked text and close frames in.

import { connect, type Socket } from "node:net";
import type { EngineMessage } from "../../../protocol/index.ts";
import { checkedMessage } from "./harness.ts";
import { atEnd } from "../../support/at-end.ts";

const TEXT = 0x81;
const CLOSE = 0x88;
const MASKED = 0x80;

export class RawClient {
  readonly messages: EngineMessage[] = [];
  closeCode: number | null = null;
  readonly #socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);
  #upgraded = false;

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1");
    this.#socket.on("data", (bytes) => this.#read(Buffer.from(bytes)));
    this.#socket.on("error", (error) => this.#socket.destroy(error));
    this.#socket.write(
      [
        "GET /ws HTTP/1.1",
        "Host: localhost",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        "\r\n",
      ].join("\r\n"),
    );
    atEnd(() => void this.#socket.destroy());
  }

  send(message: unknown): void {
    const payload = Buffer.from(JSON.stringify(message));
    if (payload.length > 125) throw new Error("this client sends only frames of up to 125 bytes");
    // A mask of zeros leaves the payload as it is.
    this.#socket.write(Buffer.concat([Buffer.from([TEXT, MASKED | payload.length, 0, 0, 0, 0]), payload]));
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  #read(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    if (!this.#upgraded) {
      const end = this.#bytes.indexOf("\r\n\r\n");
      if (end < 0) return;
      this.#upgraded = true;
      this.#bytes = this.#bytes.subarray(end + 4);
    }
    while (this.#readFrame());
  }

  #readFrame(): boolean {
    const [kind, short] = this.#bytes;
    if (kind === undefined || short === undefined) return false;
    const header = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (this.#bytes.length < header) return false;
    const length = short < 126
      ? short
      : short === 126
      ? this.#bytes.readUInt16BE(2)
      : Number(this.#bytes.readBigUInt64BE(2));
    if (this.#bytes.length < header + length) return false;
    const payload = this.#bytes.subarray(header, header + length);
    this.#bytes = this.#bytes.subarray(header + length);
    if (kind === CLOSE) this.closeCode = payload.readUInt16BE(0);
    else if (kind === TEXT) {
      const frame: unknown = JSON.parse(payload.toString());
      this.messages.push(...(Array.isArray(frame) ? frame : [frame]).map(checkedMessage));
    }
    return true;
  }
}
