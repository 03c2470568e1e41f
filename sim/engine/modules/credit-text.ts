// The CREDIT module as a state message: the text of JSON.stringify, written directly. What says who grants which limit to
// whom is kept between two messages.

import { DISPLAY_DECIMALS, type Limit, type ShownLimit, usedUnder } from "../../market/credit-limit.ts";
import { differenceOf, type ExactInteger } from "../../market/exact-integer.ts";
import {
  DOLLAR_DECIMALS,
  ENERGY_DECIMALS,
  ENERGY_PER_MEGAWATT_HOUR,
  KILOWATTS_PER_MEGAWATT,
  NOTIONAL_PER_DOLLAR,
} from "../../market/units.ts";
import type { EngineState, PairState, PairTexts } from "../state/engine-state.ts";
import { contractIdOf, creditId } from "./credit-modules.ts";
import { isoTime } from "../text/iso-time.ts";
import { jsonOf, type TextWriter } from "../text/text-writer.ts";

export function writeCreditState(writer: TextWriter, state: EngineState, pair: PairState): void {
  const { ledger } = state;
  const { entity, counterparty, notes, tradable, updatedAt } = pair;
  const usage = ledger.usage(entity.party, counterparty.party);
  writer.text(pairTextsOf(pair).beginning);
  writeLimits(writer, state, pair);
  writer.text('],"usedNotional":');
  writer.rounded(usage.notional, NOTIONAL_PER_DOLLAR, DOLLAR_DECIMALS);
  writer.text(',"usedMw":');
  writer.rounded(usage.quantity, KILOWATTS_PER_MEGAWATT, 3);
  writer.text(',"usedMwh":');
  writer.rounded(usage.energy, ENERGY_PER_MEGAWATT_HOUR, ENERGY_DECIMALS);
  writer.text(',"documentation":"');
  writer.text(ledger.documentation(entity.party, counterparty.party));
  writer.text('","counterpartyDocumentation":"');
  writer.text(ledger.documentation(counterparty.party, entity.party));
  writer.text(tradable ? '","tradable":true,"notes":' : '","tradable":false,"notes":');
  if (notes === null) writer.text("null");
  else writer.quoted(notes);
  writer.text(',"updatedAt":"');
  writer.text(isoTime(updatedAt));
  writer.text('"}}');
}

function writeLimits(writer: TextWriter, state: EngineState, pair: PairState): void {
  const { ledger } = state;
  const { entity: { party }, counterparty: { party: counterparty } } = pair;
  const limits = ledger.limits(party, counterparty);
  const limitTexts = limitTextsOf(state, pair, limits);
  for (let at = 0; at < limits.length; at++) {
    const limit = limits[at]!;
    const decimals = DISPLAY_DECIMALS[limit.limitType];
    const used = usedUnder(limit, ledger.usageUnder(limit, party, counterparty));
    if (at > 0) writer.text(",");
    writer.text(limitTexts[at]!);
    writer.rounded(used, limit.shown.denominator, decimals);
    writer.text(',"available":');
    writeAvailable(writer, limit.shown, used, decimals);
    writer.text("}");
  }
}

/** Writes granted - used. Ample limits are above 2^53, so a difference of the two would be a bigint. */
function writeAvailable(
  writer: TextWriter,
  { granted, denominator, parts }: ShownLimit,
  used: ExactInteger,
  decimals: number,
): void {
  if (parts === null || typeof used !== "number") {
    return writer.rounded(differenceOf(granted, used), denominator, decimals);
  }
  writer.roundedSum(parts.whole, parts.rest - used, parts.denominator, decimals);
}

function limitTextsOf(state: EngineState, pair: PairState, limits: readonly Limit[]): readonly string[] {
  const texts = pairTextsOf(pair);
  let isSame = limits.length === texts.limits.length;
  for (let at = 0; isSame && at < limits.length; at++) isSame = limits[at] === texts.limits[at];
  if (isSame) return texts.limitTexts;
  texts.limits = [...limits];
  texts.limitTexts = texts.limits.map((limit) => limitText(state, limit));
  return texts.limitTexts;
}

function limitText(state: EngineState, { limitType, contract, limit, marginPercent }: Limit): string {
  const scope = contract === null ? "total" : "per_contract";
  const contractId = contract === null ? "null" : jsonOf(contractIdOf(state, contract));
  return `{"limitType":"${limitType}","scope":"${scope}","contractId":${contractId},"limit":${limit},` +
    `"marginPercent":${marginPercent},"used":`;
}

/** Id of the CREDIT module, and its texts. */
export function pairTextsOf(pair: PairState): PairTexts {
  return pair.texts ??= newTexts(pair);
}

function newTexts({ entity, counterparty }: PairState): PairTexts {
  const id = creditId(entity, counterparty);
  const beginning = `{"statePath":${jsonOf(`/CREDIT/${id}`)},"state":{"id":${jsonOf(id)},` +
    `"entityId":${entity.idText},"counterpartyId":${counterparty.idText},"limits":[`;
  return { id, beginning, limits: [], limitTexts: [] };
}
