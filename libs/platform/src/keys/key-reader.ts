import { BadAnswer, fetchJson, readLimit, type Fetch } from './fetch-json.js';
import type { Jwks } from './jwt.js';

/** Where a login publishes its keys: at an address, or at the one that its discovery document names. */
export type KeyPlace = { readonly url: URL } | { readonly discover: string };

/** Keys as a login answered, or null if they are those of the answer before. */
export interface ReadKeys {
  readonly jwks: Jwks | null;
  readonly freshMs: number;
}

/** Reads the keys of a login; `url` is known after the first read. */
export class KeyReader {
  private url: URL | null = null;
  private urlUntil = Number.NEGATIVE_INFINITY;
  private etag: string | null = null;

  /** @param elapsed milliseconds of a monotonic clock */
  constructor(
    private readonly place: KeyPlace,
    private readonly elapsed: () => number,
    private readonly allowHttp: boolean,
    private readonly send: Fetch = fetch,
  ) {}

  /** @throws BadAnswer with the reason */
  async read(): Promise<ReadKeys> {
    const limit = readLimit();
    const url = await this.address(limit);
    try {
      const { json, isSame, freshMs, etag } = await fetchJson(url, this.etag, limit, this.send);
      if (isSame) return { jwks: null, freshMs };
      if (!isKeySet(json)) throw new BadAnswer(`${url.origin}${url.pathname} answered no key set.`);
      this.etag = etag;
      return { jwks: json, freshMs };
    } catch (error) {
      // The keys may have moved.
      this.urlUntil = Number.NEGATIVE_INFINITY;
      this.etag = null;
      throw error;
    }
  }

  private async address(limit: AbortSignal): Promise<URL> {
    if ('url' in this.place) return this.place.url;
    if (this.url && this.elapsed() < this.urlUntil) return this.url;
    const issuer = this.place.discover;
    const document = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const { json, freshMs } = await fetchJson(document, null, limit, this.send);
    const said = typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>) : {};
    if (said['issuer'] !== issuer)
      throw new BadAnswer(`The discovery document of ${issuer} names another issuer.`);
    const keys = said['jwks_uri'];
    const url = typeof keys === 'string' && URL.canParse(keys) ? new URL(keys) : null;
    if (!url || !mayFetch(url, this.allowHttp))
      throw new BadAnswer(`The discovery document of ${issuer} names no https address of keys.`);
    if (url.href !== this.url?.href) this.etag = null;
    this.url = url;
    this.urlUntil = this.elapsed() + freshMs;
    return url;
  }
}

/** Keys travel over https, or within this machine. @param allowHttp the operator vouches for the network */
export function mayFetch({ protocol, hostname }: URL, allowHttp: boolean): boolean {
  if (protocol === 'https:') return true;
  return protocol === 'http:' && (allowHttp || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname));
}

const isKeySet = (json: unknown): json is Jwks => {
  const keys: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, 'keys') : undefined;
  return Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null);
};
