import { endpointOf, isChange, type EndpointName, type endpoints } from '@muster/contracts';
import {
  applyDecorators,
  createParamDecorator,
  Delete,
  Get,
  HttpCode,
  Post,
  Put,
  SetMetadata,
  UseInterceptors,
  type ExecutionContext,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { endpointKey, identityOf, type Identity } from '../auth/callers.js';
import { AuditInterceptor } from './audit.interceptor.js';
import { Validation } from './validation.js';

const methods = { GET: Get, POST: Post, PUT: Put, DELETE: Delete };

/** Binds a controller's method to an endpoint of the table: path, method, status, allowed callers and the log of operators' changes. */
export function Endpoint(name: EndpointName): MethodDecorator {
  const { method, path, status, callers } = endpointOf(name);
  const audit = isChange(name) && callers.includes('operator') ? [UseInterceptors(AuditInterceptor)] : [];
  return applyDecorators(methods[method](path), HttpCode(status), SetMetadata(endpointKey, name), ...audit);
}

const parts = ['params', 'query', 'body'] as const;

type PartOf<N extends EndpointName, P extends (typeof parts)[number]> =
  (typeof endpoints)[N] extends Readonly<Record<P, infer S extends z.ZodType>>
    ? Readonly<Record<P, z.infer<S>>>
    : unknown;

/** What the caller of an endpoint sent, and who they are. */
export type Sent<N extends EndpointName> = { readonly who: Identity } & PartOf<N, 'params'> &
  PartOf<N, 'query'> &
  PartOf<N, 'body'>;

const validation = new Validation();

/** Gives a method of a controller what its caller sent, as the schemas of its endpoint read it. */
export const Sent = createParamDecorator(async (_: unknown, context: ExecutionContext) => {
  const endpoint = endpointOf(Reflect.getMetadata(endpointKey, context.getHandler()) as EndpointName);
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const sent: Record<string, unknown> = { who: identityOf(request) };
  for (const part of parts) {
    const schema = endpoint[part];
    if (schema) sent[part] = await validation.transform(request[part], { type: 'body', schema });
  }
  return sent;
});
