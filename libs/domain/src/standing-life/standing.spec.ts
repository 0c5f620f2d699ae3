import { describe, expect, it } from 'vitest';
import { commendations, complaints, type BehaviourKind, type BehaviourReport } from '../players/behaviour.js';
import { message } from '../messages/index.js';
import type { MatchRoster } from '../matches/match-roster.js';
import { matchTransitions } from '../match-life/transitions.js';
import type { Penalty } from '../players/penalty.js';
import {
  decideBehaviourReport,
  decideForgiveness,
  decideLift,
  decidePenalties,
  judgeReport,
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
      decidePenalties(
        [{ ...first, forgivenAt: null }],
        [penalty('again'), penalty('p1', { kind: 'declined' })],
      ).changes,
    ).toBeNull();
  });
});

describe('decideLift', () => {
  const lift = { at: now + 5, why: [message('penalty.match-void')] };
  const lifted = { ...penalty('p1'), forgivenAt: null, lifted: lift };

  it('lifts a penalty, or writes it as lifted when it comes later', () => {
    const known = { ...penalty('p1'), forgivenAt: null };
    for (const before of [[known], []])
      expect(decideLift(before, [penalty('p1')], lift).changes).toEqual([lifted]);
  });

  it('leaves what is forgiven, lifted, or newer than it', () => {
    const newer = { ...penalty('p1', { at: now + 6 }), forgivenAt: null };
    for (const before of [lifted, newer, { ...penalty('p1'), forgivenAt: now }])
      expect(decideLift([before], [penalty('p1')], lift).changes).toBeNull();
  });

  it('does not hold for a later offence of the same match', () => {
    expect(decidePenalties([lifted], [penalty('p2', { at: now + 5 })]).changes).toBeNull();
    const later = penalty('p2', { at: now + 6 });
    expect(decidePenalties([lifted], [later]).changes).toEqual([{ ...later, penaltyId: 'p1' }]);
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
  const lifted = { at: now, why: 'an outage' };
  expect(penaltyCounts({ at: now, forgivenAt: null, lifted }, now - 1)).toBe(false);
});

describe('judgeReport', () => {
  const player = (playerId: string, team: number, ticketId: string | null = playerId) => ({
    playerId,
    team,
    ticketId,
  });
  const roster: MatchRoster = {
    state: 'rated',
    placed: true,
    players: [
      player('ann', 0, 't'),
      player('bob', 0, 't'),
      player('cid', 0),
      player('dan', 1),
      player('eve', 1, 's'),
      player('fay', 1, 's'),
    ],
  };
  const judge = (by: string, of: string, kind: BehaviourKind = 'abuse', given: MatchRoster | null = roster) =>
    judgeReport(given, by, of, kind);

  it('lets team-mates report each other, and knows the parties', () => {
    expect(judge('ann', 'bob')).toEqual({ outcome: 'allowed', sameParty: true, party: 2 });
    expect(judge('ann', 'cid')).toEqual({ outcome: 'allowed', sameParty: false, party: 2 });
    expect(judge('fay', 'dan')).toEqual({ outcome: 'allowed', sameParty: false, party: 1 });
    expect(judge('cid', 'ann')).toEqual({ outcome: 'allowed', sameParty: false, party: null });
    const elsewhere = { ...roster, players: [player('ann', 0, null), player('bob', 0, null)] };
    expect(judge('ann', 'bob', 'abuse', elsewhere)).toEqual({
      outcome: 'allowed',
      sameParty: false,
      party: null,
    });
  });

  it('lets opponents report each other for cheating alone', () => {
    expect(judge('ann', 'dan', 'cheating')).toEqual({ outcome: 'allowed', sameParty: false, party: 2 });
    for (const kind of [...complaints, ...commendations].filter((each) => each !== 'cheating'))
      expect(judge('ann', 'dan', kind)).toEqual({ outcome: 'opponent' });
  });

  it('refuses anybody else', () => {
    expect(judge('ann', 'bob', 'cheating', null)).toEqual({ outcome: 'not-in-match' });
    expect(judge('zoe', 'bob', 'cheating')).toEqual({ outcome: 'not-in-match' });
    expect(judge('ann', 'ann', 'cheating')).toEqual({ outcome: 'themselves' });
    expect(judge('ann', 'zoe', 'cheating')).toEqual({ outcome: 'stranger' });
  });

  it('waits for the end of the match, which was played', () => {
    const states = [...new Set(matchTransitions.map(({ to }) => to))];
    const judged = (placed: boolean) =>
      Object.fromEntries(
        states.map((state) => [state, judge('ann', 'cid', 'abuse', { ...roster, state, placed }).outcome]),
      );
    const over = { ended: 'allowed', rated: 'allowed', void: 'allowed' };
    const running = { formed: 'not-over', placed: 'not-over' };
    expect(judged(true)).toEqual({ ...over, ...running, abandoned: 'allowed' });
    expect(judged(false)).toEqual({ ...over, ...running, abandoned: 'never-played' });
  });
});

it('the first report on a player counts; a repeat and a contradiction change nothing', () => {
  const report: BehaviourReport = {
    matchId: 'm',
    reporter: 'ann',
    party: null,
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
