// Small pictures beside words, drawn in the colour of the text. A reader of the screen is told the word, not the picture.

const PATHS = {
  check: "M3 8.5l3.2 3.2L13 5",
  alert: "M8 2.2l6.2 11H1.8zM8 6.5v3.2M8 11.4v.6",
  info: "M8 14A6 6 0 108 2a6 6 0 000 12zM8 7.3v3.6M8 5v.5",
  stop: "M5 1.8h6L14.2 5v6L11 14.2H5L1.8 11V5zM5 8h6",
  pause: "M5.5 3v10M10.5 3v10",
  play: "M4.5 2.8l8 5.2-8 5.2z",
  clock: "M8 14A6 6 0 108 2a6 6 0 000 12zM8 4.6V8l2.4 1.6",
  lock: "M3.5 7.2h9v6.3h-9zM5.5 7V5a2.5 2.5 0 015 0v2",
  snow: "M8 1.8v12.4M2.6 4.9l10.8 6.2M13.4 4.9L2.6 11.1M6.4 3L8 4.4 9.6 3M6.4 13L8 11.6 9.6 13",
  bolt: "M9 1.6L3.2 9h4.2L6.6 14.4 12.8 7H8.4z",
  link: "M6.6 9.4l2.8-2.8M7.2 4.6l1.5-1.5a2.9 2.9 0 014.2 4.2l-1.5 1.5M8.8 11.4l-1.5 1.5a2.9 2.9 0 01-4.2-4.2l1.5-1.5",
  unlink:
    "M2.2 2.2l11.6 11.6M7.2 4.6l1.5-1.5a2.9 2.9 0 014.2 4.2l-1.5 1.5M8.8 11.4l-1.5 1.5a2.9 2.9 0 01-4.2-4.2l1.5-1.5",
  search: "M7 11.6A4.6 4.6 0 107 2.4a4.6 4.6 0 000 9.2zM10.4 10.4l3.4 3.4",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  sun:
    "M8 10.8a2.8 2.8 0 100-5.6 2.8 2.8 0 000 5.6zM8 1.4v1.4M8 13.2v1.4M1.4 8h1.4M13.2 8h1.4M3.3 3.3l1 1M11.7 11.7l1 1M3.3 12.7l1-1M11.7 4.3l1-1",
  moon: "M13.4 9.6A5.8 5.8 0 016.4 2.6a5.8 5.8 0 107 7z",
  screen: "M1.8 2.8h12.4v8H1.8zM5.5 13.4h5M8 10.8v2.6",
  up: "M8 13V3.2M3.8 7.2L8 3l4.2 4.2",
  down: "M8 3v9.8M3.8 8.8L8 13l4.2-4.2",
  market: "M2 13.5h12M4 11V7M8 11V3M12 11V5.5",
  eye: "M1.5 8S3.9 3.4 8 3.4 14.5 8 14.5 8 12.1 12.6 8 12.6 1.5 8 1.5 8zM8 10a2 2 0 100-4 2 2 0 000 4z",
  wave: "M1.5 9.5l3-5 3 7.5 3-6 1.8 3.5h2.2",
  people:
    "M6 7.6a2.6 2.6 0 100-5.2 2.6 2.6 0 000 5.2zM1.6 13.6c.3-2.8 2-4.2 4.4-4.2s4.1 1.4 4.4 4.2M10.8 2.8a2.4 2.4 0 010 4.5M12 9.6c1.5.5 2.3 1.9 2.5 4",
  flask: "M6.2 2h3.6M7 2v4.2L3 13.2c-.3.6 0 1 .6 1h8.8c.6 0 .9-.4.6-1L9 6.2V2M5 10h6",
  grid: "M2.4 2.4h11.2v11.2H2.4zM2.4 6.1h11.2M2.4 9.9h11.2M6.1 2.4v11.2M9.9 2.4v11.2",
  list: "M5.5 4h8M5.5 8h8M5.5 12h8M2.4 4h.01M2.4 8h.01M2.4 12h.01",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  save: "M8 2.2v7.6M4.6 6.8L8 10.2l3.4-3.4M2.6 13.4h10.8",
  camera: "M2 5h2.6l1.2-1.8h4.4L11.4 5H14v8H2zM8 11.2a2.3 2.3 0 100-4.6 2.3 2.3 0 000 4.6z",
  star: "M8 1.9l1.9 3.9 4.2.6-3.1 3 .8 4.2L8 11.6l-3.8 2 .8-4.2-3.1-3 4.2-.6z",
  bell: "M4 11.4V7.2a4 4 0 018 0v4.2l1.2 1H2.8zM6.6 14h2.8",
  muted: "M2.2 2.2l11.6 11.6M4 11.4V7.2c0-.7.2-1.3.5-1.9M6.4 3.6A4 4 0 0112 7.2v2.6M2.8 12.4h8.8M6.6 14h2.8",
  columns: "M2.4 2.8h11.2v10.4H2.4zM6.1 2.8v10.4M9.9 2.8v10.4",
  sliders:
    "M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7M10.5 6.2a1.7 1.7 0 100-3.4 1.7 1.7 0 000 3.4zM5.5 13.2a1.7 1.7 0 100-3.4 1.7 1.7 0 000 3.4z",
  out: "M6.5 2.5h-4v11h4M6.5 8h7M10.8 5.2L13.6 8l-2.8 2.8",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      class="icon"
      width="14"
      height="14"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
