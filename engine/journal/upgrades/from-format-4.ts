// Format 5: new names (early-parts.ts). What is a checkpoint was called an image, also in the tables.

import { withoutRefusals, withSections } from "./early-parts.ts";
import type { UpgradeStep } from "./journal-content.ts";

export const FROM_FORMAT_4: UpgradeStep = { parts: withSections, record: withoutRefusals };
