// Personas and events in the short form of the command line.

import { describe, expect, test } from "bun:test";
import { type CompactList, eventsFromText, personasFromText } from "../../../sim/experiment/compact-lists.ts";

const jsonOf = ({ items, faults }: CompactList) => ({ json: items.map(({ json }) => json), faults });

describe("personas in short form", () => {
  test("are strategies with a number each", () => {
    expect(jsonOf(personasFromText("zic:20, mean-reversion:3"))).toEqual({
      json: [{ strategy: "zic", count: 20 }, { strategy: "mean-reversion", count: 3 }],
      faults: [],
    });
  });

  test.each(["", "zic", "zic:", ":3", "zic:-1", "zic:2.5", "zic:1:2", "zic 3"])('"%s" is refused', (text) => {
    expect(personasFromText(`zip:1,${text}`).faults).toEqual([
      `"${text}" is not a strategy and a number, such as zic:20`,
    ]);
  });
});

describe("events in short form", () => {
  test("have a time, and settings after a colon; a comma separates settings and events", () => {
    expect(jsonOf(eventsFromText("heat_wave@6h:size=2,hours=12,node=NORTH, fuel_shock@1.5h,plant_outage@0h:node=S.1")))
      .toEqual({
        json: [
          { type: "heat_wave", afterHours: 6, size: 2, durationHours: 12, node: "NORTH" },
          { type: "fuel_shock", afterHours: 1.5 },
          { type: "plant_outage", afterHours: 0, node: "S.1" },
        ],
        faults: [],
      });
  });

  test("may be none", () => {
    expect(eventsFromText("none")).toEqual({ items: [], faults: [] });
  });

  test("keep a value that is not a number, which the schema then refuses", () => {
    expect(jsonOf(eventsFromText("heat_wave@6h:size=big")).json).toEqual([
      { type: "heat_wave", afterHours: 6, size: "big" },
    ]);
  });

  test("have a node that is a text also if it looks like a number, and numbers with any sign", () => {
    expect(jsonOf(eventsFromText("heat_wave@1h:node= 7 ,size=-1,hours= 0.5 "))).toEqual({
      json: [{ type: "heat_wave", afterHours: 1, node: "7", size: -1, durationHours: 0.5 }],
      faults: [],
    });
  });

  test("are refused with all faults", () => {
    expect(eventsFromText("size=2,heat_wave@6,storm,cold_snap@1h:siz=2,size=1,size=2").faults).toEqual([
      '"size=2" is neither an event, such as heat_wave@6h, nor a setting of one, such as size=2',
      '"heat_wave@6" does not say after how many hours, such as heat_wave@6h',
      '"storm" is neither an event, such as heat_wave@6h, nor a setting of one, such as size=2',
      'no setting "siz" (did you mean size?); use size, hours, node',
      "cold_snap@1h: size is given twice",
    ]);
  });
});
