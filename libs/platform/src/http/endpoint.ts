import { endpointOf, type EndpointName } from '@muster/contracts';
import { applyDecorators, Delete, Get, HttpCode, Post, Put, SetMetadata } from '@nestjs/common';
import { endpointKey } from '../auth/callers.js';

const methods = { GET: Get, POST: Post, PUT: Put, DELETE: Delete };

/** Binds a controller's method to an endpoint of the table: path, method, status and allowed callers. */
export function Endpoint(name: EndpointName): MethodDecorator {
  const { method, path, status } = endpointOf(name);
  return applyDecorators(methods[method](path), HttpCode(status), SetMetadata(endpointKey, name));
}
