import type { QueueRules } from '@muster/contracts';
import { readWaitRecord, recordedTickets } from '@muster/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSession } from '../session/session.js';
import { wordsOfError } from '../ui/states.js';
import type { ShownStudy } from './replay/shown-study.js';
import type { TrialReply, TrialRequest } from './replay/trial.worker.js';

/** How far a trial is. */
export type TrialState =
  | { readonly is: 'idle' }
  | { readonly is: 'reading' }
  | { readonly is: 'replaying'; readonly progress: number }
  | { readonly is: 'done'; readonly study: ShownStudy; readonly rules: QueueRules }
  | { readonly is: 'failed'; readonly why: string };

/** As the command line does. */
const tickMs = 150;

/** Tries rules on the last hour of a queue, in a worker of its own. */
export function useTrial(queue: string): {
  readonly state: TrialState;
  readonly start: (rules: QueueRules) => void;
  readonly stop: () => void;
} {
  const { operator } = useSession();
  const [state, setState] = useState<TrialState>({ is: 'idle' });
  const running = useRef<AbortController>(undefined);

  const start = useCallback(
    (tried: QueueRules) => {
      running.current?.abort();
      const { signal } = (running.current = new AbortController());
      const show = (next: TrialState): void => {
        if (!signal.aborted) setState(next);
      };
      show({ is: 'reading' });
      void (async () => {
        try {
          const record = await readWaitRecord(operator, queue, 1, { signal });
          const { from, until, rules } = record.head;
          if (record.lines.length === 0)
            throw new Error('No tickets were recorded in the last hour, so there is nothing to replay.');
          const tickets = recordedTickets(record);
          const request = { tickets, from, until, recordedRules: rules, inForce: rules, tried, tickMs };
          show({ is: 'replaying', progress: 0 });
          const study = await replayed(request, signal, (progress) => show({ is: 'replaying', progress }));
          show({ is: 'done', study, rules: tried });
        } catch (error) {
          show({ is: 'failed', why: wordsOfError(error) });
        }
      })();
    },
    [operator, queue],
  );
  const stop = useCallback(() => {
    running.current?.abort();
    setState({ is: 'idle' });
  }, []);
  useEffect(() => () => running.current?.abort(), []);
  return { state, start, stop };
}

function replayed(
  request: TrialRequest,
  signal: AbortSignal,
  progress: (done: number) => void,
): Promise<ShownStudy> {
  const worker = new Worker(new URL('./replay/trial.worker.ts', import.meta.url), { type: 'module' });
  const end = new AbortController();
  return new Promise<ShownStudy>((resolve, reject) => {
    const once = { signal: end.signal };
    signal.addEventListener('abort', () => reject(new Error('The trial was stopped.')), once);
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<TrialReply>) => {
        if ('study' in data) resolve(data.study);
        else progress(data.progress);
      },
      once,
    );
    worker.addEventListener(
      'error',
      ({ message }) => reject(new Error(message || 'The replay cannot run in this browser.')),
      once,
    );
    worker.postMessage(request);
  }).finally(() => {
    end.abort();
    worker.terminate();
  });
}
