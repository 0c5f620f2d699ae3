import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';

const digests = new WeakMap<FastifyRequest['raw'], string>();

/** The SHA-256 of the body of a signed request, in base64; undefined for a request without signature or body. */
export const digestOf = (request: Pick<FastifyRequest, 'raw'>): string | undefined =>
  digests.get(request.raw);

/** Takes the digest of the body of each signed request while it is read. Other requests are not touched. */
export function digestSignedBodies(server: Pick<FastifyInstance, 'addHook'>): void {
  server.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.headers['signature-input'] === undefined) return done(null, payload);
    const hash = createHash('sha256');
    const through = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        hash.update(chunk);
        // Fastify compares what it received with the length of the header.
        received.receivedEncodedLength += chunk.length;
        next(null, chunk);
      },
      flush(next) {
        digests.set(request.raw, hash.digest('base64'));
        next();
      },
    });
    const received = Object.assign(through, { receivedEncodedLength: 0 });
    payload.on('error', (error: Error) => through.destroy(error));
    done(null, payload.pipe(received));
  });
}
