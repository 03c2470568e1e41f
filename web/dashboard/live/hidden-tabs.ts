// How many hidden tabs of this browser follow the market. A browser opens at most six connections to a server without TLS, and
// each stream holds one, so more tabs than that would wait for ever. A visible tab always follows.

/** The rest is for visible tabs and for requests. */
const HIDDEN_STREAMS = 3;

/**
 * Takes one of the places for hidden tabs, and resolves to what gives it back; null if all are taken. The browser also gives
 * back the place of a tab that is closed.
 */
export async function hiddenPlace(): Promise<(() => void) | null> {
  // Only on pages from localhost or with TLS.
  if (navigator.locks === undefined) return () => {};
  for (let place = 1; place <= HIDDEN_STREAMS; place++) {
    const release = await taken(`mkt-hidden-stream-${place}`);
    if (release !== null) return release;
  }
  return null;
}

/** Null if another tab has it. */
function taken(name: string): Promise<(() => void) | null> {
  const { promise, resolve } = Promise.withResolvers<(() => void) | null>();
  const held = navigator.locks.request(name, { ifAvailable: true }, (lock) => {
    if (lock === null) return resolve(null);
    const end = Promise.withResolvers<void>();
    resolve(end.resolve);
    return end.promise;
  });
  // A page that is going away gets no lock.
  held.catch(() => resolve(null));
  return promise;
}
