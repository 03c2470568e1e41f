// A proxy of bytes between a client and the real engine. It can drop what the engine sends or stop reading it, hold back what
// the client sends, and cut the connections.

import { connect, createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

export class CuttingProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #engineSockets = new Set<Socket>();
  #muted = false;
  /** Frames of the client that are held back; null while none are. */
  #held: (() => void)[] | null = null;
  /** Bytes of the engine that were dropped. */
  lostBytes = 0;

  private constructor(targetPort: number) {
    this.#server = createServer((client) => this.#join(client, connect(targetPort, "127.0.0.1")));
  }

  static async to(targetPort: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(targetPort);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    return `ws://${this.address}/ws`;
  }

  /** Host and port. */
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Drops what the engine sends from now on. */
  mute(): void {
    this.#muted = true;
  }

  /** Stops reading from the engine, as a client that does not read. Connections that are made later are read. */
  pause(): void {
    for (const socket of this.#engineSockets) socket.pause();
  }

  resume(): void {
    for (const socket of this.#engineSockets) socket.resume();
  }

  /** Holds back what the client sends from now on. */
  hold(): void {
    this.#held ??= [];
  }

  /** Delivers what was held back, and stops holding back. */
  deliver(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const write of held) write();
  }

  /** Ends every connection; new ones work. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    this.#engineSockets.clear();
    this.#muted = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: Socket, engine: Socket): void {
    this.#engineSockets.add(engine);
    for (const [from, to] of [[client, engine], [engine, client]] as const) {
      this.#sockets.add(from);
      from.on("data", (bytes) => {
        if (from === engine && this.#muted) this.lostBytes += bytes.length;
        else if (from === client && this.#held !== null) this.#held.push(() => to.write(bytes));
        else to.write(bytes);
      });
      from.on("close", () => to.end());
      from.on("error", () => to.destroy());
    }
  }
}
