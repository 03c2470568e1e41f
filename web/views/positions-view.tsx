// The view of mkt_get_entity: the positions of an entity, and a choice of the entities.

import { EmptyState } from "../components/notices.tsx";
import { Positions } from "../components/positions.tsx";
import type { PositionsResult } from "../contract/tool-results.ts";
import { type Option, useItems } from "./options.ts";
import { Selection } from "./selection.tsx";
import type { View, ViewProps } from "./view.ts";

export const positionsView: View = {
  title: "Positions",
  tool: "mkt_get_entity",
  values: (opened, { id = opened["entityId"] }) => ({ entityId: id, positions: true }),
  // Without `positions` the result is the entity alone; a later page, a day, sums or chosen columns are a part of them.
  suits: (opened, { positions }) =>
    positions !== undefined && ["cursor", "day", "by", "fields"].every((part) => opened[part] === undefined),
  Content: PositionsContent,
};

function PositionsContent({ result, values, follow, call }: ViewProps) {
  const entity = result as unknown as PositionsResult;
  const entities = useItems(follow === null ? null : () => listedEntities(call));
  return (
    <>
      {follow !== null && entities.length > 1 && (
        <Selection
          label="Entity"
          options={entities}
          value={values["entityId"] as string}
          onChange={(entityId) => follow({ ...values, entityId })}
        />
      )}
      <h2 class="name">{entity.name}</h2>
      {result["positions"] === undefined
        ? (
          <EmptyState title="The result has no positions">
            <p>Ask the assistant for mkt_get_entity with positions.</p>
          </EmptyState>
        )
        : <Positions entity={entity} />}
    </>
  );
}

async function listedEntities(call: ViewProps["call"]): Promise<Option[]> {
  const answer = await call("mkt_list_entities", { fields: ["name"], limit: 500 });
  if (answer.kind === "error") return [];
  const entities = answer.result["entities"] as readonly { readonly id: string; readonly name?: string }[];
  return entities.map(({ id, name = id }) => ({ value: id, text: name }));
}
