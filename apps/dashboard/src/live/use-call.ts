import type { EndpointName } from '@muster/contracts';
import {
  MusterProblem,
  type CallAnswer,
  type CallNameOf,
  type CallRequest,
  type OperatorClient,
} from '@muster/sdk';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSession } from '../session/session.js';
import { isOfSame } from './same-subject.js';

export type OperatorCall = CallNameOf<'operator' | 'anyone'>;

/** How a call is repeated. */
export interface CallHabits {
  /** Asks again after this time while the page is looked at, in milliseconds; events that concern the call make it earlier. */
  readonly everyMs?: number;
  /** false: does not ask. */
  readonly enabled?: boolean;
}

/** The key of a call in the cache: its name and the request. */
export const callKey = (name: EndpointName, request: object = {}): readonly unknown[] => [name, request];

/** A call by its name. TypeScript does not see that the calls of a name take its request. */
export const callOf = <N extends OperatorCall>({ calls }: OperatorClient, name: N) =>
  calls[name] as unknown as (
    request: CallRequest<N>,
    limits: { signal: AbortSignal },
  ) => Promise<CallAnswer<N>>;

/** What a call answers, kept fresh while it is shown. The answer before stays until the new one is there. */
export function useCall<N extends OperatorCall>(
  name: N,
  request: CallRequest<N>,
  { everyMs, enabled = true }: CallHabits = {},
): UseQueryResult<CallAnswer<N>> {
  const { operator } = useSession();
  const call = callOf(operator, name);
  return useAsked(callKey(name, request), (signal) => call(request, { signal }), { everyMs, enabled });
}

/** The same of several calls in one function. */
export function useAsked<T>(
  key: readonly unknown[],
  ask: (signal: AbortSignal) => Promise<T>,
  { everyMs, enabled = true }: CallHabits = {},
): UseQueryResult<T> {
  const result = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => ask(signal),
    placeholderData: (before, query) => (query && isOfSame(query.queryKey, key) ? before : undefined),
    enabled,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  });
  useEndOfSession(result.error);
  return result;
}

/** Signs out once a call was refused because the key or token is no longer valid. */
export function useEndOfSession(error: Error | null): void {
  const { signOut } = useSession();
  useEffect(() => {
    if (error instanceof MusterProblem && error.status === 401)
      signOut('Your key or token is no longer valid. Sign in again.');
  }, [error, signOut]);
}
