import type { FollowedEvent } from '@muster/sdk';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '../session/session.js';
import { wordsOfError } from '../ui/states.js';
import { newestFirst } from './newest-first.js';

/** No more are kept on the page. */
export const mostEvents = 200;
/** Many events are drawn at once. */
const drawnEveryMs = 500;

export interface EventsSeen {
  /** Newest first. */
  readonly events: readonly FollowedEvent[];
  /** What is the matter with the stream; null: nothing. */
  readonly trouble: string | null;
  readonly isOpen: boolean;
}

const nothing: EventsSeen = { events: [], trouble: null, isOpen: false };

/**
 * The events since the page is open, by types.
 *
 * @param types empty: all
 * @param isHeld true: those that happen meanwhile are shown later
 */
export function useEvents(types: string, isHeld: boolean): EventsSeen {
  const { operator } = useSession();
  const [seen, setSeen] = useState(nothing);
  const waiting = useRef<FollowedEvent[]>([]);

  useEffect(() => {
    setSeen(nothing);
    waiting.current = [];
    const ended = new AbortController();
    void (async () => {
      try {
        const events = operator.followEvents({
          types: types === '' ? [] : [types],
          signal: ended.signal,
          opened: () => setSeen((now) => ({ ...now, isOpen: true, trouble: null })),
          trouble: (error) => setSeen((now) => ({ ...now, isOpen: false, trouble: wordsOfError(error) })),
        });
        for await (const event of events) {
          waiting.current.push(event);
          if (waiting.current.length > mostEvents) waiting.current.shift();
        }
      } catch (error) {
        if (!ended.signal.aborted)
          setSeen((now) => ({ ...now, isOpen: false, trouble: wordsOfError(error) }));
      }
    })();
    return () => ended.abort();
  }, [operator, types]);

  useEffect(() => {
    if (isHeld) return;
    const timer = setInterval(() => {
      if (waiting.current.length === 0) return;
      const fresh = waiting.current.splice(0);
      setSeen((now) => ({ ...now, events: newestFirst(now.events, fresh, mostEvents) }));
    }, drawnEveryMs);
    return () => clearInterval(timer);
  }, [isHeld]);

  return seen;
}
