// The picture of the curve: sections side by side with one scale of prices, in each a bar from begin to end of every delivery
// at its price. A click on a bar opens its contract; the table below does the same for the keyboard.

import "../../../components/node-colours.css";
import { price } from "../../../components/format.ts";
import { timeMarks } from "../../../components/spot-axis.ts";
import { priceScale } from "../../../components/spot-scale.ts";
import { timezone } from "../../live/market-clock.ts";
import type { CurveSection } from "./curve.ts";

interface CurvePictureProps {
  readonly sections: readonly CurveSection[];
  /** One or two. */
  readonly nodes: readonly string[];
  /** The address of a contract's page. */
  readonly addressOf: (contractId: string) => string;
}

const MOST_MARKS = 5;
/** A mark further right has no room for its label. */
const LAST_MARK = 0.9;

export function CurvePicture({ sections, nodes, addressOf }: CurvePictureProps) {
  const openBar = ({ target }: MouseEvent) => {
    const contractId = (target as HTMLElement).dataset["contract"];
    if (contractId !== undefined) location.hash = addressOf(contractId);
  };
  const known = sections.flatMap(({ rows }) =>
    rows.flatMap(({ prices }) => nodes.map((node) => prices.get(node)?.cents))
  );
  const scale = priceScale(known.filter((cents) => cents !== null && cents !== undefined));
  return (
    <>
      <ul class="glance-legend">
        {nodes.map((node, index) => (
          <li key={node}>
            <span class={`glance-key glance-node-${index}`} aria-hidden="true" />
            <bdi>{node}</bdi>
          </li>
        ))}
        <li>
          <span class="glance-key glance-partial" aria-hidden="true" />some of the hours
        </li>
      </ul>
      <div class="glance-curve">
        {sections.map((section) => (
          <figure key={section.kind} class={`glance-section glance-${section.kind}`}>
            <figcaption>{section.title}, $/MWh</figcaption>
            <div class="glance-plot" role="img" aria-label={summaryOf(section, nodes)} onClick={openBar}>
              {scale.marks.map((mark) => (
                <span key={mark} class="glance-level" style={{ bottom: percent(scale.at(mark)) }}>
                  <span>{price(mark).replace(/\.00$/, "")}</span>
                </span>
              ))}
              <Bars section={section} nodes={nodes} at={scale.at} />
            </div>
            <Times section={section} />
          </figure>
        ))}
      </div>
    </>
  );
}

interface BarsProps {
  readonly section: CurveSection;
  readonly nodes: readonly string[];
  readonly at: (cents: number) => number;
}

function Bars({ section: { from, to, rows }, nodes, at }: BarsProps) {
  const place = (seconds: number) => (seconds - from) / (to - from);
  return (
    <>
      {rows.flatMap((row) =>
        nodes.map((node, index) => {
          const { contractId, cents = null } = row.prices.get(node) ?? {};
          if (contractId === undefined || cents === null) return null;
          return (
            <span
              key={contractId}
              class={`glance-bar glance-node-${index} ${row.isPartial ? "glance-partial" : ""}`}
              data-contract={contractId}
              title={`${node}, ${row.name}, ${row.delivery}: ${price(cents)} $/MWh`}
              style={{
                left: percent(place(row.from)),
                width: percent(place(row.to) - place(row.from)),
                bottom: percent(at(cents)),
              }}
            />
          );
        })
      )}
    </>
  );
}

function Times({ section: { from, to } }: { readonly section: CurveSection }) {
  return (
    <div class="glance-times" aria-hidden="true">
      {timeMarks(from, to, timezone.value, MOST_MARKS).map(({ at, label }) => {
        const place = (at - from) / (to - from);
        return place <= LAST_MARK && <span key={at} style={{ left: percent(place) }}>{label}</span>;
      })}
    </div>
  );
}

/** `Hours: NORTH from 12.30 to 96.20 dollars, WEST ...`. */
function summaryOf({ title, rows }: CurveSection, nodes: readonly string[]): string {
  const ranges = nodes.map((node) => {
    const known = rows.map(({ prices }) => prices.get(node)?.cents).filter((cents) =>
      cents !== null && cents !== undefined
    );
    return known.length === 0
      ? `${node} without a price`
      : `${node} from ${price(Math.min(...known))} to ${price(Math.max(...known))} dollars`;
  });
  return `${title}: ${ranges.join(", ")}`;
}

function percent(part: number): string {
  return `${Math.round(part * 10_000) / 100}%`;
}
