import { describe, expect, it } from 'vitest';
import { accuse } from '../match-life/offences.js';
import { decideWithdrawal, type HostedBackfill } from './close.js';
import { decideBackfill } from './open.js';
import type { FillableMatch } from './state.js';

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

describe('a leaver whose request was withdrawn', () => {
  const server = { serverId: 'one', incarnation: 1 };
  const players = ['ann', 'bob', 'cid', 'dan'].map((playerId, i) => ({
    playerId,
    team: i % 2,
    ticketId: playerId,
    mu: 25,
    role: null,
    backfillId: null,
    leftAt: playerId === 'ann' || playerId === 'bob' ? at : null,
  }));
  const withdrawn = decideWithdrawal(asked(2), 'one', at + 5).changes?.blame ?? [];
  const match: FillableMatch = {
    matchId: 'm',
    queue: 'duel',
    build: 'b',
    region: 'eu',
    map: null,
    bots: [0, 0],
    blame: withdrawn,
    rules: { mode: 'duos', pool: 'ladder', teams: 2, teamSize: 2, teamGap: [], backfill: { seconds: 30 } },
    players,
  };
  const again = (over: Partial<FillableMatch>, leavers = ['ann']) =>
    decideBackfill(
      {
        session: { ...server, sessionId: 's', matchId: 'm', state: 'live', liveAt: at - 9 },
        known: null,
        match: { ...match, ...over },
        offered: 0,
      },
      server,
      { backfillId: 'b2', fingerprint: 'f', team: 0, seats: 1, leavers },
      at + 3,
    );

  it('is penalised again by a new request that names them, later than the penalty was lifted', () => {
    const { changes, jobs } = again({});
    const conduct = { kind: 'conduct', blamed: { noShows: [], leavers: ['ann'] }, at: at + 6 };
    expect(jobs).toMatchObject([conduct, { kind: 'wanted' }]);
    expect(changes).not.toHaveProperty('departed');
    expect(changes?.blame?.filter(({ playerId }) => playerId === 'ann')).toEqual([
      { playerId: 'ann', kind: 'left', at: at + 6, backfillId: 'b2' },
    ]);
  });

  it('is penalised once, and not for having left a silent server', () => {
    const before = again({}).changes?.blame ?? [];
    expect(again({ blame: before }).jobs).toMatchObject([{ kind: 'wanted' }]);
    expect(again({ blame: [] }).jobs).toMatchObject([{ kind: 'wanted' }]);
  });

  it('counts among the blamed of the match when named again, and only then', () => {
    const accused = (...leavers: string[]) => accuse(match, { noShows: [], leavers }, at + 9);
    expect(accused('cid', 'dan').jobs).toMatchObject([{ kind: 'conduct' }]);
    expect(accused('ann', 'cid', 'dan').jobs).toMatchObject([
      { kind: 'lift', offences: [{ playerId: 'ann' }, { playerId: 'cid' }, { playerId: 'dan' }] },
    ]);
  });
});
