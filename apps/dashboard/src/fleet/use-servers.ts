import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useSession } from '../session/session.js';
import type { Server } from './server-state.js';

const pageSize = 1_000;
/** A large fleet is read less often, in milliseconds: each thousand servers is a call. */
const everyMs = { least: 10_000, ofPage: 6_000 };

interface Servers {
  readonly servers: readonly Server[] | undefined;
  /** Whether the last page is there. */
  readonly isWhole: boolean;
  readonly error: Error | null;
  readonly again: () => void;
}

/** All servers. They are shown as their pages come. */
export function useServers(): Servers {
  const { calls } = useSession().operator;
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ['fleet servers'],
    queryFn: ({ pageParam, signal }) =>
      calls.listServers(
        { query: { limit: pageSize, ...(pageParam === '' ? {} : { cursor: pageParam }) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) => Math.max(everyMs.least, everyMs.ofPage * (state.data?.pages.length ?? 0)),
    // Each has another heartbeat: to compare them all finds none that is the same.
    structuralSharing: false,
  });
  useEffect(() => {
    if (hasNextPage && !isFetching && !error) void fetchNextPage();
  }, [hasNextPage, isFetching, error, fetchNextPage]);
  const servers = useMemo(() => data?.pages.flatMap((page) => page.servers), [data]);
  return { servers, isWhole: data !== undefined && !hasNextPage, error, again: () => void refetch() };
}
