import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useEndOfSession } from './use-call.js';

/** A long list is read less often, in milliseconds: each page is a call. */
const everyMs = { least: 5_000, ofPage: 6_000 };

/** A list that is read page by page until it is whole. */
export interface Pages<P> {
  readonly pages: readonly P[] | undefined;
  /** Whether the last page is there. */
  readonly isWhole: boolean;
  readonly error: Error | null;
  /** When the newest answer came, by this machine. */
  readonly readAt: number;
  readonly again: () => void;
}

/**
 * Reads all pages of a list, which can be shown as they come.
 *
 * @param key of the list in the cache @param ask asks for the page at a cursor; without one, for the first
 */
export function usePages<P extends { readonly next: string | null }>(
  key: readonly unknown[],
  ask: (cursor: string | undefined, limits: { signal: AbortSignal }) => Promise<P>,
): Pages<P> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => ask(pageParam === '' ? undefined : pageParam, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) =>
      Math.max(everyMs.least, everyMs.ofPage * ((state.data?.pages.length ?? 1) - 1)),
    // Each row has another age or heartbeat: to compare them all finds none that is the same.
    structuralSharing: false,
  });
  const { data, error, hasNextPage, isFetching, dataUpdatedAt, fetchNextPage, refetch } = query;
  useEndOfSession(error);
  useEffect(() => {
    if (hasNextPage && !isFetching && !error) void fetchNextPage();
  }, [hasNextPage, isFetching, error, fetchNextPage]);
  return {
    pages: data?.pages,
    isWhole: data !== undefined && !hasNextPage,
    error,
    readAt: dataUpdatedAt,
    again: () => void refetch(),
  };
}
