import { endpointOf, type EndpointName } from '@muster/contracts';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { endpointKey } from './callers.js';
import { InvalidRequest } from './problem-filter.js';

/** Refuses a query of a call that takes none. One that a call takes is validated where the controller reads it. */
export class NoQueryGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const name = this.reflector.get<EndpointName | undefined>(endpointKey, context.getHandler());
    if (name === undefined || endpointOf(name).query) return true;
    const asked = Object.keys(context.switchToHttp().getRequest<FastifyRequest>().query ?? {});
    if (asked.length === 0) return true;
    throw new InvalidRequest(
      `This call takes no query; leave out ${asked.map((key) => `\`${key}\``).join(', ')}.`,
      { errors: asked.map((path) => ({ path, message: 'there is no such field; the call takes no query' })) },
    );
  }
}
