import { size } from "../../../support/sizes.ts";
import { emptyTable, startAzurite } from "../../../support/azurite.ts";
import { auditStoreContract } from "../audit-store.contract.ts";
import { NOW } from "../support/events.ts";

const azurite = await startAzurite();

auditStoreContract("table storage", () => emptyTable(azurite, { now: () => NOW }), {
  runs: size(2, 200),
  walked: size(450, 100_000),
});
