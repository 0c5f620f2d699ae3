import { describe, expect, it } from 'vitest';
import { ReceiverNetworks } from './receiver-networks.client.js';
import { networksIn } from '../networks.js';

const closed = new ReceiverNetworks([]);
const open = new ReceiverNetworks(networksIn('10.1.0.0/16, fd00:1::/32') ?? []);

describe('addresses of webhooks', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fec0::1',
    'fd00:1::1',
    '::ffff:10.1.2.3',
    '::7f00:1',
    '64:ff9b::a01:203',
    '2002:a01:203::1',
  ])('%s is not public', (address) => {
    expect([closed.allows(address, true), closed.allows(address, false)]).toEqual([false, false]);
  });

  it.each(['93.184.216.34', '2606:2800:220:1::1'])('%s is reached by https only', (address) => {
    expect([closed.allows(address, true), closed.allows(address, false)]).toEqual([true, false]);
  });

  it('of networks in the setting are reached by both', () => {
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00:1::1'])
      expect([open.allows(address, true), open.allows(address, false)]).toEqual([true, true]);
    expect([open.allows('10.2.0.1', true), open.allows('fd00:2::1', false)]).toEqual([false, false]);
    expect(networksIn('10.0.0.0/8,game.example')).toBeNull();
  });

  it.each([
    ['https://game.example/hooks', null],
    ['https://93.184.216.34/', null],
    ['http://game.example/hooks', 'https'],
    ['http://0x7f.1/', '127.0.0.1 is not public'],
    ['https://2130706433/', '127.0.0.1 is not public'],
    ['https://[::ffff:7f00:1]/', 'is not public'],
    ['https://ann:secret@game.example/', 'no password'],
    ['http://93.184.216.34/', '93.184.216.34 is reached by https only'],
  ])('%s: %s', (url, objection) => {
    const found = closed.objectionTo(new URL(url));
    if (objection === null) expect(found).toBeNull();
    else expect(found).toContain(objection);
  });

  it('are known by name only when they are looked up', () => {
    expect(open.objectionTo(new URL('http://receiver.game.svc/'))).toBeNull();
  });
});
