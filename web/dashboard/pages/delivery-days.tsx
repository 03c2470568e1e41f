// What an entity has earned, by day of delivery.

import { Delta } from "../../components/delta.tsx";
import { count, money, signed, signedQuantity } from "../../components/format.ts";
import { TableBox } from "../../components/table-box.tsx";
import type { DaySumsResult } from "../../contract/tool-results.ts";

export function DeliveryDays({ result: { sums, total, note } }: { readonly result: DaySumsResult }) {
  return (
    <>
      <TableBox label="Table of profit by day of delivery" maxHeight="50vh">
        <table class="data-table">
          <thead>
            <tr>
              <th scope="col" title="Local day on which delivery ends">Day</th>
              {["Contracts", "Net, MWh", "Cash, $", "Realised, $", "Unrealised, $", "Profit, $"].map((heading) => (
                <th key={heading} scope="col" class="number">{heading}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sums.map(({ day, contracts, netEnergy, cash, realisedProfit, unrealisedProfit, profit }) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                <td class="number">{count(contracts)}</td>
                <td class="number">{signedQuantity(netEnergy)}</td>
                <td class="number">{money(cash)}</td>
                <td class="number">{signed(realisedProfit)}</td>
                <td class="number">{signed(unrealisedProfit)}</td>
                <td class="number">
                  <Delta value={profit} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      {total > sums.length && (
        <p class="positions-note">{count(sums.length)} of {count(total)} days, the earliest first.</p>
      )}
      {note !== undefined && <p class="positions-note">{note}</p>}
    </>
  );
}
