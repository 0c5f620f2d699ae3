import type { FastifyInstance, FastifyReply } from 'fastify';
import { randomBytes } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sendProblem } from '../problem-reply.js';

/** The build of apps/dashboard stands beside the bundles of the programs. */
export const builtDashboard = fileURLToPath(new URL('./dashboard', import.meta.url));

/** Stands in the built page where the nonce of an answer belongs (apps/dashboard/vite.config.ts). */
const noncePlace = '__NONCE__';

/** The page loads files of its origin and calls it; styles that components make while it runs carry the nonce. */
const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

const types = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.woff2', 'font/woff2'],
]);

/** The build compresses what is worth it, in the order of preference. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/**
 * Serves the dashboard below `/dashboard`. The browser routes: every path but those of assets is the page. Files are read when they
 * are asked for, so a new build is served without a restart.
 *
 * @param folder of the build; without one, an answer says so
 */
export function serveDashboard(origin: FastifyInstance, folder: string): void {
  const page = (_request: unknown, reply: FastifyReply): Promise<FastifyReply> => sendPage(folder, reply);
  origin.get('/dashboard', page);
  origin.get('/dashboard/*', page);
  origin.get<{ Params: { '*': string } }>('/dashboard/assets/*', (request, reply) =>
    sendAsset(join(folder, 'assets'), request.params['*'], request.headers['accept-encoding'], reply),
  );
  origin.get('/', async (_request, reply) =>
    reply.redirect((await isThere(join(folder, 'index.html'))) ? '/dashboard' : '/docs'),
  );
}

async function sendPage(folder: string, reply: FastifyReply): Promise<FastifyReply> {
  const html = await readIfThere(join(folder, 'index.html'));
  if (!html)
    return sendProblem(
      reply,
      'not-found',
      'The dashboard is not built: `npm start` and `npm run build` build it, and the image of the edge has it.',
    );
  const nonce = randomBytes(16).toString('base64url');
  return reply
    .headers({ ...pageHeaders, 'content-security-policy': policyWith(nonce) })
    .send(html.toString().replaceAll(noncePlace, nonce));
}

/** @param name as the caller wrote it: only a plain name of a known type is looked for, so no path leaves the folder */
async function sendAsset(
  folder: string,
  name: string,
  accepted: string | undefined,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const type = /^\w[\w.-]{0,199}$/.test(name) ? types.get(extname(name)) : undefined;
  if (type) {
    void reply.header('vary', 'accept-encoding');
    for (const [encoding, ending] of encodings) {
      const packed = accepts(accepted, encoding) && (await readIfThere(join(folder, name + ending)));
      if (packed) return sendFile(reply.header('content-encoding', encoding), type, packed);
    }
    const plain = await readIfThere(join(folder, name));
    if (plain) return sendFile(reply, type, plain);
  }
  return sendProblem(reply, 'not-found', 'The dashboard has no such file. Load the page again.');
}

/** The name of an asset has a hash of its content. */
function sendFile(reply: FastifyReply, type: string, content: Buffer): FastifyReply {
  return reply
    .headers({ 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' })
    .send(content);
}

/** Whether a header `Accept-Encoding` names an encoding, other than to refuse it. */
function accepts(header: string | undefined, encoding: string): boolean {
  return (header ?? '').split(',').some((each) => {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
