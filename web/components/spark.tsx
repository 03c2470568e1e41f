// A spark line of a contract's last prices. The figures beside it say the same, so it is hidden from screen readers.

import { direction, sparkPath } from "./spark-path.ts";
import "./spark.css";

const WIDTH = 60;
const HEIGHT = 20;

export function Spark({ prices }: { readonly prices: readonly number[] }) {
  const path = sparkPath(prices, WIDTH - 4, HEIGHT);
  return (
    <svg class={`spark spark-${direction(prices)}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      {path !== "" && <path d={path} />}
    </svg>
  );
}
