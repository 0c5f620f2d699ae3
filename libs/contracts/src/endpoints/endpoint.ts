import type { z } from 'zod';
import type { OperatorRole } from '../operator-roles.js';
import type { ProblemCode } from '../problems.js';

/**
 * Callers: `player` by a signed token, `server` by its own token, `fleet` by the server key, `operator` by a key or a token of
 * the identity provider, with a role.
 */
export type Caller = 'player' | 'server' | 'fleet' | 'operator' | 'anyone';
export type Service = 'queue' | 'assignment' | 'allocator' | 'rating';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Classes of calls that share a limit of rate: `tickets`, `parties`, `logins` (sign-ins and guests) and `registrations` of
 * servers; `changes` are other writes of players and operators, `servers` those of game servers, `reads` the rest.
 */
export const limitClasses = [
  'tickets',
  'parties',
  'changes',
  'logins',
  'registrations',
  'servers',
  'reads',
] as const;
export type LimitClass = (typeof limitClasses)[number];

/** What an endpoint says beside its service, method and path. */
interface Terms {
  readonly summary: string;
  readonly callers: readonly Caller[];
  /** The least role of an operator who may make the call. */
  readonly role?: OperatorRole;
  /** `false` for a call that only computes, though its method is POST. */
  readonly stores?: false;
  /** The class of its limit, where method and callers do not say it; see `limitOf`. */
  readonly limit?: LimitClass;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  /** Headers beside authentication; the controller reads them. */
  readonly headers?: z.ZodType;
  readonly body?: z.ZodType;
  readonly answer?: z.ZodType;
  /** Set when the answer is not JSON; several where the caller chooses. */
  readonly answerType?: string | readonly string[];
  /** For a stream that may be over before it begins: the meaning of a 204. */
  readonly nothingMore?: string;
}

export interface Endpoint extends Terms {
  readonly service: Service;
  readonly method: Method;
  /** With `:name` parameters. */
  readonly path: string;
  readonly status: number;
  readonly problems: readonly ProblemCode[];
}

/** Who may call: a call of operators does not compile without its least role. */
type Callers =
  | { readonly callers: readonly Exclude<Caller, 'operator'>[]; readonly role?: never }
  | { readonly callers: readonly Caller[]; readonly role: OperatorRole };

/** An endpoint as a table states it. */
export type Call = Omit<Terms, 'callers' | 'role'> &
  Callers & {
    /** Method and path. */
    readonly call: `${Method} /${string}`;
    /** 200 by default. */
    readonly status?: number;
    /** None by default, beside those of every call. */
    readonly problems?: readonly ProblemCode[];
  };

type EndpointOf<S extends Service, C extends Call> = Omit<C, 'call' | 'status' | 'problems'> &
  Pick<Endpoint, 'path' | 'status' | 'problems'> & {
    readonly service: S;
    readonly method: C['call'] extends `${infer M extends Method} ${string}` ? M : never;
  };

/** The endpoints of a service, by the names of the calls. */
export function endpointsOf<S extends Service, const Calls extends Readonly<Record<string, Call>>>(
  service: S,
  calls: Calls,
): { readonly [Name in keyof Calls]: EndpointOf<S, Calls[Name]> };
export function endpointsOf(
  service: Service,
  calls: Readonly<Record<string, Call>>,
): Readonly<Record<string, Endpoint>> {
  return Object.fromEntries(
    Object.entries(calls).map(([name, { call, status = 200, problems = [], ...terms }]) => {
      const [method, path] = call.split(' ') as [Method, string];
      return [name, { service, method, path, status, problems, ...terms }];
    }),
  );
}
