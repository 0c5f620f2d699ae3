import type { CallAnswer, CallRequest } from '@muster/sdk';
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useSession } from '../session/session.js';
import { callKey, callOf, type CallHabits, type OperatorCall } from './use-call.js';

/** The answers to several requests of one call. */
export interface Answers<T> {
  /** In the order of the requests; undefined: not there yet, or refused. */
  readonly answers: readonly (T | undefined)[];
  readonly isPending: boolean;
  /** The first error; null: none. */
  readonly error: Error | null;
}

/** What a call answers to each of some requests, such as of every player of a match. */
export function useCalls<N extends OperatorCall>(
  name: N,
  requests: readonly CallRequest<N>[],
  { everyMs, enabled = true }: CallHabits = {},
): Answers<CallAnswer<N>> {
  const { operator } = useSession();
  const call = callOf(operator, name);
  return useQueries({
    queries: requests.map((request) => ({
      queryKey: callKey(name, request),
      queryFn: ({ signal }: { signal: AbortSignal }) => call(request, { signal }),
      enabled,
      ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    })),
    combine: together,
  });
}

const together = <T>(results: UseQueryResult<T>[]): Answers<T> => ({
  answers: results.map(({ data }) => data),
  isPending: results.some(({ isLoading }) => isLoading),
  error: results.find(({ error }) => error)?.error ?? null,
});
