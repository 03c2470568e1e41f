// What each part of a chart looks like: colours on light and dark paper, the shapes of layers, the legend, and the
// places of charts in a picture.

import { describe, expect, test } from "bun:test";
import { type Chart, chartSvg } from "../../../common/plot/chart.ts";
import { drawn, isEmpty, type Layer, valuesOf } from "../../../common/plot/layers.ts";
import { pictureSvg } from "../../../common/plot/picture.ts";
import { fitted, pixels, plotStyle, seriesTone, textAt, widthOf } from "../../../common/plot/svg.ts";

describe("the colours", () => {
  const [light = "", dark = ""] = plotStyle().split("@media screen and (prefers-color-scheme:dark)");
  const coloursIn = (sheet: string) =>
    new Map([...sheet.matchAll(/\.([\w-]+)\{color:(#\w{6})\}/g)].map(([, name = "", colour = ""]) => [name, colour]));
  /** Of the WCAG: from 0, black, to 1, white. */
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };

  test.each([["light", light, 1], ["dark", dark, 0]])(
    "of a %s page can all be told from its paper",
    (_name, sheet, end) => {
      const colours = coloursIn(sheet);
      const paper = luminance(colours.get("p-paper")!);
      expect(Math.abs(paper - end)).toBeLessThan(0.02);
      const contrast = (name: string) => {
        const colour = luminance(colours.get(name)!);
        return (Math.max(colour, paper) + 0.05) / (Math.min(colour, paper) + 0.05);
      };
      const dim = [...colours.keys()].filter((name) => name !== "p-paper" && contrast(name) < 3.9);
      expect([dim, colours.size, contrast("plot") > 12]).toEqual([[], 19, true]);
    },
  );

  test("of a light and of a dark page differ for all tones, and a dark screen alone gets the dark ones", () => {
    const [ofLight, ofDark] = [coloursIn(light), coloursIn(dark)];
    expect([...ofLight.keys()]).toEqual([...ofDark.keys()]);
    expect([...ofLight].filter(([name, colour]) => ofDark.get(name) === colour)).toEqual([]);
    expect(dark).toMatch(/^\{.*\}\}$/);
  });

  test("of eight series differ, then begin again", () => {
    const tones = Array.from({ length: 10 }, (_, at) => seriesTone(at));
    expect(tones).toEqual(["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s0", "s1"]);
  });
});

describe("a layer", () => {
  const x = { at: (value: number) => 10 * value, marks: [] };
  const y = { at: (value: number) => 100 - value, marks: [] };
  const area = { left: 5, right: 95, top: 15, bottom: 85 };
  const box = { x: [1, 3], y: [20, 40] } as const;
  const fill = 'fill="currentColor"';
  const stroke = 'stroke="currentColor"';
  const rest = 'stroke-linejoin="round"';

  test.each<[layer: Layer, shapes: string, x: number[], y: number[]]>([
    [
      { kind: "line", tone: "s0", points: [[1, 10], [2, -20], [3, null], [4, 0], [5, 1]] },
      `<path d="M10,90L20,120M40,100L50,99" fill="none" ${stroke} stroke-width="1.5" ${rest}/>`,
      [1, 2, 4, 5],
      [10, -20, 0, 1],
    ],
    [
      { kind: "line", tone: "s0", points: [[1, 10], [2, 20]], isStepped: true, isDashed: true, width: 3 },
      `<path d="M10,90L20,90L20,80" fill="none" ${stroke} stroke-width="3" ${rest} stroke-dasharray="4 3"/>`,
      [1, 2],
      [10, 20],
    ],
    [
      { kind: "area", tone: "s1", extents: [[1, 10, 20], [2, -5, 30], [3, null, 4], [4, 1, null]] },
      `<path d="M10,80L20,70L20,105L10,90Z" ${fill} fill-opacity="0.25"/>`,
      [1, 2],
      [10, 20, -5, 30],
    ],
    [
      { kind: "dots", tone: "s2", points: [[1, 10], [2, null]], radius: 4, opacity: 1 },
      `<g ${fill} fill-opacity="1"><circle cx="10" cy="90" r="4"/></g>`,
      [1],
      [10],
    ],
    [
      { kind: "sticks", tone: "s3", extents: [[1, -10, 20], [2, 5, 5], [3, null, 4], [4, 20, -10], [5, 0, 2]] },
      `<path d="M10 110V80M20 95.8V94.2M40 80V110M50 100V98" ${stroke} stroke-width="1" fill="none"/>`,
      [1, 2, 4, 5],
      [-10, 20, 5, 5, 20, -10, 0, 2],
    ],
    [
      { kind: "boxes", tone: "s4", boxes: [box] },
      `<rect x="10" y="60" width="20" height="20" ${fill}/>`,
      [1, 3],
      [20, 40],
    ],
    [
      { kind: "boxes", tone: "s4", opacity: 0.5, boxes: [{ ...box, strength: 0.5, title: "A & B" }] },
      `<rect x="10" y="60" width="20" height="20" ${fill} fill-opacity="0.25"><title>A &amp; B</title></rect>`,
      [1, 3],
      [20, 40],
    ],
    [
      { kind: "boxes", tone: "s4", boxes: [{ x: [3, 1], y: [-20, -20], strength: 7 }, { ...box, strength: -1 }] },
      `<rect x="10" y="120" width="20" height="0.4" ${fill}/>` +
      `<rect x="10" y="60" width="20" height="20" ${fill} fill-opacity="0"/>`,
      [3, 1, 1, 3],
      [-20, -20, 20, 40],
    ],
    [
      { kind: "bands", tone: "spike", axis: "x", bands: [{ from: 1, to: 2 }] },
      `<rect x="10" y="15" width="10" height="70" ${fill} fill-opacity="0.12"/>`,
      [],
      [],
    ],
    [
      { kind: "bands", tone: "spike", axis: "y", bands: [{ from: 20, to: 60, title: "T" }], opacity: 0.3 },
      `<rect x="5" y="40" width="90" height="40" ${fill} fill-opacity="0.3"><title>T</title></rect>`,
      [],
      [],
    ],
    [
      { kind: "level", tone: "bad", value: 30 },
      `<path d="M5 70H95" ${stroke} stroke-dasharray="2 3"/>`,
      [],
      [30],
    ],
  ])("%# has its shapes in its tone, and needs its values on the axes", (layer, shapes, across, up) => {
    expect(drawn(layer, x, y, area)).toBe(`<g class="p-${layer.tone}">${shapes}</g>`);
    expect([[...valuesOf(layer, "x")], [...valuesOf(layer, "y")]]).toEqual([across, up]);
    expect(isEmpty(layer)).toBe(across.length === 0);
  });

  test.each<Layer>([
    { kind: "line", tone: "s0", points: [[1, null]] },
    { kind: "area", tone: "s0", extents: [[1, null, 2], [1, 2, null], [NaN, 1, 2]] },
    { kind: "dots", tone: "s0", points: [[1, null], [Infinity, 1]] },
    { kind: "sticks", tone: "s0", extents: [[1, 2, null]] },
    { kind: "boxes", tone: "s0", boxes: [{ x: [NaN, 1], y: [0, 1] }] },
    { kind: "bands", tone: "s0", axis: "x", bands: [{ from: NaN, to: 1 }, { from: 1, to: NaN }] },
  ])("%# without a finite value draws nothing", (layer) => expect(drawn(layer, x, y, area)).toBe(""));
});

describe("a legend", () => {
  const chart = (layers: Layer[], more: Partial<Chart> = {}) =>
    chartSvg({ title: "", x: { kind: "linear" }, y: { kind: "linear" }, layers, width: 400, height: 200, ...more });
  const swatchOf = (layer: Layer) =>
    /<g class="p-([\w]+)">(.*?)<\/g><text/.exec(chart([{ ...layer, name: "N" }]))!.slice(1);

  test.each<[layer: Layer, swatch: string]>([
    [{ kind: "line", tone: "s0", points: [] }, '<path d="M0 10h13" stroke="currentColor" stroke-width="2"/>'],
    [
      { kind: "line", tone: "s1", points: [], isDashed: true },
      '<path d="M0 10h13" stroke="currentColor" stroke-width="2" stroke-dasharray="4 3"/>',
    ],
    [
      { kind: "level", tone: "bad", value: 1 },
      '<path d="M0 10h13" stroke="currentColor" stroke-width="2" stroke-dasharray="2 3"/>',
    ],
    [
      { kind: "sticks", tone: "s1", extents: [] },
      '<path d="M4 6v8m4 -6v5" stroke="currentColor" stroke-width="1.5"/>',
    ],
    [{ kind: "dots", tone: "s2", points: [] }, '<circle cx="6" cy="10" r="3" fill="currentColor"/>'],
    ...([
      [{ kind: "boxes", tone: "buy", boxes: [] }, 1],
      [{ kind: "boxes", tone: "sell", boxes: [], opacity: 0.5 }, 0.5],
      [{ kind: "bands", tone: "spike", axis: "x", bands: [] }, 0.3],
      [{ kind: "area", tone: "s3", extents: [] }, 0.3],
      [{ kind: "area", tone: "s3", extents: [], opacity: 0.8 }, 0.8],
    ] as const).map(([layer, opacity]): [Layer, string] => [
      layer,
      `<rect x="1" y="5" width="11" height="10" fill="currentColor" fill-opacity="${opacity}"/>`,
    ]),
  ])("has the look and tone of its layer: %#", (layer, swatch) => {
    expect(swatchOf(layer)).toEqual([layer.tone, swatch]);
  });

  test("names each once, beside each other as far as they fit, and the plot begins below them", () => {
    const layer = (name?: string): Layer => ({
      kind: "dots",
      tone: "s0",
      points: [[0, 0], [1, 1]],
      ...(name && { name }),
    });
    const placesIn = (layers: Layer[], width: number) =>
      [
        ...chart(layers, { width }).matchAll(
          /<text x="([\d.]+)" y="([\d.]+)" font-size="11" fill="currentColor">(.*?)</g,
        ),
      ]
        .map(([, x, y, text]) => `${text} ${x} ${y}`);
    const layers = [layer("one"), layer(), layer("two"), layer("one"), layer("three")];
    expect(placesIn(layers, 400)).toEqual(["one 18 14", "two 66.2 14", "three 115.6 14"]);
    expect(placesIn(layers, 100)).toEqual(["one 18 14", "two 66.2 14", "three 18 30"]);
    const top = (layers: Layer[]) =>
      Math.min(...[...chart(layers).matchAll(/cy="([\d.]+)" r="2"/g)].map(([, y]) => Number(y)));
    expect([top([layer()]), top([layer("one")]), top([{ ...layer("one") }, layer("two")])]).toEqual([10, 26, 26]);
  });
});

test("labels below a chart never overlap: one without room is left out, and its tick stays", () => {
  const names = Array.from({ length: 12 }, (_, at) => `contract ${at}`);
  const layers: Layer[] = [{ kind: "dots", tone: "s0", points: [[0, 0]] }];
  const svg = chartSvg({
    title: "",
    x: { kind: "names", names },
    y: { kind: "linear" },
    layers,
    width: 400,
    height: 99,
  });
  const labels = [...svg.matchAll(/x="([\d.]+)" y="[\d.]+" text-anchor="middle" font-size="11"[^>]*>(.*?)</g)]
    .map(([, x, text = ""]) => ({ from: Number(x) - widthOf(text, 11) / 2, to: Number(x) + widthOf(text, 11) / 2 }));
  expect([labels.length, svg.match(/v4"/g)!.length]).toEqual([4, 12]);
  expect(labels.every(({ from, to }, at) => from >= (labels[at - 1]?.to ?? 0) && to <= 400)).toBeTrue();
});

describe("a picture", () => {
  const chart = (width: number, height: number, title = "C"): Chart => (
    { title, x: { kind: "linear" }, y: { kind: "linear" }, layers: [], width, height }
  );
  const facts = (svg: string) => [
    /viewBox="([^"]*)"/.exec(svg)![1],
    ...[...svg.matchAll(/translate\(([\d. ]+)\)/g)].map(([, place]) => place),
  ];

  test("has its rows below each other, each as high as its highest chart, and its charts side by side", () => {
    const rows = [[chart(100, 50), chart(200, 80)], [chart(400, 60)]];
    expect(facts(pictureSvg({ title: "P", rows }))).toEqual(["0 0 432 216", "16 42", "134 42", "16 140"]);
    const noted = pictureSvg({ title: "P", note: "N", rows });
    expect([facts(noted)[1], noted.includes(">N</text>")]).toEqual(["16 58", true]);
  });

  test("of one chart with its title has no other heading", () => {
    const svg = pictureSvg({ title: "C", note: "N", rows: [[chart(100, 50)]] });
    expect([facts(svg), svg.split(">C<").length, svg.includes(">N<")]).toEqual([["0 0 132 82", "16 16"], 3, false]);
    expect(facts(pictureSvg({ title: "D", rows: [[chart(100, 50)]] }))[1]).toBe("16 42");
    expect(facts(pictureSvg({ title: "C", rows: [[chart(100, 50), chart(100, 50)]] }))[1]).toBe("16 42");
    expect(svg).toContain("<style>:root{color-scheme:light dark}");
  });
});

test("texts are placed, shortened, and never at what is no number", () => {
  expect(textAt(1, 2, "<a>")).toBe('<text x="1" y="2" fill="currentColor">&lt;a&gt;</text>');
  expect(textAt(1, 2, "a", { anchor: "end", tone: "bad", size: 11, bold: true })).toBe(
    '<text x="1" y="2" text-anchor="end" font-size="11" font-weight="600" fill="currentColor" class="p-bad">a</text>',
  );
  expect([fitted("abc", 100), fitted("abcdefgh", 40), fitted("abc", 1)]).toEqual(["abc", "abcd…", "a…"]);
  expect(widthOf("AB1")).toBeGreaterThan(widthOf("abc"));
  expect([pixels(-0.01), pixels(1.26)]).toEqual([0, 1.3]);
  expect(() => pixels(NaN)).toThrow("NaN is not a coordinate");
});
