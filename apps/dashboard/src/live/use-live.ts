import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSession } from '../session/session.js';
import { concernedBy, followed, isConcerned, type Concerned } from './events.js';

/** Answers are asked for again at most so often, however many events there are, in milliseconds. */
const pauseMs = 2_000;

/** Whether events arrive. */
export type Liveness = 'live' | 'connecting' | 'lost' | 'hidden';

/** Keeps shown answers fresh by the stream of events, while the page is looked at. */
export function useLive(): Liveness {
  const client = useQueryClient();
  const { operator } = useSession();
  const [liveness, setLiveness] = useState<Liveness>('connecting');
  const isVisible = useVisible();

  useEffect(() => {
    if (!isVisible) return setLiveness('hidden');
    setLiveness('connecting');
    const ended = new AbortController();
    let due: Concerned[] = [];
    const refresh = setInterval(() => {
      if (due.length === 0) return;
      const now = due;
      due = [];
      void client.invalidateQueries({
        predicate: ({ queryKey }) => now.some((concerned) => isConcerned(queryKey, concerned)),
      });
    }, pauseMs);
    void (async () => {
      try {
        const events = operator.followEvents({
          types: followed,
          signal: ended.signal,
          opened: () => setLiveness('live'),
          trouble: () => setLiveness('lost'),
        });
        for await (const event of events) due.push(...concernedBy(event));
      } catch {
        if (!ended.signal.aborted) setLiveness('lost');
      }
    })();
    // What happened while nobody looked.
    void client.invalidateQueries();
    return () => {
      clearInterval(refresh);
      ended.abort();
    };
  }, [client, operator, isVisible]);

  return liveness;
}

function useVisible(): boolean {
  const [isVisible, setVisible] = useState(() => !document.hidden);
  useEffect(() => {
    const look = (): void => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isVisible;
}
