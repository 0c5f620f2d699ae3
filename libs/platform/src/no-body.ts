import { endpointOf, type EndpointName } from '@muster/contracts';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { endpointKey } from './callers.js';
import { InvalidRequest } from './problem-filter.js';

/**
 * Rejects a body for calls without one, so that a field such as `drain: false` is not ignored. An empty object is none.
 * Other calls validate theirs in the controller.
 */
export class NoBodyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const name = this.reflector.get<EndpointName | undefined>(endpointKey, context.getHandler());
    if (name === undefined || endpointOf(name).body) return true;
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    if (body === undefined || body === null) return true;
    const fields = typeof body === 'object' && !Array.isArray(body) ? Object.keys(body) : ['body'];
    if (fields.length === 0) return true;
    throw new InvalidRequest(
      `This call takes no body; remove ${fields.map((field) => `\`${field}\``).join(', ')}.`,
      { errors: fields.map((path) => ({ path, message: 'unknown field; the call takes no body' })) },
    );
  }
}
