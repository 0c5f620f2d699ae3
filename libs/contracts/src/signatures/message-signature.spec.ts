import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  bytesOf,
  fleetKeyId,
  neededComponents,
  readSignatureInput,
  signatureBase,
  signatureParams,
} from './message-signature.js';

const messageOf = (target: string, headers: Record<string, string> = {}) => {
  const all = new Map(Object.entries(headers));
  return { method: 'POST', target, header: (name: string) => all.get(name) };
};

it('makes what RFC 9421 signs in its example of a shared secret (B.2.5)', () => {
  const message = messageOf('/foo?param=Value&Pet=dog', {
    host: 'example.com',
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'content-type': 'application/json',
  });
  const input = readSignatureInput(
    'sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
  );
  const key = Buffer.from(
    'uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==',
    'base64',
  );
  const base = input && signatureBase(message, input);
  expect(createHmac('sha256', key).update(String(base)).digest('base64')).toBe(
    'pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=',
  );
});

describe('a Signature-Input', () => {
  it('is read as it is written', () => {
    const params = { created: 12, keyid: 'flk_1/eu-1', nonce: 'n-1' };
    const text = signatureParams(['@method', '@path'], params);
    const read = readSignatureInput(`muster=${text}`);
    expect(read).toMatchObject({ label: 'muster', components: ['@method', '@path'], text });
    expect(Object.fromEntries(read?.params ?? [])).toEqual({ ...params, alg: 'hmac-sha256' });
  });

  it.each([
    ['nothing', ''],
    ['two signatures', 'a=("@method");created=1, b=("@method");created=1'],
    ['a component twice', 'a=("@method" "@method");created=1'],
    ['a parameter of a component', 'a=("@query-param";name="id");created=1'],
    ['a parameter twice', 'a=("@method");created=1;created=2'],
    ['another space', 'a=("@method"  "@path");created=1'],
    ['a space at the end', 'a=("@method");created=1 '],
    ['a line', 'a=("@method");keyid="a\nb"'],
    ['a quote', 'a=("@method");keyid="a\\"b"'],
    ['letters that are not ASCII', 'a=("@method");keyid="ü"'],
    ['a number that is none', 'a=("@method");created=1.5'],
    ['capitals', 'a=("@Method");created=1'],
    ['more than can be', `a=(${Array.from({ length: 200 }, (_, i) => `"x${i}"`).join(' ')});created=1`],
  ])('with %s is not read', (_, text) => expect(readSignatureInput(text)).toBeNull());

  it('of any text is judged at once', () => {
    const hostile = [`a=("${'a'.repeat(900)}`, `a=(${'"a" '.repeat(240)}`, `a=()${';a=1'.repeat(240)}!`];
    const startedAt = performance.now();
    for (const text of hostile) expect(readSignatureInput(text)).toBeNull();
    expect(performance.now() - startedAt).toBeLessThan(100);
  });
});

describe('what a signature must cover', () => {
  it.each([
    ['/v1/servers', {}, true, ['@method', '@path', 'content-digest']],
    ['/v1/servers?cursor=a', {}, false, ['@method', '@path', '@query']],
    [
      '/a',
      { authorization: 'Bearer t', 'idempotency-key': 'k' },
      false,
      ['@method', '@path', 'authorization', 'idempotency-key'],
    ],
  ])('of %s with %j', (target, headers, hasBody, expected) => {
    expect(neededComponents(messageOf(target, headers), hasBody)).toEqual(expected);
  });

  it('is there, or nothing is signed', () => {
    const of = (component: string) => signatureBase(messageOf('/a'), { components: [component], text: '()' });
    expect(of('@path')).toBe('"@path": /a\n"@signature-params": ()');
    expect(of('@query')).toContain('"@query": ?\n');
    for (const absent of ['content-digest', '@target-uri', '@status', '@authority'])
      expect(of(absent)).toBeNull();
  });
});

it('bytes are those of one member', () => {
  expect(bytesOf('sha-512=:AAAA:, sha-256=:YQ==:', 'sha-256')).toBe('YQ==');
  for (const text of [
    'sha-256=YQ==',
    'sha-256=:YQ==:, sha-256=:Yg==:',
    'sha-256=:Y Q:',
    '',
    'x'.repeat(2_000),
  ])
    expect(bytesOf(text, 'sha-256')).toBeNull();
});

it('a fleet key has its id within', () => {
  expect(fleetKeyId(`mfk_${'a_-4'.repeat(5)}zz${'b'.repeat(43)}`)).toBe(`flk_${'a_-4'.repeat(5)}zz`);
  for (const text of ['mfk_', `mfk_${'b'.repeat(64)}`, `mfk_${'b'.repeat(66)}`, `muk_${'b'.repeat(65)}`])
    expect(fleetKeyId(text)).toBeNull();
});
