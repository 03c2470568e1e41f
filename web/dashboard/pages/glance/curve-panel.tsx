// The curve from hours to years: a picture with a section for each kind of delivery, and the same figures as a table whose
// prices lead to the contracts.

import { useState } from "preact/hooks";
import { Choice } from "../../../components/choice.tsx";
import { count, price } from "../../../components/format.ts";
import { Panel } from "../../../components/panel.tsx";
import { TableBox } from "../../../components/table-box.tsx";
import { CurvePicture } from "./curve-picture.tsx";
import { type CurveRow, curveSections, nodesOf } from "./curve.ts";

/** More lines could not be told apart. */
const MOST_DRAWN = 2;

interface CurvePanelProps {
  readonly rows: readonly CurveRow[];
  /** The address of a contract's page. */
  readonly addressOf: (contractId: string) => string;
}

export function CurvePanel({ rows, addressOf }: CurvePanelProps) {
  const [chosen, setChosen] = useState("");
  const [hasTable, setHasTable] = useState(false);
  const nodes = nodesOf(rows);
  const node = nodes.includes(chosen) ? chosen : nodes[0] ?? "";
  const drawn = nodes.length <= MOST_DRAWN ? nodes : [node];
  return (
    <Panel
      title="The curve, from hours to years"
      actions={nodes.length > MOST_DRAWN && (
        <Choice
          label="Node of the curve"
          options={nodes.map((node) => [node, <bdi key={node}>{node}</bdi>] as const)}
          value={node}
          onChange={setChosen}
        />
      )}
    >
      <CurvePicture sections={curveSections(rows)} nodes={drawn} addressOf={addressOf} />
      <details class="glance-details" onToggle={(event) => setHasTable(event.currentTarget.open)}>
        <summary>Show as table</summary>
        {hasTable && <CurveTable rows={rows} nodes={nodes} addressOf={addressOf} />}
      </details>
    </Panel>
  );
}

function CurveTable({ rows, nodes, addressOf }: CurvePanelProps & { readonly nodes: readonly string[] }) {
  return (
    <TableBox label="The curve, as a table" maxHeight="420px">
      <table class="data-table">
        <thead>
          <tr>
            <th scope="col">Delivery</th>
            {nodes.map((node) => (
              <th key={node} scope="col" class="number">
                <bdi>{node}</bdi>, $/MWh
              </th>
            ))}
            <th scope="col">When</th>
            <th scope="col">Period</th>
            <th scope="col" class="number" title="Hours of delivery: the MWh of 1 MW">Hours</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, delivery, period, hours, prices }) => (
            <tr key={key}>
              <th scope="row" class="name">{name}</th>
              {nodes.map((node) => {
                const at = prices.get(node);
                return (
                  <td key={node} class="number">
                    {at === undefined ? "not listed" : (
                      <a
                        href={addressOf(at.contractId)}
                        aria-label={`${node}, ${name}: ${priceWords(at.cents)}`}
                      >
                        {price(at.cents)}
                      </a>
                    )}
                  </td>
                );
              })}
              <td>{delivery}</td>
              <td class="name">{period}</td>
              <td class="number">{count(hours)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

function priceWords(cents: number | null): string {
  return cents === null ? "no price" : price(cents);
}
