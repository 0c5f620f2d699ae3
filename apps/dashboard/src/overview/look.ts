import type { AnswerOf, EndpointName } from '@muster/contracts';
import { MusterProblem, type OperatorClient } from '@muster/sdk';
import { latelyMs } from './lately.js';

/** The ticket that has waited longest in a queue. */
export interface Oldest {
  readonly ticketId: string;
  readonly enqueuedAt: number;
  /** What keeps it waiting, as a code and as text; absent: not known yet. */
  readonly rule?: string | undefined;
  readonly why?: string | undefined;
}

/** A call that was not answered. */
export interface Failure {
  readonly call: EndpointName;
  readonly error: unknown;
}

/** Answers of calls by their names, as far as they came, and those that failed. */
type Gathered<T> = { readonly [Call in keyof T]?: Awaited<T[Call]> } & {
  readonly failed: readonly Failure[];
};

/** At most so many servers are looked at for silence: the page of the fleet looks at all. */
export const mostServers = 1_000;
const mostQueues = 20;

/**
 * Waits for several calls. One that fails leaves the answers of the others.
 *
 * @throws the error if all failed, so that the answers before stay; or if the key is no longer valid
 */
export async function gather<T extends { readonly [Call in EndpointName]?: Promise<unknown> }>(
  asked: T,
): Promise<Gathered<T>> {
  const names = Object.keys(asked) as (keyof T & EndpointName)[];
  const settled = await Promise.allSettled(names.map((name) => asked[name]));
  const failed = settled.flatMap((each, i): Failure[] => {
    const call = names[i];
    return each.status === 'rejected' && call ? [{ call, error: each.reason as unknown }] : [];
  });
  const isOut = ({ error }: Failure): boolean => error instanceof MusterProblem && error.status === 401;
  const over = failed.find(isOut) ?? (failed.length === names.length ? failed[0] : undefined);
  if (over) throw over.error;
  const answers = settled.flatMap((each, i) =>
    each.status === 'fulfilled' ? [[names[i], each.value] as const] : [],
  );
  return { ...(Object.fromEntries(answers) as Omit<Gathered<T>, 'failed'>), failed } as Gathered<T>;
}

type Calls = OperatorClient['calls'];

/** What figures are made of. */
export const lookNow = (calls: Calls, signal: AbortSignal) =>
  gather({
    readStatistics: calls.readStatistics({ query: { from: Date.now() - latelyMs, step: '1m' } }, { signal }),
    readCapacity: calls.readCapacity({}, { signal }),
  });

/** What changes seldom, and is asked seldom. */
export function lookAround(calls: Calls, signal: AbortSignal) {
  const listPools = calls.listPools({}, { signal });
  return gather({
    listJobQueues: calls.listJobQueues({}, { signal }),
    listWebhooks: calls.listWebhooks({}, { signal }),
    listServers: calls.listServers({ query: { limit: mostServers } }, { signal }),
    listPools,
    listRebuilds: newestRebuilds(calls, listPools, signal),
  });
}

async function newestRebuilds(
  calls: Calls,
  list: Promise<AnswerOf<'listPools'>>,
  signal: AbortSignal,
): Promise<AnswerOf<'listRebuilds'>['rebuilds']> {
  const { pools } = await list;
  const lists = await Promise.all(
    pools.map(({ name }) => calls.listRebuilds({ params: { pool: name } }, { signal })),
  );
  return lists.flatMap(({ rebuilds }) => rebuilds.slice(0, 1));
}

/** The ticket of each queue that has waited longest, with what keeps it waiting. */
export async function lookForOldest(
  calls: Calls,
  queues: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Oldest>> {
  const found = await Promise.all(
    queues.slice(0, mostQueues).map(async (queue): Promise<[string, Oldest][]> => {
      const { tickets } = await calls.listTickets(
        { query: { queue, state: 'waiting', limit: 1 } },
        { signal },
      );
      const [first] = tickets;
      if (!first) return [];
      const { ticketId, enqueuedAt } = first;
      // It may have been matched meanwhile.
      const ticket = await calls.readTicket({ params: { ticketId } }, { signal }).catch(() => null);
      return [[queue, { ticketId, enqueuedAt, rule: ticket?.waiting?.rule, why: ticket?.waiting?.why }]];
    }),
  );
  return new Map(found.flat());
}
