import { endpointOf, type EndpointName } from '@muster/contracts';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { endpointKey } from './callers.js';
import { InvalidRequest } from './problem-filter.js';

/** Rejects a query string for calls without one. Other calls validate theirs in the controller. */
export class NoQueryGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const name = this.reflector.get<EndpointName | undefined>(endpointKey, context.getHandler());
    if (name === undefined || endpointOf(name).query) return true;
    const parameters = Object.keys(context.switchToHttp().getRequest<FastifyRequest>().query ?? {});
    if (parameters.length === 0) return true;
    throw new InvalidRequest(
      `This call takes no query; remove ${parameters.map((key) => `\`${key}\``).join(', ')}.`,
      { errors: parameters.map((path) => ({ path, message: 'unknown field; the call takes no query' })) },
    );
  }
}
