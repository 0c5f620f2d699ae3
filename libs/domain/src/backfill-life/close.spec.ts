import { expect, it } from 'vitest';
import { decideWithdrawal, type HostedBackfill } from './close.js';

const at = 1_700_000_000_000;
const asked = (seatsLeft: number): HostedBackfill => ({
  backfill: {
    backfillId: 'b',
    sessionId: 's',
    matchId: 'm',
    team: 0,
    seats: 2,
    seatsLeft,
    state: 'open',
    fingerprint: 'f',
    playerIds: [],
    requestedAt: at,
    expiresAt: at + 30_000,
  },
  serverId: 'one',
  queue: 'duel',
  blame: ['ann', 'bob'].map((playerId) => ({ playerId, kind: 'left', at, backfillId: 'b' })),
});

it('a request that was filled in part and withdrawn keeps its leavers penalised: their places were taken', () => {
  const kindsOf = (seatsLeft: number) =>
    decideWithdrawal(asked(seatsLeft), 'one', at + 1).jobs.map(({ kind }) => kind);
  expect(kindsOf(2)).toEqual(['closed', 'lift']);
  expect(kindsOf(1)).toEqual(['closed']);
});
