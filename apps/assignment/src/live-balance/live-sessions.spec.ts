import type { RosterEventBody } from '@muster/contracts';
import type { LiveSession } from '@muster/domain';
import { freshBalance, type BalanceState, type Policy, type Roster } from '@muster/live-balance';
import { describe, expect, it } from 'vitest';
import { policyOf } from './live-balance.js';
import { stepOf } from './live-sessions.js';

const noon = 1_700_000_000_000;
const policy = policyOf({
  like: 'synelo',
  ranked: 'move',
  rules: [{ kind: 'sizes', least: 2, delayMs: 5_000, onlyDead: false }],
});
const even: Roster = {
  teams: 2,
  ranked: true,
  players: ['a', 'b', 'c', 'd', 'e', 'f'].map((playerId, i) => ({ playerId, team: i % 2, rating: 10 + i })),
};
const session = (
  over: Partial<LiveSession<Policy, Roster, BalanceState>> = {},
): LiveSession<Policy, Roster, BalanceState> => ({
  matchId: 'm',
  sessionId: 's',
  policy,
  roster: even,
  state: freshBalance,
  lastSeq: 0,
  ...over,
});
const leave = (seq: number, playerId: string): RosterEventBody => ({ seq, kind: 'leave', playerId });
const nobody = new Map<string, number>();

describe('the events of a session', () => {
  it('are taken in order, and begin the delay', () => {
    const step = stepOf(session(), [leave(1, 'b'), leave(2, 'd')], nobody, noon);
    expect(step).toMatchObject({
      lastSeq: 2,
      orders: [],
      dueAt: noon + 5_000,
      state: { since: { at: noon, from: 0, to: 1 } },
      answer: { outcome: 'taken', taken: 2 },
    });
    expect(step.roster.players.map(({ playerId }) => playerId)).toEqual(['a', 'c', 'e', 'f']);
  });

  it('count once, however often they are told', () => {
    const first = stepOf(session(), [leave(1, 'b')], nobody, noon);
    const { roster, state, lastSeq } = first;
    const again = stepOf(session({ roster, state, lastSeq }), [leave(1, 'a'), leave(2, 'd')], nobody, noon);
    expect(again.roster.players.map(({ playerId }) => playerId)).toEqual(['a', 'c', 'e', 'f']);
    expect(again.answer).toMatchObject({ outcome: 'taken', taken: 2 });
  });

  it.each<[string, number, RosterEventBody[]]>([
    ['before them', 0, [leave(2, 'b')]],
    ['between them', 0, [leave(1, 'b'), leave(3, 'd')]],
    ['since the last', 4, [leave(6, 'b')]],
  ])('are not taken when some are missing %s', (_, lastSeq, events) => {
    const step = stepOf(session({ lastSeq }), events, nobody, noon);
    expect(step).toMatchObject({ lastSeq, roster: even, answer: { outcome: 'gap', taken: lastSeq } });
  });

  it('make one order when the time has come, and no second while it is carried out', () => {
    const { roster, state, lastSeq } = stepOf(session(), [leave(1, 'b'), leave(2, 'd')], nobody, noon);
    const later = session({ roster, state, lastSeq });
    const step = stepOf(later, [{ seq: 3, kind: 'death', playerId: 'a' }], nobody, noon + 5_000);
    expect(step.orders[0]?.moves).toMatchObject([{ from: 0, to: 1 }]);
    const then = { ...later, roster: step.roster, state: step.state, lastSeq: 3 };
    const death: RosterEventBody = { seq: 4, kind: 'death', playerId: 'c' };
    expect(stepOf(then, [death], nobody, noon + 5_100)).toMatchObject({ orders: [] });
  });

  it('put newcomers in at their rating, and say who plays for another team now', () => {
    const events: RosterEventBody[] = [
      { seq: 1, kind: 'join', playerId: 'g', team: 0 },
      { seq: 2, kind: 'join', playerId: 'h', team: 1, rating: 3 },
      { seq: 3, kind: 'team', playerId: 'a', team: 1 },
      { seq: 4, kind: 'team', playerId: 'a', team: null },
      { seq: 5, kind: 'team', playerId: 'b', team: 0 },
    ];
    const step = stepOf(session(), events, new Map([['g', 21]]), noon);
    const ratings = new Map(step.roster.players.map(({ playerId, rating }) => [playerId, rating]));
    expect([ratings.get('g'), ratings.get('h')]).toEqual([21, 3]);
    expect(step.changedTeam).toEqual([
      { playerId: 'b', team: 0 },
      { playerId: 'g', team: 0 },
      { playerId: 'h', team: 1 },
    ]);
  });

  it('that make no sense are left out, said so, and hold up nobody', () => {
    const events: RosterEventBody[] = [
      leave(1, 'b'),
      { seq: 2, kind: 'team', playerId: 'a', team: 9 },
      { seq: 3, kind: 'wish', playerId: 'a', side: 0 },
      { seq: 4, kind: 'round-ended', round: 1, winner: 0 },
      leave(5, 'd'),
    ];
    const step = stepOf(session(), events, nobody, noon);
    expect(step).toMatchObject({ lastSeq: 5, state: { since: { at: noon } }, answer: { taken: 5 } });
    expect(step.answer.leftOut).toMatchObject([
      { seq: 2, why: expect.stringMatching(/team 9/) as string },
      { seq: 3, why: expect.stringMatching(/no side pick/) as string },
      { seq: 4, why: expect.stringMatching(/scramble\.mode/) as string },
    ]);
    expect(step.roster.players.find(({ playerId }) => playerId === 'a')?.team).toBe(0);
  });

  it('are kept though nobody looks at the match after them', () => {
    const events: RosterEventBody[] = [
      { seq: 1, kind: 'side-pick' },
      { seq: 2, kind: 'wish', playerId: 'a', side: 1 },
    ];
    const step = stepOf(session(), events, nobody, noon);
    expect(step).toMatchObject({ dueAt: noon + 30_000, state: { sides: { wishes: { a: 1 } } } });
  });

  it('make an order for each thing that is to be done, in turn', () => {
    const rounds = session({ policy: { ...policy, scramble: { ...policy.scramble!, mode: 'payload' } } });
    const moves = stepOf(
      rounds,
      [{ seq: 1, kind: 'round-ended', round: 1, winner: 1, attackers: 0 }],
      nobody,
      noon,
    );
    expect(moves.orders).toMatchObject([{ kind: 'scramble' }]);
    const obeyed = (moves.orders[0]?.moves ?? []).map(({ playerId, to }, i): RosterEventBody => ({
      seq: i + 2,
      kind: 'team',
      playerId,
      team: to,
    }));
    // Told late, all at once: the first was carried out before the second was due.
    const again: RosterEventBody = {
      seq: obeyed.length + 2,
      kind: 'round-ended',
      round: 2,
      winner: 1,
      attackers: 0,
    };
    const all = stepOf(
      rounds,
      [{ seq: 1, kind: 'round-ended', round: 1, winner: 1, attackers: 0 }, ...obeyed, again],
      nobody,
      noon,
    );
    expect(all.orders.map(({ kind }) => kind)).toEqual(['scramble', 'scramble']);
  });

  it('change nothing in a ranked match whose policy leaves those alone', () => {
    const left = session({ policy: policyOf('synelo') });
    const step = stepOf(left, [leave(1, 'b'), leave(2, 'd')], nobody, noon);
    expect(step).toMatchObject({ orders: [], dueAt: null });
    expect(step.answer.why).toMatch(/ranked match/);
  });
});
