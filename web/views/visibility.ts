// Whether somebody can see the view: its window is in front, and the chat has not scrolled it away.

/** Tells `onChange` whenever it changes. At first the view counts as visible. */
export function watchVisibility(onChange: (isVisible: boolean) => void): void {
  let isInView = true;
  const tell = () => onChange(isInView && document.visibilityState === "visible");
  document.addEventListener("visibilitychange", tell);
  new IntersectionObserver((entries) => {
    isInView = entries.at(-1)?.isIntersecting ?? true;
    tell();
  }).observe(document.documentElement);
}
