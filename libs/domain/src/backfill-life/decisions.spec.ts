import { describe, expect, it } from 'vitest';
import { backfillStates, type BackfillState, type SeatFill } from '../matches/backfill.js';
import type { Decision, MatchJob } from '../match-life/decision.js';
import type { SessionFacts } from '../match-life/state.js';
import { message } from '../messages/index.js';
import type { SessionState } from '../servers/server.js';
import {
  decideBackfill,
  decideSeatAnswer,
  decideSeatOrder,
  decideSeatWithdrawal,
  decideWithdrawal,
  type BackfillFacts,
  type FillableMatch,
  type FillablePlayer,
} from './index.js';

const now = 1_700_000_000_000;
const server = { serverId: 's', incarnation: 1 };
const sessionStates: readonly SessionState[] = ['reserved', 'live', 'ended', 'abandoned', 'lost'];

const sessionIn = (state: SessionState): SessionFacts => ({
  ...server,
  sessionId: 'ses',
  matchId: 'm',
  state,
  liveAt: now - 1_000,
});

const player = (playerId: string, team: number, over: Partial<FillablePlayer> = {}): FillablePlayer => ({
  playerId,
  team,
  ticketId: `ticket of ${playerId}`,
  mu: 25,
  role: null,
  backfillId: null,
  leftAt: null,
  ...over,
});

const matchOf = (players: readonly FillablePlayer[], over: Partial<FillableMatch> = {}): FillableMatch => ({
  matchId: 'm',
  queue: 'duos',
  build: 'b',
  region: 'eu',
  map: 'well',
  bots: [0, 0],
  blame: [],
  rules: { mode: 'duos', pool: 'ladder', teams: 2, teamSize: 2, teamGap: [], backfill: { seconds: 30 } },
  players,
  ...over,
});
const full = matchOf([player('ann', 0), player('bob', 0), player('cid', 1), player('dan', 1)]);

const backfillIn = (state: BackfillState, over: Partial<BackfillFacts> = {}): BackfillFacts => ({
  backfillId: 'b',
  sessionId: 'ses',
  matchId: 'm',
  team: 0,
  seats: 2,
  seatsLeft: state === 'filled' ? 0 : 2,
  state,
  playerIds: [],
  fingerprint: 'f',
  requestedAt: now - 1,
  expiresAt: now + 1,
  ...over,
});

const asked = { backfillId: 'b', fingerprint: 'f', team: 0, seats: 1, leavers: ['ann'] };
const ask = (match = full, over: Partial<typeof asked> = {}, offered = 0) =>
  decideBackfill(
    { session: sessionIn('live'), known: null, match, offered },
    server,
    { ...asked, ...over },
    now,
  );
const claim: SeatFill = {
  proposalId: 'p',
  backfillId: 'b',
  matchId: 'm',
  ticketId: 't',
  team: 0,
  players: [{ playerId: 'eve', mu: 26, sigma: 3, role: 'tank' }],
  waitedMs: 12.6,
};
const command = {
  serverId: 's',
  seq: 7,
  sessionId: 'ses',
  matchId: 'm',
  sessionLive: true,
  region: 'eu',
  host: 's.example',
  port: 7_777,
  order: { proposalId: 'p', backfillId: 'b', ticketId: 't', team: 0, playerIds: ['eve'], roles: {} },
};
const kinds = ({ jobs }: { readonly jobs: readonly MatchJob[] }): string[] =>
  jobs.map((job) => (job.kind === 'update' ? job.update.to : job.kind));

describe('decisions on every state of a backfill and its session', () => {
  it('take on only an open backfill, and tell the matcher that it is closed', () => {
    const steps: string[] = [];
    for (const state of backfillStates) {
      const request = { backfill: backfillIn(state), serverId: 's', queue: 'duos', blame: [] };
      const { changes, jobs } = decideWithdrawal(request, 's', now);
      if (!changes?.backfill) continue;
      steps.push(`${state} → ${changes.backfill.to}`);
      expect(jobs.some(({ kind }) => kind === 'closed')).toBe(true);
    }
    expect(steps).toEqual(['open → withdrawn']);
  });

  it('seat players, and command a server, only while the session is live', () => {
    for (const state of sessionStates) {
      const session = sessionIn(state);
      const sessionLive = state === 'live';
      const backfill = backfillIn('open');
      const decisions: Decision<unknown>[] = [
        decideBackfill({ session, known: null, match: full, offered: 0 }, server, asked, now),
        decideSeatOrder({ session, backfill, match: full, ordered: false }, claim, now),
        decideSeatAnswer({ ...command, sessionLive }, { status: 'refused', reason: 'full' }),
        decideSeatAnswer({ ...command, sessionLive }, { status: 'done' }),
        decideSeatWithdrawal({ ...command, sessionLive }),
      ];
      for (const { changes, jobs } of decisions) {
        const { answered: _answered, matchId: _matchId, ...others } = changes ?? { matchId: 'm' };
        if (!sessionLive) expect({ others, jobs }).toEqual({ others: {}, jobs: [] });
        else expect(Object.keys(others).length + jobs.length).toBeGreaterThan(0);
      }
    }
  });
});

