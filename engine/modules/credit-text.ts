// The CREDIT module as a state message: the text of JSON.stringify, written directly. Nothing of it is kept between two
// messages, because there may be tens of thousands of pairs of entities.

import { DISPLAY_DECIMALS, type Limit, type ShownLimit, usedUnder } from "../market/credit-limit.ts";
import { differenceOf, type ExactInteger } from "../market/exact-integer.ts";
import {
  DOLLAR_DECIMALS,
  ENERGY_DECIMALS,
  ENERGY_PER_MEGAWATT_HOUR,
  KILOWATTS_PER_MEGAWATT,
  NOTIONAL_PER_DOLLAR,
} from "../market/units.ts";
import type { EngineState, PairState } from "../state/engine-state.ts";
import { textsOf } from "../state/market-state.ts";
import type { EntityState } from "../state/party-state.ts";
import { required } from "../state/required.ts";
import { isoTime } from "../../common/iso-time.ts";
import type { TextWriter } from "../text/text-writer.ts";

export function writeCreditState(writer: TextWriter, state: EngineState, pair: PairState): void {
  const { ledger } = state;
  const { entity, counterparty, notes, tradable, updatedAt } = pair;
  const usage = ledger.usage(entity.party, counterparty.party);
  writer.text('{"statePath":"/CREDIT/');
  writeId(writer, entity, counterparty);
  writer.text('","state":{"id":"');
  writeId(writer, entity, counterparty);
  writer.text('","entityId":');
  writer.text(entity.idText);
  writer.text(',"counterpartyId":');
  writer.text(counterparty.idText);
  writer.text(',"limits":[');
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

/** As credit-modules.ts makes it, inside a JSON string. */
function writeId(writer: TextWriter, entity: EntityState, counterparty: EntityState): void {
  writer.text(entity.idInString);
  writer.text(":");
  writer.text(counterparty.idInString);
}

function writeLimits(writer: TextWriter, state: EngineState, { entity, counterparty }: PairState): void {
  const { ledger } = state;
  const limits = ledger.limits(entity.party, counterparty.party);
  for (let at = 0; at < limits.length; at++) {
    const limit = limits[at]!;
    const decimals = DISPLAY_DECIMALS[limit.limitType];
    const used = usedUnder(limit, ledger.usageUnder(limit, entity.party, counterparty.party));
    writer.text(at === 0 ? '{"limitType":"' : ',{"limitType":"');
    writeTerms(writer, state, limit);
    writer.text(',"used":');
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

/** From the type of the limit to its margin. */
function writeTerms(
  writer: TextWriter,
  state: EngineState,
  { limitType, contract, limit, marginPercent }: Limit,
): void {
  writer.text(limitType);
  if (contract === null) writer.text('","scope":"total","contractId":null,"limit":');
  else {
    writer.text('","scope":"per_contract","contractId":');
    writer.text(textsOf(required(state.contractsByKey[contract], "contract")).id);
    writer.text(',"limit":');
  }
  writer.number(limit);
  writer.text(',"marginPercent":');
  writer.number(marginPercent);
}
