// Every figure of one tape, to six digits, and the columns that a collector makes of its rows. A change of a figure that is
// meant changes its number here; any other change is a mistake, such as a lag, a minute or a side that is another one.

import { expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { contractsBetween, type TapeContract } from "../../../sim/facts/contracts.ts";
import { factsOf, FIGURES, presetFigures } from "../../../sim/facts/run-facts.ts";
import { marketMinutes, mayTrade } from "../../../sim/facts/market-minutes.ts";
import { TapeCollector } from "../../../sim/facts/tape-collector.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import type { Cell, TableName } from "../../../sim/tape/tables.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Midnight in Chicago; the run begins within a half-hour. */
const START = Date.parse("2026-03-02T06:00:00Z");
const BEGIN = START + 7 * MINUTE_MS + 1;
const TRADED = ["NORTH-DA-BASE-2026-03-03", "NORTH-DA-HOUR-2026-03-02-H13", "WEST-DA-HOUR-2026-03-02-H20"];
const PERSONAS = ["zip-1", "zip-2", "avellaneda-stoikov-1", "arbitrageur-1"];

const definition = builtInMarket();
/** More than a day in the order of time, from one seed. */
const ROWS = rows();

function rows(): [TableName, number, Cell[]][] {
  const random = new SeededRandom(11);
  const contracts = [...contractsBetween(definition, START, START + DAY_MS).values()]
    .filter(({ kind, id }) => kind === "hour" || id.includes("DA-BASE-2026-03-03"));
  const all: [TableName, number, Cell[]][] = [];
  const add = (table: TableName, time: number, ...row: Cell[]) => void all.push([table, time, [time, ...row]]);
  const mids = new Map(contracts.map(({ id }) => [id, 3_000]));
  let orders = 0;
  for (let minute = 0; minute < 30 * 60; minute += 1) {
    const time = START + minute * MINUTE_MS;
    if (minute % 5 === 0) {
      for (const node of ["NORTH", "WEST"]) add("spot", time, node, 3_000 + random.integer(-400, 400), "base");
    }
    for (const { id, listedAt, deliveryStart } of contracts) {
      const isTraded = TRADED.includes(id);
      if (time < listedAt || time >= deliveryStart || (!isTraded && minute % 97 !== 0)) continue;
      const mid = mids.get(id)! + random.integer(-6, 6) * (minute % 60 < 10 ? 3 : 1);
      mids.set(id, mid);
      const at = time + random.integer(0, MINUTE_MS - 1);
      const [bid, ask] = [mid - random.integer(0, 9), mid + random.integer(0, 9)];
      add("quotes", at, id, random.next() < 0.03 ? null : bid, 1, random.next() < 0.03 ? null : ask, 1);
      if (isTraded && random.next() < 0.5) {
        const side = random.next() < 0.5 + (minute % 40 < 20 ? 0.3 : -0.3) ? "BUY" : "SELL";
        const [buyer, seller] = [PERSONAS[random.integer(0, 3)]!, PERSONAS[random.integer(0, 3)]!];
        for (let part = random.integer(0, 2); part >= 0; part--) {
          const other = PERSONAS[(PERSONAS.indexOf(seller) + part) % 4]!;
          const [bought, sold] = side === "BUY" ? [buyer, other] : [other, buyer];
          add("trades", at, id, side === "BUY" ? ask : bid, random.integer(1, 40) / 2, side, bought, sold);
        }
      }
      if (minute % 10 === 0) add("forecasts", time, id, "best", mid + random.integer(-20, 20));
      if (minute % 15 === 0) {
        for (const persona of PERSONAS.slice(0, 3)) add("forecasts", time, id, persona, mid + random.integer(-90, 90));
      }
    }
    const submitted = ++orders;
    const count = minute % 30 === 0 ? 3 : 1;
    for (let each = 0; each < count; each++) add("orders", time + 5, "submit", submitted * 10 + each);
    if (minute % 7 === 0) add("orders", time + 6, "change", submitted * 10);
    if (minute > 90) add("orders", time + 7, "cancel", (submitted - (minute % 2 === 0 ? 60 : 10)) * 10);
  }
  for (const hour of [6, 12]) {
    PERSONAS.forEach((persona, place) => {
      add("positions", START + hour * HOUR_MS, persona, TRADED[0]!, place - 1.5 + hour / 12, 10.25 - place);
      if (place === 0) add("positions", START + hour * HOUR_MS, persona, TRADED[1]!, 0.5, 10.25);
    });
    add("positions", START + hour * HOUR_MS, "zic-9", null, null, -hour);
  }
  return all.sort(([, one], [, other]) => one - other);
}

function collected(until: number) {
  const collector = new TapeCollector(until);
  for (const [table, time, row] of ROWS) collector.append(table, time, row);
  return collector.tape(definition, BEGIN, START + 30 * HOUR_MS);
}

test("a collector keeps what comes before its end, by contract, node, forecaster and persona", () => {
  const until = START + 13 * HOUR_MS;
  const tape = collected(until);
  const tables = Map.groupBy(ROWS.filter(([, time]) => time < until), ([table]) => table);
  const of = (table: TableName) => tables.get(table)!.map(([, , row]) => row);
  const number = (cell: Cell | undefined) => typeof cell === "number" ? cell : NaN;
  for (const [id, { times, prices, quantities, signs, buyers, sellers }] of tape.trades) {
    const own = of("trades").filter((row) => row[1] === id);
    expect([[...times], [...prices], [...quantities]]).toEqual(
      [0, 2, 3].map((at) => own.map((row) => number(row[at]))),
    );
    expect([...signs]).toEqual(own.map((row) => row[4] === "BUY" ? 1 : -1));
    expect([buyers, sellers]).toEqual([5, 6].map((at) => own.map((row) => row[at])) as never);
  }
  expect([...tape.trades.keys()].toSorted()).toEqual(TRADED.toSorted());
  for (const [id, { times, bids, asks }] of tape.quotes) {
    const own = of("quotes").filter((row) => row[1] === id);
    expect([[...times], [...bids], [...asks]]).toEqual([0, 2, 4].map((at) => own.map((row) => number(row[at]))));
  }
  for (const [node, { times, prices }] of tape.spot) {
    const own = of("spot").filter((row) => row[1] === node);
    expect([[...times], [...prices]]).toEqual([0, 2].map((at) => own.map((row) => number(row[at]))));
  }
  for (const [id, forecasters] of tape.forecasts) {
    for (const [name, { times, prices }] of forecasters) {
      const own = of("forecasts").filter((row) => row[1] === id && row[2] === name);
      expect([[...times], [...prices]]).toEqual([0, 3].map((at) => own.map((row) => number(row[at]))));
    }
  }
  expect([...tape.messageTimes]).toEqual(of("orders").map(([time]) => number(time)));
  const { persona, contractId, ...positions } = tape.positions;
  const names = ({ codes, names }: typeof persona) => [...codes].map((code) => names[code]!);
  expect([names(persona), names(contractId)]).toEqual(
    [1, 2].map((at) => of("positions").map((row) => String(row[at] ?? ""))),
  );
  expect([[...positions.time], [...positions.positionMw], [...positions.cash]])
    .toEqual([0, 3, 4].map((at) => of("positions").map((row) => number(row[at]))));
  expect([tape.minutes.start, tape.minutes.end, tape.minutes.open.length]).toEqual([
    START + 8 * MINUTE_MS,
    until,
    13 * 60 - 8,
  ]);
});

test("each figure of a tape has its value", () => {
  const facts = factsOf({ preset: "calm", seed: 1, tape: collected(Infinity) });
  const figures = presetFigures([facts]).map(({ figure, value }) => [figure.id, Number(value.toPrecision(6))]);
  expect(figures).toHaveLength(FIGURES.length);
  expect(Object.fromEntries(figures)).toEqual({
    "activity.halfHour": 1.928,
    "activity.halfHourAfterStart": 1.91935,
    "activity.halfHourMedian": 2,
    "activity.hours": Infinity,
    "activity.volume": Infinity,
    "books.crossed": 0.00954039,
    "books.hourTwoSided": 0.753724,
    "books.hoursTwoSided": 0.0530726,
    "books.noArbitrage": 0.276923,
    "impact.exponent": -0.437027,
    "impact.fade": 293.31,
    "impact.fit": 1.5,
    "impact.immediate": -0.000067334,
    "impact.minute": 270.761,
    "impact.minuteExponent": NaN,
    "impact.slope": -0.00559354,
    "impact.tenMinutes": 293.31,
    "orders.busiest": 3,
    "orders.cancelled": 0.890104,
    "orders.changed": 0.134375,
    "orders.gate": 2.45929,
    "orders.lastHours": 0.185845,
    "orders.lifetime": 600.002,
    "orders.longest": 5.99998,
    "orders.messages": 1.1847,
    "orders.spread": 1.04089,
    "orders.tail": Infinity,
    "prediction.absolute": 0.979433,
    "prediction.baseSd": 0.729362,
    "prediction.best": 1.0057,
    "prediction.byContract": 0.814703,
    "prediction.oftenTraded": 0.98816,
    "prediction.squared": 0.980486,
    "profit.informed": 1,
    "profit.informedDollars": 6624.26,
    "profit.makers": 0,
    "profit.makersDollars": -6995.31,
    "profit.positions": 4,
    "profit.sum": 29,
    "returns.kurtosis": 1.11044,
    "returns.lag1": -0.13852,
    "returns.log.kurtosis": 1.12933,
    "returns.log.lag1": -0.140336,
    "returns.log.size1": 0.304166,
    "returns.log.size10": -0.0794642,
    "returns.log.size30": -0.0925415,
    "returns.log.varianceRatio": 0.615126,
    "returns.size1": 0.304781,
    "returns.size10": -0.0788583,
    "returns.size30": -0.0948672,
    "returns.sizeFalls": 0.016009,
    "returns.varianceRatio": 0.615053,
    "signs.lag1": 0.650775,
    "signs.lag10": -0.019323,
    "signs.merged.lag1": 0.316075,
    "signs.merged.lag10": -0.197332,
    "sizes.kurtosis": -1.2013,
    "sizes.merged.kurtosis": -0.287578,
  });
});

test("a contract may be traded from its listing until its delivery, and a market is open in the minutes of its schedule", () => {
  const contract = { listedAt: 5, deliveryStart: 9 } as TapeContract;
  expect([4, 5, 8, 9].map((time) => mayTrade(contract, time))).toEqual([false, true, true, false]);
  const [market] = definition.markets;
  const schedule = { days: ["mon"], preopen: "00:09", open: "00:10", close: "01:00" };
  const scheduled = { ...definition, markets: [{ ...market!, schedule }] } as never;
  const { open } = marketMinutes(scheduled, BEGIN, START + 2 * HOUR_MS);
  const first = [...open].indexOf(1);
  expect([open.length, first, open.reduce((sum, each) => sum + each, 0), open[first + 49], open[first + 50]])
    .toEqual([112, 2, 50, 1, 0]);
});
