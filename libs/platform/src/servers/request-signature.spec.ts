import { signatureBase, signatureParams } from '@muster/contracts';
import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { proveSignature, readSignature, type ReceivedMessage } from './request-signature.js';

const now = Date.UTC(2026, 10, 27);
const key = Buffer.from('secret');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const plain: Sent = {
  method: 'POST',
  target: '/v1/servers/eu-1/heartbeat?a=1',
  headers: { authorization: 'Bearer token', 'idempotency-key': 'once' },
  body: '{"cpuLoad":0}',
};
const covered = ['@method', '@path', '@query', 'content-digest', 'authorization', 'idempotency-key'];

function received({ method, target, headers, body }: Sent): ReceivedMessage {
  const all = new Map(Object.entries(headers));
  const bodyDigest = body === undefined ? undefined : sha256(body);
  return { method, target, header: (name) => all.get(name), bodyDigest };
}

/** A request as an honest server signs it. */
function signed(sent = plain, components = covered, params: object = {}, by = key): Sent {
  const digest: Record<string, string> =
    sent.body === undefined ? {} : { 'content-digest': `sha-256=:${sha256(sent.body)}:` };
  const headers = { ...sent.headers, ...digest };
  const text = signatureParams(components, {
    created: now / 1000,
    keyid: 'flk_1/eu-1',
    nonce: 'nonce-0001',
    ...params,
  });
  const base = signatureBase(received({ ...sent, headers }), { components, text });
  const signature = createHmac('sha256', by).update(String(base)).digest('base64');
  return {
    ...sent,
    headers: { ...headers, 'signature-input': `sig=${text}`, signature: `sig=:${signature}:` },
  };
}

function verify(sent: Sent, at = now, keys = [key]): string {
  const message = received(sent);
  const said = readSignature(message, at);
  proveSignature(message, said, keys);
  return `${said.keyid} ${said.nonce}`;
}

const withHeader = (name: string, value: string): Sent => {
  const sent = signed();
  return { ...sent, headers: { ...sent.headers, [name]: value } };
};
const without = (name: string): Sent => {
  const sent = signed();
  return {
    ...sent,
    headers: Object.fromEntries(Object.entries(sent.headers).filter(([each]) => each !== name)),
  };
};

describe('a signed request', () => {
  it('is proved by the key that made it, within a minute of its time', () => {
    for (const seconds of [-60, 0, 60])
      expect(verify(signed(), now + seconds * 1000)).toBe('flk_1/eu-1 nonce-0001');
    expect(verify(signed(), now, [Buffer.from('next'), key])).toContain('nonce-0001');
    const bare = signed({ ...plain, target: '/v1/servers', headers: {}, body: undefined }, [
      '@method',
      '@path',
    ]);
    expect(verify(bare)).toContain('nonce-0001');
  });

  it.each<[string, Sent, RegExp]>([
    ['another method', { ...signed(), method: 'PUT' }, /changed on its way/],
    ['another path', { ...signed(), target: '/v1/servers/eu-2/heartbeat?a=1' }, /changed on its way/],
    ['another query', { ...signed(), target: '/v1/servers/eu-1/heartbeat?a=2' }, /changed on its way/],
    ['no query', { ...signed(), target: '/v1/servers/eu-1/heartbeat' }, /changed on its way/],
    ['another body', { ...signed(), body: '{"cpuLoad":1}' }, /not the sha-256 of the body/],
    ['a space more in the body', { ...signed(), body: '{"cpuLoad": 0}' }, /not the sha-256 of the body/],
    ['another digest', withHeader('content-digest', `sha-256=:${sha256('x')}:`), /not the sha-256/],
    ['another token', withHeader('authorization', 'Bearer other'), /changed on its way/],
    ['another idempotency key', withHeader('idempotency-key', 'twice'), /changed on its way/],
    ['a signature of another key', signed(plain, covered, {}, Buffer.from('other')), /changed on its way/],
    ['no signature', without('signature'), /is missing/],
    ['a signature of another label', withHeader('signature', 'other=:AAAA:'), /is missing/],
    ['a short signature', withHeader('signature', 'sig=:AAAA:'), /changed on its way/],
    ['an empty signature', withHeader('signature', 'sig=::'), /changed on its way/],
    ['an input that is none', withHeader('signature-input', 'sig=('), /cannot be read/],
    ['the method left out', signed(plain, covered.slice(1)), /must cover "@method"/],
    [
      'the body left out',
      signed(
        plain,
        covered.filter((each) => each !== 'content-digest'),
      ),
      /must cover "content-digest"/,
    ],
    [
      'the token left out',
      signed(
        plain,
        covered.filter((each) => each !== 'authorization'),
      ),
      /must cover "authorization"/,
    ],
    ['nothing covered', signed(plain, []), /must cover/],
    ['a header that is not there', signed(plain, [...covered, 'x-none']), /does not have/],
    ['a short nonce', signed(plain, covered, { nonce: 'short' }), /a nonce of 8 to 100/],
    [
      'a time that is long ago',
      signed(plain, covered, { created: now / 1000 - 61 }),
      /61 s ago by the clock here/,
    ],
    [
      'a time that is ahead',
      signed(plain, covered, { created: now / 1000 + 61 }),
      /61 s ahead by the clock here/,
    ],
    [
      'another algorithm',
      withHeader('signature-input', 'sig=("@method");created=1;keyid="k";nonce="12345678";alg="none"'),
      /hmac-sha256/,
    ],
    [
      'no time',
      withHeader('signature-input', 'sig=("@method");keyid="k";nonce="12345678"'),
      /created, nonce and keyid/,
    ],
  ])('with %s is refused', (_, sent, reason) => expect(() => verify(sent)).toThrow(reason));
});
