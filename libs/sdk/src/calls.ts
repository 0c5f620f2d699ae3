import {
  endpointOf,
  endpoints,
  type AnswerOf,
  type BodyOf,
  type Caller as Role,
  type EndpointName,
  type ParamsOf,
  type QueryOf,
} from '@muster/contracts';
import type { Caller, CallOptions } from './caller.js';
import type { CallLimits } from './retry.js';

/** The endpoints that a role may call, by their names. */
export type CallNameOf<R extends Role> = {
  [N in EndpointName]: Extract<(typeof endpoints)[N]['callers'][number], R> extends never ? never : N;
}[EndpointName];

/** A part of a request, which may be left out where all of it is optional. */
type Part<K extends string, T> = [T] extends [never]
  ? { readonly [P in K]?: undefined }
  : Partial<T> extends T
    ? { readonly [P in K]?: T }
    : { readonly [P in K]: T };

/** The parameters of the path, the query and the body of a call. */
export type CallRequest<N extends EndpointName> = Part<'params', ParamsOf<N>> &
  Part<'query', QueryOf<N>> &
  Part<'body', BodyOf<N>> & { readonly headers?: Readonly<Record<string, string>> };

type Arguments<N extends EndpointName> =
  Partial<CallRequest<N>> extends CallRequest<N>
    ? [request?: CallRequest<N>, limits?: CallLimits]
    : [request: CallRequest<N>, limits?: CallLimits];

/** The parsed answer; the raw response where the answer is not JSON. */
export type CallAnswer<N extends EndpointName> = [AnswerOf<N>] extends [never] ? Response : AnswerOf<N>;

/** Every call of the endpoint table that a role may make. */
export type CallsOf<R extends Role> = {
  readonly [N in CallNameOf<R>]: (...given: Arguments<N>) => Promise<CallAnswer<N>>;
};

type Through = (name: EndpointName, make: (caller: Caller) => Promise<unknown>) => Promise<unknown>;

/**
 * Derives the calls of some roles from the endpoint table, so that a client has every one of them.
 *
 * @param through the caller with the role's key; makes the call of that name
 */
export function callsOf<R extends Role>(roles: readonly R[], through: Through): CallsOf<R>;
export function callsOf(roles: readonly Role[], through: Through): object {
  const mayCall = (name: EndpointName): boolean =>
    endpointOf(name).callers.some((role) => roles.includes(role));
  const calls = (Object.keys(endpoints) as EndpointName[]).filter(mayCall).map((name) => {
    const call = (request: CallOptions<EndpointName> = {}, limits: CallLimits = {}): Promise<unknown> =>
      through(name, (caller) => {
        const options = { ...request, ...limits };
        return endpointOf(name).answer ? caller.call(name, options) : caller.request(name, options);
      });
    return [name, call] as const;
  });
  return Object.fromEntries(calls);
}
