import { LoginUnavailable } from '@muster/domain';

/**
 * Limits of one read from a login, which is another system: it may be slow, send too much, or send nonsense. A call may wait
 * for two reads, and for five seconds between their beginnings, before the edge gives it up after ten.
 */
const readWithinMs = 4_000;
const mostBytes = 256 * 1024;

/** How long an answer is fresh: what its headers say, within these bounds; without a word, ten minutes. */
const fresh = { leastMs: 60_000, mostMs: 86_400_000, unsaidMs: 600_000 } as const;

/** An answer of a login. */
export interface Fetched {
  readonly json: unknown;
  /** Whether the answer is that of before (304), and so has no JSON. */
  readonly isSame: boolean;
  readonly freshMs: number;
  readonly etag: string | null;
}

/** The function of the platform, or of a test. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** A login did not answer with what was asked for. The message holds nothing of the answer. */
export class BadAnswer extends LoginUnavailable {}

/** The end of a read that begins now. */
export const readLimit = (): AbortSignal => AbortSignal.timeout(readWithinMs);

/**
 * Reads JSON from a login: no redirects, at most 256 KiB, and within the limit from the connection to the last byte.
 *
 * @param etag of the answer before
 * @param signal from {@link readLimit}
 * @throws BadAnswer with the reason
 */
export async function fetchJson(
  url: URL,
  etag: string | null,
  signal: AbortSignal,
  send: Fetch = fetch,
): Promise<Fetched> {
  const headers = { accept: 'application/json', ...(etag === null ? {} : { 'if-none-match': etag }) };
  try {
    const response = await send(url, { headers, redirect: 'manual', signal });
    const freshMs = freshnessOf(response.headers);
    if (response.status === 304 && etag !== null) return { json: null, isSame: true, freshMs, etag };
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new BadAnswer(`${where(url)} answered ${response.status}.`);
    }
    const json = parsed(await textOf(response, url), url);
    return { json, isSame: false, freshMs, etag: response.headers.get('etag') };
  } catch (error) {
    if (error instanceof BadAnswer) throw error;
    const why = signal.aborted
      ? `did not answer within ${readWithinMs / 1_000} s`
      : `cannot be reached${causeOf(error)}`;
    throw new BadAnswer(`${where(url)} ${why}.`);
  }
}

/** An address without what may be secret in it. */
const where = ({ origin, pathname }: URL): string => `${origin}${pathname}`;

/** The code of a network error, such as ECONNREFUSED. */
function causeOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  const code: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'code') : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
}

async function textOf({ body }: Response, url: URL): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the rest.
    if (bytes > mostBytes) throw new BadAnswer(`${where(url)} answered more than ${mostBytes / 1024} KiB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string, url: URL): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadAnswer(`${where(url)} did not answer with JSON.`);
  }
}

/** `max-age` less `Age`, or `Expires` (RFC 9111, 4.2), within bounds. */
export function freshnessOf(headers: Headers, now = Date.now()): number {
  const said = headers.get('cache-control') ?? '';
  const [, seconds] = /(?:^|[\s,])max-age="?(\d{1,10})"?/i.exec(said) ?? [];
  const expires = Date.parse(headers.get('expires') ?? '');
  const date = Date.parse(headers.get('date') ?? '');
  const ms = /(?:^|[\s,])no-(?:store|cache)\b/i.test(said)
    ? 0
    : seconds !== undefined
      ? (Number(seconds) - (Number(headers.get('age')) || 0)) * 1_000
      : Number.isFinite(expires)
        ? expires - (Number.isFinite(date) ? date : now)
        : fresh.unsaidMs;
  return Math.min(fresh.mostMs, Math.max(fresh.leastMs, ms));
}
