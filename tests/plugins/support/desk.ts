// A market and its users: the real engine on a free port, and for each user a runtime of mkt with the real packs, called
// through the real dispatcher. Every structured result is checked against its tool's output schema: it has no
// field that the schema does not declare.

import { expect } from "bun:test";
import { createRuntime, type Runtime } from "../../../core/runtime.ts";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import type { RunningEngine, StartEngineOptions } from "../../../engine/server/start-engine.ts";
import { atEnd } from "../../support/at-end.ts";
import { startTestEngine } from "../../support/engines.ts";
import { resultOf } from "../../core/support/results.ts";
import { configurationFor } from "../../core/support/services.ts";
import { expectDeclaredFields } from "./declared-fields.ts";
import { expectPlainFailure } from "./plain-words.ts";
import { MARKET, SECRET } from "./market.ts";
import { PATIENT_CONFIRM_TIMEOUT_MS } from "../../support/power-market.ts";
import { PROGRAM } from "./packs.ts";

/** The result of a tool; tests check its fields. */
export type Value = Readonly<Record<string, unknown>>;

/** A field that must be text, a number, an object or a list of objects. */
export function text(value: Value | undefined, field: string): string {
  return fieldOf(value, field, (found) => typeof found === "string") as string;
}

export function number(value: Value | undefined, field: string): number {
  return fieldOf(value, field, (found) => typeof found === "number") as number;
}

export function part(value: Value | undefined, field: string): Value {
  return fieldOf(value, field, (found) => typeof found === "object" && found !== null) as Value;
}

export function list(value: Value | undefined, field: string): Value[] {
  return fieldOf(value, field, Array.isArray) as Value[];
}

/** One field of every item of a list. */
export function column(value: Value | undefined, field: string, of: string): unknown[] {
  return list(value, field).map((item) => item[of]);
}

function fieldOf(value: Value | undefined, field: string, fits: (found: unknown) => boolean): unknown {
  const found = value?.[field];
  if (!fits(found)) throw new Error(`${field} is ${JSON.stringify(found)} in ${JSON.stringify(value)}`);
  return found;
}

/** A runtime of mkt that the engine serves; it ends with the test, or with the file. */
export async function runtimeAt(
  { port }: RunningEngine,
  environment: Record<string, string>,
  program = PROGRAM,
): Promise<Runtime> {
  const address = `127.0.0.1:${port}`;
  const backend = {
    MKT_HOST: address,
    MKT_BASE_URL: `http://${address}`,
    MKT_AUDIT_STORE: "backend",
    MKT_CONFIRM_TIMEOUT_MS: PATIENT_CONFIRM_TIMEOUT_MS,
  };
  const runtime = await createRuntime(configurationFor({ ...backend, ...environment }), program);
  atEnd(() => runtime.close());
  return runtime;
}

interface Answer {
  readonly isError: boolean;
  readonly value: Value;
}

/** Ends with the test, or with the file, that opened it. */
export class Desk {
  private constructor(readonly engine: RunningEngine) {}

  /** Updates don't wait, so that a seat sees at once what another one has done. */
  static async open(definition: MarketDefinition = MARKET, clock?: StartEngineOptions["clock"]): Promise<Desk> {
    return new Desk(
      await startTestEngine({ definition, secret: SECRET, updateIntervalMs: 0, ...(clock !== undefined && { clock }) }),
    );
  }

  /** A runtime of mkt that acts as `userId`, not yet connected. */
  async seat(userId: string, environment: Record<string, string> = {}): Promise<Seat> {
    return new Seat(await runtimeAt(this.engine, { MKT_USER_ID: userId, ...environment }));
  }

  /** The same, connected. */
  async connected(userId: string, environment: Record<string, string> = {}): Promise<Seat> {
    const seat = await this.seat(userId, environment);
    await seat.ok("mkt_connect_pubsub");
    return seat;
  }

  /** A connected seat of each user. */
  async all<const Users extends readonly string[]>(...userIds: Users): Promise<{ readonly [At in keyof Users]: Seat }> {
    const seats = await Promise.all(userIds.map((userId) => this.connected(userId)));
    return seats as unknown as { readonly [At in keyof Users]: Seat };
  }
}

/** Calls tools as an agent does. */
export class Caller {
  constructor(private readonly dispatcher: Runtime["dispatcher"]) {}

  async call(name: string, input: Record<string, unknown> = {}): Promise<Answer> {
    const { dispatcher } = this;
    const result = await resultOf(dispatcher.call(name, input, { signal: AbortSignal.timeout(600_000) }));
    if (result === null) throw new Error(`${name} is not offered`);
    const [content] = result.content;
    if (content?.type !== "text") throw new Error(`${name} answered no text`);
    const value = JSON.parse(content.text) as Value;
    if (result.isError === true) {
      expectPlainFailure(value, Object.keys(dispatcher.catalogue.get(name)?.input.shape ?? {}));
    }
    if (result.structuredContent === undefined) return { isError: result.isError === true, value };
    expect(result.structuredContent).toEqual(value);
    const fit = dispatcher.catalogue.get(name)?.output.safeParse(value);
    expect(fit?.error?.issues ?? []).toEqual([]);
    expectDeclaredFields(dispatcher.catalogue.listed, name, value);
    return { isError: result.isError === true, value };
  }

  /** The value of a call that must succeed. */
  async ok(name: string, input?: Record<string, unknown>): Promise<Value> {
    const { isError, value } = await this.call(name, input);
    expect({ name, input, isError, ...(isError && value) }).toEqual({ name, input, isError: false });
    return value;
  }

  /** The error of a call that must fail, with the `status` of the result if it has one. */
  async failure(name: string, input?: Record<string, unknown>): Promise<Value> {
    const { isError, value } = await this.call(name, input);
    expect({ name, input, isError }).toEqual({ name, input, isError: true });
    const error = part(value, "error");
    expect(text(error, "message").length).toBeGreaterThan(10);
    expect(text(error, "hint")).toMatch(/\.$/);
    return { ...("status" in value && { status: value["status"] }), ...error };
  }
}

export class Seat extends Caller {
  constructor(readonly runtime: Runtime) {
    super(runtime.dispatcher);
  }

  async buy(contractId: string, price: number, quantity: number): Promise<Value> {
    return await this.ok("mkt_create_test_order", { contractId, side: "BUY", price, quantity });
  }

  async sell(contractId: string, price: number, quantity: number): Promise<Value> {
    return await this.ok("mkt_create_test_order", { contractId, side: "SELL", price, quantity });
  }
}
