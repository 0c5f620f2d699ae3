import { describe, expect, it } from 'vitest';
import type { BehaviourReport } from '../behaviour.js';
import type { MatchRoster } from '../match-roster.js';
import { matchTransitions } from '../match-life/transitions.js';
import type { Penalty } from '../penalty.js';
import {
  decideBehaviourReport,
  decideForgiveness,
  decidePenalties,
  judgeTeamMates,
  penaltyCounts,
} from './index.js';

const now = 1_700_000_000_000;
const penalty = (penaltyId: string, over: Partial<Penalty> = {}): Penalty => ({
  penaltyId,
  playerId: 'ann',
  kind: 'left',
  matchId: 'm',
  queue: 'duel',
  at: now,
  ...over,
});

describe('decidePenalties', () => {
  it('penalises a player once for a match and kind, and the first time stays', () => {
    const first = penalty('p1');
    const others = [
      penalty('p2', { playerId: 'bob' }),
      penalty('p3', { kind: 'no-show' }),
      penalty('p4', { matchId: 'n' }),
    ];
    expect(decidePenalties([], [first, penalty('again', { at: now + 1 }), ...others])).toEqual({
      outcome: undefined,
      changes: [first, ...others],
    });
    expect(
      decidePenalties([first], [penalty('again'), penalty('p1', { kind: 'declined' })]).changes,
    ).toBeNull();
  });
});

describe('decideForgiveness', () => {
  it('takes effect once, and only for the player’s own penalty', () => {
    const recorded = { ...penalty('p1'), forgivenAt: null };
    expect(decideForgiveness(recorded, 'ann', now)).toEqual({
      outcome: true,
      changes: { penaltyId: 'p1', forgivenAt: now },
    });
    const again = decideForgiveness({ ...recorded, forgivenAt: now - 1 }, 'ann', now);
    expect(again).toEqual({ outcome: true, changes: null });
    for (const other of [decideForgiveness(recorded, 'bob', now), decideForgiveness(null, 'ann', now)])
      expect(other).toEqual({ outcome: false, changes: null });
  });
});

it('a penalty counts while it is younger than the time asked for, and not forgiven', () => {
  expect(penaltyCounts({ at: now, forgivenAt: null }, now - 1)).toBe(true);
  expect(penaltyCounts({ at: now, forgivenAt: null }, now)).toBe(false);
  expect(penaltyCounts({ at: now, forgivenAt: now }, now - 1)).toBe(false);
});

describe('judgeTeamMates', () => {
  const player = (playerId: string, team: number, ticketId: string | null = playerId) => ({
    playerId,
    team,
    ticketId,
  });
  const roster: MatchRoster = {
    state: 'rated',
    placed: true,
    players: [player('ann', 0, 't'), player('bob', 0, 't'), player('cid', 0), player('dan', 1)],
  };

  it('lets team-mates report each other, and knows those of one party', () => {
    expect(judgeTeamMates(roster, 'ann', 'bob')).toEqual({ outcome: 'team-mates', sameParty: true });
    expect(judgeTeamMates(roster, 'ann', 'cid')).toEqual({ outcome: 'team-mates', sameParty: false });
    const elsewhere = { ...roster, players: [player('ann', 0, null), player('bob', 0, null)] };
    expect(judgeTeamMates(elsewhere, 'ann', 'bob')).toEqual({ outcome: 'team-mates', sameParty: false });
  });

  it('refuses anybody else', () => {
    expect(judgeTeamMates(null, 'ann', 'bob')).toEqual({ outcome: 'not-in-match' });
    expect(judgeTeamMates(roster, 'zoe', 'bob')).toEqual({ outcome: 'not-in-match' });
    expect(judgeTeamMates(roster, 'ann', 'ann')).toEqual({ outcome: 'themselves' });
    expect(judgeTeamMates(roster, 'ann', 'dan')).toEqual({ outcome: 'not-on-team' });
    expect(judgeTeamMates(roster, 'ann', 'zoe')).toEqual({ outcome: 'not-on-team' });
  });

  it('waits for the end of the match, which was played', () => {
    const states = [...new Set(matchTransitions.map(({ to }) => to))];
    const judged = (placed: boolean) =>
      Object.fromEntries(
        states.map((state) => [state, judgeTeamMates({ ...roster, state, placed }, 'ann', 'cid').outcome]),
      );
    const over = { ended: 'team-mates', rated: 'team-mates', void: 'team-mates' };
    const running = { formed: 'not-over', placed: 'not-over' };
    expect(judged(true)).toEqual({ ...over, ...running, abandoned: 'team-mates' });
    expect(judged(false)).toEqual({ ...over, ...running, abandoned: 'never-played' });
  });
});

it('the first report on a player counts; a repeat and a contradiction change nothing', () => {
  const report: BehaviourReport = {
    matchId: 'm',
    reporter: 'ann',
    reported: 'bob',
    kind: 'abuse',
    weight: 1,
    note: null,
    at: now,
  };
  expect(decideBehaviourReport(null, report)).toEqual({ outcome: 'counted', changes: report });
  expect(decideBehaviourReport({ kind: 'abuse' }, report)).toEqual({ outcome: 'repeat', changes: null });
  expect(decideBehaviourReport({ kind: 'friendly' }, report)).toEqual({
    outcome: 'contradicts',
    changes: null,
  });
});