describe('decideBackfill', () => {
  it('frees and blames the leavers, ends their ticket, and looks for players among those who stay', () => {
    const decision = ask();
    expect(decision.changes).toMatchObject({
      departed: { playerIds: ['ann'], at: now },
      blame: [{ playerId: 'ann', kind: 'left', at: now }],
      backfillOpened: { backfillId: 'b', seats: 1, requestedAt: now, expiresAt: now + 30_000 },
    });
    expect(kinds(decision)).toEqual(['conduct', 'abandoned', 'wanted']);
    expect(decision.jobs.at(-1)).toMatchObject({
      backfill: {
        teams: [
          [{ playerId: 'bob', mu: 25 }],
          [
            { playerId: 'cid', mu: 25 },
            { playerId: 'dan', mu: 25 },
          ],
        ],
        everybody: ['ann', 'bob', 'cid', 'dan'],
      },
    });
  });

  it('keeps the ticket of a party of which somebody stays, and blames nobody twice', () => {
    const party = matchOf([player('ann', 0, { ticketId: 't' }), player('bob', 0, { ticketId: 't' })]);
    const ticketsTold = ask(party).jobs.flatMap((job) => (job.kind === 'update' ? job.ticketIds : []));
    expect(ticketsTold).toEqual([]);
    const gone = matchOf([player('ann', 0, { leftAt: now - 5 }), player('bob', 0)]);
    const again = ask(gone);
    expect(kinds(again)).toEqual(['wanted']);
    expect(again.changes).not.toHaveProperty('departed');
    expect(again.changes).not.toHaveProperty('blame');
  });

  it.each<[string, Decision<{ outcome: string }>, ReturnType<typeof message>]>([
    [
      'rules without backfills',
      ask(matchOf(full.players, { rules: { mode: 'x', pool: 'x', teams: 2, teamSize: 2, teamGap: [] } })),
      message('backfill.not-allowed', { queue: 'duos' }),
    ],
    [
      'rules that cannot be read',
      ask(matchOf(full.players, { rules: null })),
      message('backfill.not-allowed', { queue: 'duos' }),
    ],
    ['a team too many', ask(full, { team: 2 }), message('backfill.no-such-team', { teams: 2, team: 2 })],
    [
      'a leaver who is not in the match',
      ask(full, { leavers: ['zoe', 'ann'] }),
      message('backfill.not-in-match', { players: ['zoe'] }),
    ],
    [
      'a full team',
      ask(full, { leavers: [] }),
      message('backfill.too-few-seats', { team: 0, free: 0, seats: 1 }),
    ],
    [
      'seats that bots have',
      ask(matchOf(full.players, { bots: [1, 0] })),
      message('backfill.too-few-seats', { team: 0, free: 0, seats: 1 }),
    ],
    [
      'seats that are offered already',
      ask(full, { seats: 1 }, 1),
      message('backfill.too-few-seats', { team: 0, free: 0, seats: 1 }),
    ],
  ])('refuses %s', (_says, decision, reason) => {
    expect(decision).toEqual({ outcome: { outcome: 'refused', reason: [reason] }, changes: null, jobs: [] });
  });
});

describe('decideSeatOrder', () => {
  const match = matchOf([
    player('ann', 0, { leftAt: now - 9 }),
    player('bob', 0),
    player('eve', 0, { ticketId: 't', backfillId: 'b', role: 'tank' }),
    player('fay', 0, { ticketId: 't', backfillId: 'another' }),
  ]);
  const facts = { session: sessionIn('live'), backfill: backfillIn('open'), match, ordered: false };

  it('names the players of the ticket with their roles, and looks for more', () => {
    const decision = decideSeatOrder(facts, claim, now);
    expect(decision.outcome).toBe('s');
    expect(decision.changes?.command).toEqual({
      serverId: 's',
      sessionId: 'ses',
      kind: 'add-players',
      at: now,
      payload: {
        proposalId: 'p',
        backfillId: 'b',
        ticketId: 't',
        team: 0,
        playerIds: ['eve'],
        roles: { eve: 'tank' },
      },
    });
    expect(kinds(decision)).toEqual(['wanted']);
  });

  it('commands nothing twice, and looks for nobody when the backfill is closed', () => {
    expect(decideSeatOrder({ ...facts, ordered: true }, claim, now)).toEqual({
      outcome: null,
      changes: null,
      jobs: [],
    });
    expect(decideSeatOrder(null, claim, now).outcome).toBeNull();
    for (const state of ['filled', 'withdrawn', 'expired'] as const)
      expect(kinds(decideSeatOrder({ ...facts, backfill: backfillIn(state) }, claim, now))).toEqual([]);
  });
});
