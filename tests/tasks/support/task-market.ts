// The market of the tasks: one engine with the built-in market. Each task trades contracts and entities of its own, so
// the tasks don't disturb one another.

import type { ModuleType } from "../../../protocol/modules/registry.ts";
import { atEnd } from "../../support/at-end.ts";
import { clientHere, httpServerHere } from "../../support/in-process.ts";
import { COMBINATIONS } from "../../support/official-client.ts";
import { type PowerMarket, startSimulatedMarket } from "../../support/power-market.ts";
import { type EngineView, viewEngine } from "../../e2e/support/engine-view.ts";
import { Agent } from "./agent.ts";
import { MarketUser } from "./market-user.ts";

const OPERATOR = "operator";

export class TaskMarket {
  /** Agents of the current task. */
  readonly agents: Agent[] = [];
  #clients = 0;

  private constructor(readonly engine: PowerMarket) {}

  static async open(): Promise<TaskMarket> {
    return new TaskMarket(await startSimulatedMarket());
  }

  /** An agent that acts as the user. The official clients take turns, over streams and over HTTP. */
  async agent(userId: string, env: Record<string, string> = {}): Promise<Agent> {
    const [generation, transport] = COMBINATIONS[this.#clients++ % COMBINATIONS.length] ?? ["v2", "http"];
    const variables = { ...this.engine.environmentFor(userId), ...env };
    const client =
      await (transport === "stdio"
        ? clientHere(variables, { generation })
        : (await httpServerHere(variables)).client({ generation }));
    const agent = new Agent(client);
    this.agents.push(agent);
    return agent;
  }

  async user(userId: string): Promise<MarketUser> {
    const user = await MarketUser.connect(this.engine.webSocketUrl, userId);
    atEnd(() => user.close());
    return user;
  }

  /** Starts or stops a simulation, without an agent. */
  async simulate(command: "start" | "stop", settings: object = {}): Promise<void> {
    const response = await fetch(`${this.engine.url}/api/sim/${command}`, {
      method: "POST",
      headers: { "X-Mkt-User": OPERATOR, "Content-Type": "application/json" },
      body: JSON.stringify(settings),
    });
    if (!response.ok) throw new Error(`${command}: ${response.status} ${await response.text()}`);
  }

  /** All modules of the engine. */
  view(): Promise<EngineView> {
    return viewEngine(this.engine.webSocketUrl, OPERATOR);
  }

  /** The modules of a type with these properties. */
  async modules(type: ModuleType, having: Readonly<Record<string, unknown>> = {}) {
    const all = [...(await this.view()).modules.get(type)?.values() ?? []];
    return all.filter((module) => Object.entries(having).every(([name, value]) => module[name] === value));
  }

  /** The contract of a product with the earliest delivery. */
  async contractOf(productCode: string): Promise<string> {
    const [first] = (await this.modules("CONTRACT", { productCode }))
      .sort((a, b) => String(a["deliveryStart"]).localeCompare(String(b["deliveryStart"])));
    if (first === undefined) throw new Error(`no contract of ${productCode}`);
    return first.id;
  }
}
