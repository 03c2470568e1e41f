// The CREDIT module as a state message: the text of JSON.stringify, written directly. What says who grants which limit to
// whom is kept between two messages.

import type { Limit, LimitUsage } from "../../market/credit-limit.ts";
import { roundedNumber } from "../../market/exact-integer.ts";
import { dollarsOf, KILOWATTS_PER_MEGAWATT, megawattHoursOf } from "../../market/units.ts";
import type { EngineState, PairState, PairTexts } from "../state/engine-state.ts";
import { contractIdOf, creditId } from "./credit-modules.ts";
import { isoTime } from "./iso-time.ts";
import type { TextPart } from "./json-text.ts";

export function creditStateText(state: EngineState, pair: PairState): string {
  const { ledger } = state;
  const { entity, counterparty, notes, tradable, updatedAt } = pair;
  const usage = ledger.usage(entity.party, counterparty.party);
  const parts: TextPart[] = [pairTextsOf(pair).beginning];
  addLimits(parts, state, pair);
  parts.push(
    '],"usedNotional":',
    dollarsOf(usage.notional),
    ',"usedMw":',
    roundedNumber(usage.quantity, KILOWATTS_PER_MEGAWATT, 3),
    ',"usedMwh":',
    megawattHoursOf(usage.energy),
    ',"documentation":"',
    ledger.documentation(entity.party, counterparty.party),
    '","counterpartyDocumentation":"',
    ledger.documentation(counterparty.party, entity.party),
    tradable ? '","tradable":true,"notes":' : '","tradable":false,"notes":',
    notes === null ? "null" : JSON.stringify(notes),
    ',"updatedAt":"',
    isoTime(updatedAt),
    '"}}',
  );
  return parts.join("");
}

function addLimits(parts: TextPart[], state: EngineState, pair: PairState): void {
  const usages = state.ledger.limitUsage(pair.entity.party, pair.counterparty.party);
  const limitTexts = limitTextsOf(state, pair, usages);
  for (let at = 0; at < usages.length; at++) {
    const { used, available } = usages[at]!;
    parts.push(at === 0 ? "" : ",", limitTexts[at]!, used, ',"available":', available, "}");
  }
}

function limitTextsOf(state: EngineState, pair: PairState, usages: readonly LimitUsage[]): readonly string[] {
  const texts = pairTextsOf(pair);
  const { limits } = texts;
  let isSame = usages.length === limits.length;
  for (let at = 0; isSame && at < limits.length; at++) isSame = usages[at]!.terms === limits[at];
  if (isSame) return texts.limitTexts;
  texts.limits = usages.map(({ terms }) => terms);
  texts.limitTexts = texts.limits.map((limit) => limitText(state, limit));
  return texts.limitTexts;
}

function limitText(state: EngineState, { limitType, contract, limit, marginPercent }: Limit): string {
  const scope = contract === null ? "total" : "per_contract";
  const contractId = contract === null ? "null" : JSON.stringify(contractIdOf(state, contract));
  return `{"limitType":"${limitType}","scope":"${scope}","contractId":${contractId},"limit":${limit},` +
    `"marginPercent":${marginPercent},"used":`;
}

/** Id of the CREDIT module, and its texts. */
export function pairTextsOf(pair: PairState): PairTexts {
  return pair.texts ??= newTexts(pair);
}

function newTexts({ entity, counterparty }: PairState): PairTexts {
  const id = creditId(entity, counterparty);
  const beginning = `{"statePath":${JSON.stringify(`/CREDIT/${id}`)},"state":{"id":${JSON.stringify(id)},` +
    `"entityId":${entity.idText},"counterpartyId":${counterparty.idText},"limits":[`;
  return { id, beginning, limits: [], limitTexts: [] };
}
