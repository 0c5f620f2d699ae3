import type { AnswerOf, EndpointName } from '@muster/contracts';
import { MusterProblem } from '@muster/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAsked, useCall } from '../live/use-call.js';
import { useSession } from '../session/session.js';
import { flawsOf } from './flaws/flaws.js';
import type { Flaw, Seen } from './flaws/flaw.js';
import { latelyOf, lively } from './lately.js';
import { lookAround, lookForOldest, lookNow, type Failure } from './look.js';

// The page stays open on walls: few calls, far apart, none while nobody looks.
const nowMs = 15_000;
const oldestMs = 30_000;
const aroundMs = 60_000;

type Overview = Pick<Seen, 'lately' | 'queues' | 'oldest' | 'places'> & {
  readonly flaws: readonly Flaw[];
  /** Whether there is something to say whether all is well. */
  readonly isKnown: boolean;
  readonly isWholeFleet: boolean;
};

/** What the overview shows. Its answers are not those that events make stale: there are many, and it need not be that quick. */
export function useOverview(): Overview {
  const { calls } = useSession().operator;
  const now = useAsked(['overview now'], (signal) => lookNow(calls, signal), { everyMs: nowMs });
  const around = useAsked(['overview around'], (signal) => lookAround(calls, signal), { everyMs: aroundMs });
  const rules = useCall('listQueues', {}, { everyMs: aroundMs });
  const conflicts = useCall('listConflicts', {}, { everyMs: aroundMs });
  const statistics = now.data?.readStatistics;
  const lately = useMemo(
    () => statistics && latelyOf(statistics, now.dataUpdatedAt),
    [statistics, now.dataUpdatedAt],
  );
  const asked = lately ? lively(lately) : [];
  const oldest = useAsked(
    ['overview oldest', { params: asked }],
    (signal) => lookForOldest(calls, asked, signal),
    { everyMs: oldestMs, enabled: lately !== undefined },
  );

  return useMemo(
    () => overviewOf({ now, around, rules, conflicts, oldest, lately }),
    [now, around, rules, conflicts, oldest, lately],
  );
}

/** An answer, or why there is none. */
type Asked<T> = Pick<UseQueryResult<T>, 'data' | 'error'>;

interface Answers extends Pick<Overview, 'lately'> {
  readonly oldest: Asked<NonNullable<Overview['oldest']>>;
  readonly now: Asked<Awaited<ReturnType<typeof lookNow>>>;
  readonly around: Asked<Awaited<ReturnType<typeof lookAround>>>;
  readonly rules: Asked<AnswerOf<'listQueues'>>;
  readonly conflicts: Asked<AnswerOf<'listConflicts'>>;
}

function overviewOf({ now, around, rules, conflicts, oldest, lately }: Answers): Overview {
  const failed: Seen['failed'] = [
    ...(now.data?.failed ?? []),
    ...(around.data?.failed ?? []),
    ...failuresOf(now.error, 'readStatistics', 'readCapacity'),
    ...failuresOf(around.error, 'listJobQueues', 'listWebhooks', 'listServers', 'listPools'),
    ...failuresOf(rules.error, 'listQueues'),
    ...failuresOf(oldest.error, 'listTickets'),
    ...failuresOf(conflicts.error, 'listConflicts'),
  ];
  const seen: Seen = {
    now: Date.now(),
    isCutOff: now.error !== null && !(now.error instanceof MusterProblem),
    failed,
    lately,
    queues: rules.data,
    oldest: oldest.data,
    places: now.data?.readCapacity?.places,
    servers: around.data?.listServers?.servers,
    jobs: around.data?.listJobQueues?.queues,
    conflicts: conflicts.data?.conflicts,
    webhooks: around.data?.listWebhooks?.webhooks,
    pools: around.data?.listPools?.pools,
    rebuilds: around.data?.listRebuilds,
  };
  const { queues, places } = seen;
  return {
    lately,
    queues,
    oldest: oldest.data,
    places,
    flaws: flawsOf(seen),
    isKnown: failed.length > 0 || (lately !== undefined && queues !== undefined && around.data !== undefined),
    isWholeFleet: around.data?.listServers?.next === null || around.data === undefined,
  };
}

/** Calls that failed together, with the error of the first. */
const failuresOf = (error: Error | null, ...calls: readonly EndpointName[]): readonly Failure[] =>
  error ? calls.map((call) => ({ call, error })) : [];
