import { endpointOf, type AnswerOf, type BodyOf, type EndpointName, type QueryOf } from '@muster/contracts';
import type { Caller } from './caller.js';
import type { CallLimits } from './retry.js';

/** The parts of paths, as arguments of that name. */
interface PathParts {
  readonly boosterId: [boosterId: string];
  readonly caseId: [caseId: string];
  readonly jobId: [jobId: string];
  readonly jobQueue: [jobQueue: string];
  readonly keyId: [keyId: string];
  readonly kind: [kind: 'export' | 'erasure'];
  readonly matchId: [matchId: string];
  readonly number: [number: number];
  readonly partyId: [partyId: string];
  readonly penaltyId: [penaltyId: string];
  readonly playerId: [playerId: string];
  readonly pool: [pool: string];
  readonly queue: [queue: string];
  readonly ticketId: [ticketId: string];
  readonly webhookId: [webhookId: string];
}
type PathPart = keyof PathParts;
type PathOf<P extends readonly PathPart[]> = P extends readonly [
  infer First extends PathPart,
  ...infer Rest extends readonly PathPart[],
]
  ? [...PathParts[First], ...PathOf<Rest>]
  : [];

type QueryIn<Q> = [Q] extends [never] ? [] : Partial<Q> extends Q ? [query?: Q] : [query: Q];
/** The body or the query, which may be left out where all of it is optional. */
type ContentOf<N extends EndpointName> = [BodyOf<N>] extends [never]
  ? QueryIn<QueryOf<N>>
  : Partial<BodyOf<N>> extends BodyOf<N>
    ? [body?: BodyOf<N>]
    : [body: BodyOf<N>];

/** A call as a method of a client. */
export type Method<N extends EndpointName, P extends readonly PathPart[]> = (
  ...given: [...PathOf<P>, ...ContentOf<N>, limits?: CallLimits]
) => Promise<AnswerOf<N>>;

/** Makes methods of calls: they take the parts of the path, the body or the query, and limits. */
export function methodsOf(
  caller: () => Caller,
): <N extends EndpointName, const P extends readonly PathPart[]>(name: N, ...path: P) => Method<N, P>;
export function methodsOf(caller: () => Caller): (name: EndpointName, ...path: PathPart[]) => object {
  return (name, ...path) =>
    (...given: readonly unknown[]): Promise<unknown> => {
      const { body, query } = endpointOf(name);
      // As given: a part that is absent must not become the name "undefined".
      const params = Object.fromEntries(path.map((part, i) => [part, given[i] as string | number]));
      const rest = given.slice(path.length);
      const content = body || query ? { [body ? 'body' : 'query']: rest.shift() ?? {} } : {};
      return caller().call(name, { params, ...content, ...(rest[0] as CallLimits | undefined) });
    };
}
