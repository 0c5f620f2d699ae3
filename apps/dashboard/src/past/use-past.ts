import type { AnswerOf } from '@muster/contracts';
import type { UseQueryResult } from '@tanstack/react-query';
import { useAsked } from '../live/use-call.js';
import { useSession } from '../session/session.js';
import { ranges, type RangeName } from './ranges.js';

/** How the queues did in a range until now. It is read again at times alone: a minute is its finest step. */
export function usePast(range: RangeName): UseQueryResult<AnswerOf<'readStatistics'>> {
  const { operator } = useSession();
  const { ms, step, everyMs } = ranges[range];
  return useAsked(
    ['past', { params: { range } }],
    (signal) => operator.calls.readStatistics({ query: { from: Date.now() - ms, step } }, { signal }),
    { everyMs },
  );
}
