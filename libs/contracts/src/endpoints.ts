import type { z } from 'zod';
import { allocatorEndpoints } from './endpoints/allocator.js';
import { assignmentEndpoints } from './endpoints/assignment.js';
import type { Endpoint } from './endpoints/endpoint.js';
import { jobEndpoints } from './endpoints/jobs.js';
import { queueEndpoints } from './endpoints/queue.js';
import { ratingEndpoints } from './endpoints/rating.js';

export type { Caller, Endpoint, Service } from './endpoints/endpoint.js';

/** Every HTTP call: controllers, the edge, the OpenAPI document and the SDK are derived from this table. */
export const endpoints = {
  ...queueEndpoints,
  ...jobEndpoints,
  ...allocatorEndpoints,
  ...assignmentEndpoints,
  ...ratingEndpoints,
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
export type BodyOf<N extends EndpointName> = (typeof endpoints)[N] extends { body: infer B extends z.ZodType }
  ? z.input<B>
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

/** The endpoint by its name, with the optional fields typed. */
export function endpointOf(name: EndpointName): Endpoint {
  return endpoints[name];
}
