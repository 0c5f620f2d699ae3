import { useMemo } from 'react';
import { usePages, type Pages } from '../live/use-pages.js';
import { useSession } from '../session/session.js';
import type { WaitingTicket } from './waiting-rules.js';

const pageSize = 1_000;

/** The waiting tickets of a queue, as far as they are read. */
export interface WaitingList extends Omit<Pages<unknown>, 'pages'> {
  readonly tickets: readonly WaitingTicket[] | undefined;
  /** How many wait, also those that are not read yet. */
  readonly total: number;
}

/** All waiting tickets of a queue. They are shown as their pages come. */
export function useWaiting(queue: string): WaitingList {
  const { calls } = useSession().operator;
  const { pages, ...state } = usePages(['waiting', { params: { queue } }], (cursor, limits) =>
    calls.listWaiting(
      { params: { queue }, query: { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) } },
      limits,
    ),
  );
  // A ticket that was put back between two pages is in both.
  const tickets = useMemo(
    () =>
      pages && [
        ...new Map(pages.flatMap((page) => page.waiting.map((each) => [each.ticketId, each]))).values(),
      ],
    [pages],
  );
  const total = Math.max(pages?.at(-1)?.total ?? 0, tickets?.length ?? 0);
  return { ...state, tickets, total: state.isWhole ? (tickets?.length ?? 0) : total };
}
