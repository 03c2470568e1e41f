// A short change of the ground of a cell whose price has changed. It only draws the eye: the price itself says everything.

const FLASH_MS = 700;
/** In a busy market everything changes all the time: more flashes than this tell nothing, and cost drawing. */
const MAX_FLASHES = 40;

const lessMotion = matchMedia("(prefers-reduced-motion: reduce)");
let running = 0;

/** Does nothing for people who have asked for less motion. */
export function flash(element: HTMLElement, direction: "up" | "down"): void {
  if (running >= MAX_FLASHES || lessMotion.matches) return;
  running++;
  const ground = `var(--flash-${direction})`;
  const animation = element.animate([{ backgroundColor: ground }, { backgroundColor: "transparent" }], FLASH_MS);
  const end = () => void running--;
  animation.finished.then(end, end);
}
