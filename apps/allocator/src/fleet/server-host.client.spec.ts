import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostObjection } from './server-host.client.js';

const loopback = /loopback/;
const none = /not a host name or an address/;

describe('the host of a server', () => {
  it.each([
    'play.example.com',
    'play.example.com.',
    'gs1',
    'xn--mnchen-3ya.example',
    '8.8.8.8',
    '10.1.2.3',
    '172.16.0.9',
    '192.168.0.4',
    '100.64.1.1',
    '2606:4700::1111',
    '[2606:4700::1111]',
    'fd00::7',
    '::ffff:10.0.0.1',
    'localhost.example.com',
  ])('may be %s', (host) => expect(hostObjection(host, false)).toBeNull());

  it.each([
    ['127.0.0.1', loopback],
    ['127.0.0.1.', loopback],
    ['127.1', loopback],
    ['0177.0.0.1', loopback],
    ['0x7f.0.0.1', loopback],
    ['0x7f000001', loopback],
    ['2130706433', loopback],
    ['017700000001', loopback],
    ['::1', loopback],
    ['[::1]', loopback],
    ['0:0:0:0:0:0:0:1', loopback],
    ['::ffff:127.0.0.1', loopback],
    ['[::ffff:7f00:1]', loopback],
    ['169.254.169.254', /link-local/],
    ['0xa9fea9fe', /link-local/],
    ['fe80::1', /link-local/],
    ['::ffff:169.254.169.254', /link-local/],
    ['0.0.0.0', /unspecified/],
    ['0', /unspecified/],
    ['::', /unspecified/],
    ['224.0.0.1', /multicast/],
    ['ff02::1', /multicast/],
    ['255.255.255.255', /broadcast/],
    ['240.0.0.1', /reserved/],
    ['localhost', /the machine itself/],
    ['LOCALHOST', /the machine itself/],
    ['localhost.', /the machine itself/],
    ['foo.localhost', /the machine itself/],
    ['localhost.localdomain', /the machine itself/],
    ['ip6-loopback', /the machine itself/],
    ['[', none],
    [']', none],
    ['[]', none],
    ['[10.0.0.1]', none],
    ['.', none],
    ['..', none],
    ['...', none],
    ['a..b', none],
    ['play.example.com..', none],
    ['-', none],
    ['-a.example', none],
    ['a-.example', none],
    [':', none],
    ['10.0.0.1:7777', none],
    ['play.example.com:7777', none],
    ['1.2.3.4.5', none],
    ['999.1.1.1', none],
    ['256.256.256.256', none],
    ['play.0x7f', none],
    ['play.1', none],
    ['99999999999', none],
    [`${'a'.repeat(64)}.example`, none],
  ])('may not be %s', (host, objection) => expect(hostObjection(host, false)).toMatch(objection));

  it('may be the machine itself where that is allowed, but never what is no host', () => {
    for (const host of ['127.0.0.1', 'localhost', '::1', '169.254.1.1'])
      expect(hostObjection(host, true)).toBeNull();
    for (const host of ['[', '...', 'a..b']) expect(hostObjection(host, true)).toMatch(none);
  });

  it('is judged alike in every form in which an address of version 4 can be written', () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), (address) => {
        const parts = [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff);
        const plain = parts.join('.');
        const forms = [
          String(address),
          `0x${address.toString(16)}`,
          parts.map((part) => `0x${part.toString(16)}`).join('.'),
          parts.map((part) => (part === 0 ? '0' : `0${part.toString(8)}`)).join('.'),
          `${parts[0]}.${address & 0xffffff}`,
          `${plain}.`,
          `::ffff:${plain}`,
          `[::ffff:${plain}]`,
        ];
        const judged = forms.map((form) => hostObjection(form, false));
        expect(judged).toEqual(forms.map(() => hostObjection(plain, false)));
      }),
    );
  });
});
