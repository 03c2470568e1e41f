// What draws attention to an alert: a short sound, and a notification of the system, if the person has allowed it.

import { signal } from "@preact/signals";
import type { Words } from "./alert-words.ts";

/** `unavailable`: this browser, or a page without TLS, has none. */
type Permission = NotificationPermission | "unavailable";

export const permission = signal<Permission>(globalThis.Notification?.permission ?? "unavailable");

/** Asks the person. Browsers only do so after a click. */
export async function askPermission(): Promise<void> {
  permission.value = await Notification.requestPermission();
}

export function notify({ text, address }: Words): void {
  if (permission.peek() !== "granted") return;
  const notification = new Notification("mkt", { body: text, tag: text });
  notification.onclick = () => {
    globalThis.focus();
    location.hash = address;
    notification.close();
  };
}

let audio: AudioContext | null = null;

const TONES = [880, 1_175];
const TONE_SECONDS = 0.12;
const VOLUME = 0.15;

/** Two tones. A browser plays nothing before the first click or key in the page. */
export function playSound(): void {
  if (globalThis.AudioContext === undefined) return;
  audio ??= new AudioContext();
  void audio.resume();
  for (const [index, frequency] of TONES.entries()) {
    const tone = audio.createOscillator();
    const loudness = audio.createGain();
    const begin = audio.currentTime + index * TONE_SECONDS;
    tone.frequency.value = frequency;
    loudness.gain.setValueAtTime(VOLUME, begin);
    loudness.gain.exponentialRampToValueAtTime(0.001, begin + TONE_SECONDS);
    tone.connect(loudness).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + TONE_SECONDS);
  }
}
