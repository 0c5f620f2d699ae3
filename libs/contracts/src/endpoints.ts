import type { Unchanging } from '@muster/domain/schemas';
import type { z } from 'zod';
import { allocatorEndpoints } from './endpoints/allocator.js';
import { assignmentEndpoints } from './endpoints/assignment.js';
import type { Endpoint, LimitClass } from './endpoints/endpoint.js';
import { eventEndpoints } from './endpoints/events.js';
import { integrityEndpoints } from './endpoints/integrity.js';
import { jobEndpoints } from './endpoints/jobs.js';
import { deskEndpoints } from './endpoints/desk.js';
import { playerRequestEndpoints } from './endpoints/player-requests.js';
import { queueEndpoints } from './endpoints/queue.js';
import { ratingEndpoints } from './endpoints/rating.js';
import { leaderboardEndpoints } from './endpoints/leaderboards.js';
import { loginEndpoints, operatorEndpoints } from './endpoints/operators.js';
import { placementEndpoints } from './endpoints/placement.js';
import { boosterEndpoints, seasonEndpoints } from './endpoints/seasons.js';

export {
  limitClasses,
  type Caller,
  type Endpoint,
  type LimitClass,
  type Service,
} from './endpoints/endpoint.js';

/** Every HTTP call: controllers, the edge, the OpenAPI document and the SDK are derived from this table. */
export const endpoints = {
  ...queueEndpoints,
  ...deskEndpoints,
  ...jobEndpoints,
  ...allocatorEndpoints,
  ...assignmentEndpoints,
  ...eventEndpoints,
  ...ratingEndpoints,
  ...seasonEndpoints,
  ...boosterEndpoints,
  ...leaderboardEndpoints,
  ...integrityEndpoints,
  ...playerRequestEndpoints,
  ...placementEndpoints,
  ...operatorEndpoints,
  ...loginEndpoints,
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
/** The body of a call as a caller gives it. */
export type BodyOf<N extends EndpointName> = (typeof endpoints)[N] extends { body: infer B extends z.ZodType }
  ? Unchanging<z.input<B>>
  : never;
export type ParamsOf<N extends EndpointName> = (typeof endpoints)[N] extends {
  params: infer P extends z.ZodType;
}
  ? z.input<P>
  : never;
export type QueryOf<N extends EndpointName> = (typeof endpoints)[N] extends {
  query: infer Q extends z.ZodType;
}
  ? z.input<Q>
  : never;
export type AnswerOf<N extends EndpointName> = (typeof endpoints)[N] extends {
  answer: infer A extends z.ZodType;
}
  ? z.output<A>
  : never;

/** The kind of change that is audited: one of an operator, in any store. */
export function isChange(name: EndpointName): boolean {
  const { method, stores } = endpointOf(name);
  return method !== 'GET' && stores !== false;
}

/** The endpoint by its name, with the optional fields typed. */
export function endpointOf(name: EndpointName): Endpoint {
  return endpoints[name];
}

/** The class of calls whose limit a call counts against. */
export function limitOf(name: EndpointName): LimitClass {
  const { limit, method, callers } = endpointOf(name);
  if (limit) return limit;
  if (method === 'GET') return 'reads';
  return callers.includes('server') || callers.includes('fleet') ? 'servers' : 'changes';
}
