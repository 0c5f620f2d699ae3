import { useSyncExternalStore, type ReactElement } from 'react';
import { agoWords, durationWords, timeWords } from './words.js';

const everyMs = 1_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    if (document.hidden) return;
    now = Date.now();
    for (const each of listeners) each();
  }, everyMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time of this machine as words of the caller's, which are drawn again when they change. */
export const useNow = (words: (now: number) => string): string =>
  useSyncExternalStore(subscribe, () => words(now));

/** A time as people say it; the exact one on hover. */
export function Ago({ at }: { readonly at: number | null | undefined }): ReactElement {
  const words = useNow((present) =>
    at === null || at === undefined ? '–' : agoWords(at, Math.max(present, 0)),
  );
  if (at === null || at === undefined) return <>–</>;
  return (
    <time dateTime={new Date(at).toISOString()} title={timeWords(at)}>
      {words}
    </time>
  );
}

/** A time that is read exactly, such as that of a step of a story. */
export function At({ at }: { readonly at: number }): ReactElement {
  return (
    <time dateTime={new Date(at).toISOString()} title={agoWords(at, Date.now())}>
      {timeWords(at)}
    </time>
  );
}

/** A length of time. */
export function Took({ ms }: { readonly ms: number | null | undefined }): ReactElement {
  return <>{ms === null || ms === undefined ? '–' : durationWords(ms)}</>;
}

/** How long something has lasted. */
export function Since({ at }: { readonly at: number }): ReactElement {
  const words = useNow((present) => durationWords(Math.max(0, Math.floor((present - at) / 1_000) * 1_000)));
  return <span title={timeWords(at)}>{words}</span>;
}
