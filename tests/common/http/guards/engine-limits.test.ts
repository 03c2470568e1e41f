import { describe, expect, test } from "bun:test";
import {
  DEFAULT_ENGINE_LIMITS,
  ENGINE_LIMITS,
  readEngineLimits,
} from "../../../../common/http/guards/engine-limits.ts";

describe("the limits of the engine", () => {
  test("have their defaults if the variable is not set or empty", () => {
    expect(readEngineLimits({})).toEqual({ limits: DEFAULT_ENGINE_LIMITS });
    for (const variable of ["MKT_ENGINE_MAX_DEPTH", "MKT_ENGINE_MAX_OF_NOTHING"]) {
      expect(readEngineLimits({ [variable]: "" })).toEqual({ limits: DEFAULT_ENGINE_LIMITS });
    }
  });

  test.each(Object.entries(ENGINE_LIMITS))("%s accepts the ends of its range and nothing beyond", (name, limit) => {
    const [least, greatest] = limit.range;
    const read = (value: number | string) => readEngineLimits({ [limit.variable]: String(value) });
    for (const value of limit.range) {
      expect(read(value)).toEqual({ limits: { ...DEFAULT_ENGINE_LIMITS, [name]: value } });
    }
    for (const value of [least - 1, greatest + 1, "1e3", "-1", "many", "1.5"]) {
      expect(read(value)).toEqual({
        faults: [{
          variable: limit.variable,
          message: expect.stringContaining(`${least} to ${greatest} (${limit.unit}), and is "${value}"`),
        }],
      });
    }
  });

  test("have these defaults and ranges", () => {
    const rows = Object.values(ENGINE_LIMITS).map((limit) => [limit.default, ...limit.range].join(" "));
    expect(rows).toEqual([
      "2000 1 100000",
      "500 1 100000",
      "5000 1 10000000",
      `${DEFAULT_ENGINE_LIMITS.unauthorizedPerSecond} 1 10000000`,
      "500 1 10000000",
      "4194304 1024 4294967296",
      "1048576 1024 67108864",
      "32 4 256",
      "10000 100 1000000",
      "16777216 65536 1073741824",
      "268435456 65536 68719476736",
      "60 1 86400",
      "20000 1 10000000",
      "50000 1 10000000",
    ]);
  });

  test("report all faults at once, an unknown limit among them", () => {
    const wrong = { MKT_ENGINE_MAX_DEPTH: "x", MKT_ENGINE_MAX_VALUES: "y", MKT_ENGINE_MAX_CONNECTION: "5" };
    const read = readEngineLimits({ ...wrong, MKT_ENGINE_PORT: "tcp://10.0.0.1:3001" });
    const faults = "faults" in read ? read.faults.map(({ variable }) => variable) : [];
    expect(faults.toSorted()).toEqual(["MKT_ENGINE_MAX_CONNECTION", "MKT_ENGINE_MAX_DEPTH", "MKT_ENGINE_MAX_VALUES"]);
  });

  test("are in docs/configuration.md, with their defaults and units", async () => {
    const document = await Bun.file(`${import.meta.dir}/../../../../docs/configuration.md`).text();
    const rows = document.split("\n").filter((line) => line.startsWith("| `MKT_ENGINE_MAX_"))
      .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
    const told = Object.values(ENGINE_LIMITS).map((
      { variable, default: value, unit, meaning },
    ) => [`\`${variable}\``, String(value), unit, meaning]);
    expect(rows).toEqual(told);
  });
});
