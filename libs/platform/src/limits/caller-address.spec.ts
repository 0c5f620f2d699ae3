import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallerAddresses, Networks } from './caller-address.js';

const of = (trusted: string, peer: string, forwarded?: string, exempt = 'none'): string | null =>
  new CallerAddresses(Networks.parse(trusted), Networks.parse(exempt)).of({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress: peer },
  });

describe('the address of a caller', () => {
  it.each([
    ['is that of the connection', 'private', '203.0.113.7', undefined, '203.0.113.7'],
    ['is not what a stranger says', 'private', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['is what the proxy says', 'private', '10.0.0.9', '198.51.100.1', '198.51.100.1'],
    ['is what the last proxy says', 'private', '10.0.0.9', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
    ['is behind all proxies', 'private', '10.0.0.9', '198.51.100.1, 10.0.0.8,10.0.0.7', '198.51.100.1'],
    ['is behind no proxy that is not named', '10.0.0.9', '10.0.0.9', '198.51.100.1, 10.0.0.8', '10.0.0.8'],
    ['is behind nobody where nobody is trusted', 'none', '127.0.0.1', '198.51.100.1', '127.0.0.1'],
    ['may come with a port', 'private', '::ffff:10.0.0.9', '198.51.100.1:4711', '198.51.100.1'],
    ['may come in brackets', 'private', '10.0.0.9', '[2001:db8:1:2:3::4]:443', '2001:db8:1:2::/64'],
    ['is the proxy where it says none', 'private', '10.0.0.9', 'unknown', '10.0.0.9'],
    ['is the proxy where it says nothing', 'private', '10.0.0.9', ' , ', '10.0.0.9'],
    ['is that of version 4 in its form of version 6', 'none', '::ffff:203.0.113.7', undefined, '203.0.113.7'],
    ['is the network of one customer', 'none', '2001:db8:1:2:aaaa::1', undefined, '2001:db8:1:2::/64'],
  ] as const)('%s', (_says, trusted, peer, forwarded, address) => {
    expect(of(trusted, peer, forwarded)).toBe(address);
  });

  it('is not counted in networks that are exempt, also behind a proxy', () => {
    expect(of('private', '10.0.0.9', undefined, 'private')).toBeNull();
    expect(of('private', '10.0.0.9', '192.168.1.4', 'private')).toBeNull();
    expect(of('private', '10.0.0.9', '198.51.100.1', 'private')).toBe('198.51.100.1');
  });

  it('is the same whatever a caller writes before the address that the proxy adds', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (made) => {
        expect(of('private', '10.0.0.9', `${made}, 198.51.100.1`)).toBe('198.51.100.1');
      }),
    );
  });
});

describe('networks in a setting', () => {
  it.each(['10.0.0.0/8, fd00::/8', 'private,203.0.113.7', 'loopback', 'none'])('may be %s', (text) => {
    expect(Networks.safeParse(text).success).toBe(true);
  });

  it.each(['10.0.0.0/33', 'proxy.example', 'all', 'toString'])('may not be %s', (text) => {
    expect(Networks.safeParse(text).error?.issues[0]?.message).toContain(`not ${text}`);
  });
});
