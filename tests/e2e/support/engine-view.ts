// The engine's own state, read over a direct connection, and a comparison with what mkt shows.

import { isModuleType, MODULE_TYPES, type ModuleType } from "../../../protocol/modules/registry.ts";
import { withSideNames } from "../../../plugins/toolkit/sides.ts";
import { LoadClient, messagesIn } from "../../support/load-client.ts";
import { succeed, type TestClient } from "../../support/clients.ts";

type Module = Readonly<Record<string, unknown>> & { readonly id: string };
/** By type, then by id. */
type Modules = ReadonlyMap<ModuleType, ReadonlyMap<string, Module>>;

export interface EngineView {
  readonly modules: Modules;
  /** The number of the newest event. */
  readonly sequence: number;
}

/** Everything that the user may see. The user should already be connected, so that this connection changes nothing. */
export async function viewEngine(webSocketUrl: string, userId: string): Promise<EngineView> {
  const { client, modules, sequence } = await lookAt({ webSocketUrl }, userId);
  client.close();
  await client.closed;
  return { modules, sequence };
}

/** A client of the user, the engine's epoch, and what the engine had when the client connected. */
export async function lookAt({ webSocketUrl }: { readonly webSocketUrl: string }, userId: string) {
  const modules = new Map<ModuleType, Map<string, Module>>(MODULE_TYPES.map((type) => [type, new Map()]));
  let [epoch, sequence] = [0, 0];
  let isWelcomed = false;
  const onFrame = (text: string) => {
    if (isWelcomed) return;
    for (const message of messagesIn(text)) {
      if ("statePath" in message) {
        const type = message.statePath.split("/")[1] ?? "";
        if (isModuleType(type) && message.state !== null) modules.get(type)?.set(message.state.id, message.state);
      } else if (message.kind === "welcome") ({ epoch, sequence } = message);
    }
  };
  const client = await new LoadClient(webSocketUrl, userId, { onFrame }).welcomed();
  isWelcomed = true;
  const openOrders = [...modules.get("ORDER")!.values()].filter(({ closeReason }) => closeReason === null);
  return { client, epoch, sequence, modules, openOrders: openOrders.map(({ id }) => id) };
}

const PAGE = 1000;

/** The first difference between what mkt shows and what the engine has; null if there is none. */
export async function differenceFrom(view: EngineView, client: TestClient): Promise<string | null> {
  for (const [type, expected] of view.modules) {
    const ids = [...expected.keys()];
    const shown = new Map<string, Module>();
    let total = 0;
    for (let start = 0; start === 0 || start < ids.length; start += PAGE) {
      const filters = ids.length <= PAGE ? {} : { id: { operator: "in", value: ids.slice(start, start + PAGE) } };
      const query = { moduleType: type, filters, limit: PAGE, fields: ["all"] };
      const found = await succeed(client, "mkt_find_modules", query);
      total += Number(found["total"]);
      for (const module of found["modules"] as Module[]) shown.set(module.id, module);
    }
    const everything = await succeed(client, "mkt_find_modules", { moduleType: type, limit: 1 });
    if (everything["total"] !== ids.length) return `${everything["total"]} ${type} are shown, not ${ids.length}`;
    if (total !== ids.length) return `${total} of ${ids.length} ${type} are found by their ids`;
    for (const [id, module] of expected) {
      if (!isShownAs(module, shown.get(id))) {
        return `${type} ${id} is shown as ${JSON.stringify(shown.get(id))}, it is ${JSON.stringify(module)}`;
      }
    }
  }
  return null;
}

/** Whether every property is shown; not the clock, which advances between two reads. Sides read BUY and SELL. */
function isShownAs(module: Module, shown: Module | undefined): boolean {
  return Object.entries(withSideNames(module)).every(([name, value]) =>
    name === "currentTime" || Bun.deepEquals(value, shown?.[name])
  );
}
