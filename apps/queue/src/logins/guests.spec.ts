import { GuestsOff } from '@muster/domain';
import { expect, it } from 'vitest';
import { Guests } from './guests.js';

const now = Date.UTC(2026, 10, 27);
const guests = (isOn: boolean): Guests =>
  new Guests(
    isOn,
    { guestToken: (guest, at) => ({ token: `token of ${guest}`, expiresAt: at + 1 }) },
    { now: () => now },
    (deviceId) => `hash of ${deviceId}`,
    'guest',
  );

it('makes a player of a device, under a name that no other login gives', () => {
  expect(guests(true).signIn('device')).toEqual({
    playerId: 'guest:hash of device',
    token: 'token of hash of device',
    expiresAt: now + 1,
  });
});

it('takes no guests unless the operator does', () => {
  expect(() => guests(false).signIn('device')).toThrow(GuestsOff);
});
