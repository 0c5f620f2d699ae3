import { endpointOf, type EndpointName } from '@muster/contracts';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { endpointKey } from '../auth/callers.js';
import { InvalidRequest } from './problem-filter.js';
import { mostErrors } from './validation.js';

/**
 * Rejects a query string or body for calls without one, so that a field such as `drain: false` is not ignored. An empty object
 * is none. Other calls validate theirs in the controller.
 */
export class NoInputGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const name = this.reflector.get<EndpointName | undefined>(endpointKey, context.getHandler());
    if (name === undefined) return true;
    const { query, body } = endpointOf(name);
    const given = context.switchToHttp().getRequest<FastifyRequest>();
    if (!query) refuseFields('query', given.query);
    if (!body) refuseFields('body', given.body);
    return true;
  }
}

/** @throws InvalidRequest */
function refuseFields(part: 'query' | 'body', value: unknown): void {
  if (value === undefined || value === null) return;
  const fields = typeof value === 'object' && !Array.isArray(value) ? Object.keys(value) : [part];
  if (fields.length === 0) return;
  const named = fields.slice(0, mostErrors).map((field) => field.slice(0, 64));
  const others = fields.length > named.length ? ` and ${fields.length - named.length} others` : '';
  throw new InvalidRequest(
    `This call takes no ${part}; remove ${named.map((field) => `\`${field}\``).join(', ')}${others}.`,
    { errors: named.map((path) => ({ path, message: `unknown field; the call takes no ${part}` })) },
  );
}
