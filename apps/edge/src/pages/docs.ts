import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { openApiDocument } from '@muster/contracts';
import type { FastifyInstance } from 'fastify';
import type { OpenAPIV3 } from 'openapi-types';

/** The page may load resources of this origin only, and no other page may frame it. */
const sameOrigin = {
  'default-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
  'img-src': ["'self'", 'data:'],
  'object-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
};

/** Serves `/docs` and `/openapi.json`. */
export async function serveDocs(edge: FastifyInstance, version: string): Promise<void> {
  const document = openApiDocument(version);
  // The plugin's types support OpenAPI 3.0 only; it passes the document on unchanged.
  await edge.register(swagger, {
    mode: 'static',
    specification: { document: document as OpenAPIV3.Document },
  });
  await edge.register(swaggerUi, { routePrefix: '/docs', staticCSP: sameOrigin });
  // Anybody may ask for it: making it takes a tenth of a second, and connections share one buffer of half a megabyte.
  const bytes = Buffer.from(JSON.stringify(document));
  edge.get('/openapi.json', (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(bytes),
  );
}
