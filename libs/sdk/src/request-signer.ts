import {
  fleetKeyId,
  neededComponents,
  serverKeyName,
  serverKeyPurpose,
  signatureBase,
  signatureParams,
} from '@muster/contracts';

/** A request that is about to be sent. */
export interface UnsignedRequest {
  readonly method: string;
  readonly url: string;
  /** With names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Signs requests: returns the headers that carry the signature. */
export type SignRequest = (request: UnsignedRequest) => Promise<Readonly<Record<string, string>>>;

const label = 'muster';
const text = new TextEncoder();
const algorithm = { name: 'HMAC', hash: 'SHA-256' } as const;

/**
 * Signs with a fleet key, which is not sent, or with the key of one of its servers, which is derived from it (RFC 9421,
 * hmac-sha256).
 *
 * @param serverId whose key; null for the fleet's own
 * @throws Error if it is no fleet key
 */
export function requestSigner(fleetKey: string, serverId: string | null, now = Date.now): SignRequest {
  const keyId = fleetKeyId(fleetKey);
  if (keyId === null)
    throw new Error(
      'Requests are signed with a fleet key, which begins with "mfk_"; SERVER_KEY cannot sign.',
    );
  const keyid = serverId === null ? keyId : serverKeyName(keyId, serverId);
  const key = (async () => {
    const whole = await importKey(text.encode(fleetKey));
    if (serverId === null) return whole;
    return importKey(new Uint8Array(await mac(whole, serverKeyPurpose(serverId))));
  })();
  // A rejection is told by the first request.
  key.catch(() => undefined);
  return async ({ method, url, headers, body }) => {
    const { pathname, search } = new URL(url);
    const digest: Readonly<Record<string, string>> =
      body === undefined ? {} : { 'content-digest': await contentDigest(body) };
    const all = new Map(Object.entries({ ...headers, ...digest }));
    const message = { method, target: `${pathname}${search}`, header: (name: string) => all.get(name) };
    const components = neededComponents(message, body !== undefined);
    const input = signatureParams(components, {
      created: Math.floor(now() / 1000),
      nonce: crypto.randomUUID(),
      keyid,
    });
    const base = signatureBase(message, { components, text: input });
    if (base === null) throw new Error('a part that is to be signed is missing');
    const signature = base64(await mac(await key, base));
    return { ...digest, 'signature-input': `${label}=${input}`, signature: `${label}=:${signature}:` };
  };
}

/** A key of WebCrypto, which has no type of its own without the DOM. */
type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const importKey = (bytes: Uint8Array<ArrayBuffer>): Promise<HmacKey> =>
  crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);

const mac = (key: HmacKey, words: string): Promise<ArrayBuffer> =>
  crypto.subtle.sign(algorithm.name, key, text.encode(words));

async function contentDigest(body: string): Promise<string> {
  return `sha-256=:${base64(await crypto.subtle.digest('SHA-256', text.encode(body)))}:`;
}

const base64 = (bytes: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(bytes)));
