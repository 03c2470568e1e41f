// The handler of each action, and who may send it (protocol/actions.ts). A new action without a handler does not compile.

import { type Action, ACTION_NAMES, type ActionPayload, ACTIONS } from "../../protocol/index.ts";
import { rejected, type Rejection } from "../api/outcome.ts";
import type { Fingerprint } from "../api/fingerprint.ts";
import type { OperationOutcome } from "../operations/operation-outcome.ts";
import type { Transaction } from "../transaction/transaction.ts";
import type { CommandContext } from "./command-context.ts";
import { fingerprintOf } from "./command-contents.ts";
import { advanceClock, setClockSpeed } from "./clock-commands.ts";
import { setCreditLimit, setDocumentation } from "./credit-commands.ts";
import { resetDevelopment } from "./development-commands.ts";
import { flushEngine, flushMarkets, haltMarket, publishSpot, resumeMarket } from "./market-commands.ts";
import { cancelOrder, modifyOrder, submitOrder } from "./order-commands.ts";
import { parsePayload } from "./payloads.ts";
import { checkPermission } from "./refusals.ts";

interface ParsedCommand {
  readonly payload: unknown;
  /** Identifies action and payload. */
  readonly fingerprint: Fingerprint;
  readonly action: Action;
}

/** Checks everything first, then changes the state. */
type Handler<Name extends Action> = (
  transaction: Transaction,
  payload: ActionPayload<Name>,
  context: CommandContext,
) => OperationOutcome;

const HANDLERS: { readonly [Name in Action]: Handler<Name> } = {
  "order.submit": submitOrder,
  "order.modify": modifyOrder,
  "order.cancel": cancelOrder,
  "market.halt": haltMarket,
  "market.resume": resumeMarket,
  "credit.setLimit": setCreditLimit,
  "credit.setDocumentation": setDocumentation,
  "engine.flush": flushEngine,
  "market.flush": flushMarkets,
  "dev.reset": resetDevelopment,
  "clock.set": setClockSpeed,
  "clock.advance": advanceClock,
  "spot.publish": publishSpot,
};

/** The table's own texts: properties are found faster by them than by those that a client has sent. */
const NAMES: ReadonlyMap<string, Action> = new Map(ACTION_NAMES.map((name) => [name, name]));

/** The command of a request; the rejection of an unknown action, and of a payload that does not fit its schema. */
export function parseCommand(action: string, payload: unknown): ParsedCommand | Rejection {
  const name = NAMES.get(action);
  return name === undefined ? rejected("invalid_payload", `There is no action ${action}.`) : parse(name, payload);
}

function parse<Name extends Action>(name: Name, value: unknown): ParsedCommand | Rejection {
  const payload = parsePayload(name, value);
  if ("code" in payload) return payload;
  return { action: name, payload, fingerprint: fingerprintOf(name, payload) };
}

/** Carries out a command, or rejects it. */
export function executeCommand(
  transaction: Transaction,
  { action, payload }: ParsedCommand,
  context: CommandContext,
): OperationOutcome {
  const handle = HANDLERS[action] as Handler<Action>;
  return checkPermission(transaction.state, context.user, ACTIONS[action].permissions) ??
    handle(transaction, payload as ActionPayload<Action>, context);
}
