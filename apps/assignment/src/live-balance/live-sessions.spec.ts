import { textOf, type RosterEventBody } from '@muster/contracts';
import { message, RatingUnavailable, type MatchAspects } from '@muster/domain';
import {
  freshBalance,
  freshScramble,
  type LiveState,
  type BalanceState,
  type Policy,
  type Roster,
} from '@muster/live-balance';
import { describe, expect, it } from 'vitest';
import type { Counts } from './counts.js';
import { policyOf } from './live-balance.js';
import type { LiveMatch, LiveSession, PostgresLiveSessionStore } from './live-session.store.js';
import { begin, LiveSessions, stepOf } from './live-sessions.js';

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
const round = (seq: number): RosterEventBody => ({ seq, kind: 'round-ended', round: seq, winner: 0 });
const leave = (seq: number, playerId: string): RosterEventBody => ({ seq, kind: 'leave', playerId });
const nobody = new Map<string, Counts>();
const ignored = (detail: RegExp) => [
  { code: 'live.event-ignored', params: { detail: expect.stringMatching(detail) as string } },
];

/** Enough time on a busy machine. */
const unhurried = (): { now: () => number; at: number } => ({ now: () => 0, at: 1 });

describe('the events of a session', () => {
  it('are applied in order, and start the delay', () => {
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

  it('count once, however often they are sent', () => {
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
  ])('are not applied when some are missing %s', (_, lastSeq, events) => {
    const step = stepOf(session({ lastSeq }), events, nobody, noon);
    expect(step).toMatchObject({ lastSeq, roster: even, answer: { outcome: 'gap', taken: lastSeq } });
  });

  it('make one order when it is due, and no second while that is carried out', () => {
    const { roster, state, lastSeq } = stepOf(session(), [leave(1, 'b'), leave(2, 'd')], nobody, noon);
    const later = session({ roster, state, lastSeq });
    const step = stepOf(later, [{ seq: 3, kind: 'death', playerId: 'a' }], nobody, noon + 5_000);
    expect(step.orders[0]?.moves).toMatchObject([{ from: 0, to: 1 }]);
    const then = { ...later, roster: step.roster, state: step.state, lastSeq: 3 };
    const death: RosterEventBody = { seq: 4, kind: 'death', playerId: 'c' };
    expect(stepOf(then, [death], nobody, noon + 5_100)).toMatchObject({ orders: [] });
  });

  it('add newcomers with their rating, and report players who changed team', () => {
    const events: RosterEventBody[] = [
      { seq: 1, kind: 'join', playerId: 'g', team: 0 },
      { seq: 2, kind: 'join', playerId: 'h', team: 1, rating: 3 },
      { seq: 3, kind: 'team', playerId: 'a', team: 1 },
      { seq: 4, kind: 'team', playerId: 'a', team: null },
      { seq: 5, kind: 'team', playerId: 'b', team: 0 },
    ];
    const step = stepOf(session(), events, new Map([['g', { rating: 21, lead: 2 }]]), noon);
    const ratings = new Map(step.roster.players.map(({ playerId, rating }) => [playerId, rating]));
    expect([ratings.get('g'), ratings.get('h')]).toEqual([21, 3]);
    expect(step.roster.players.flatMap(({ playerId, lead }) => (lead ? [[playerId, lead]] : []))).toEqual([
      ['g', 2],
    ]);
    expect(step.changedTeam).toEqual([
      { playerId: 'b', team: 0 },
      { playerId: 'g', team: 0 },
      { playerId: 'h', team: 1 },
    ]);
  });

  it('that are invalid are skipped and reported, and delay no other', () => {
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
      { seq: 2, why: ignored(/team 9/) },
      { seq: 3, why: ignored(/no side pick/) },
      { seq: 4, why: ignored(/scramble\.mode/) },
    ]);
    expect(step.roster.players.find(({ playerId }) => playerId === 'a')?.team).toBe(0);
  });

  it('that are not allowed in an exempt match are skipped with that reason', () => {
    const ranked = session({ policy: { ...policy, ranked: 'leave-alone' } });
    const step = stepOf(ranked, [{ seq: 1, kind: 'side-pick' }], nobody, noon);
    expect(step.answer.leftOut).toEqual([{ seq: 1, why: [message('balance.ranked')] }]);
  });

  it.each<[string, object]>([
    ['as text, in the form of the previous release', {}],
    ['with its messages', { messages: [message('scramble.duel-over')] }],
  ])('find a due scramble %s', (_, more) => {
    const kept = {
      ...freshBalance,
      rounds: {
        ...freshScramble,
        rounds: 1,
        pending: {
          cause: 'second-round',
          afterRound: 1,
          into: 'teams',
          why: 'The duel is over: teams are made.',
          ...more,
        },
      },
    } as unknown as LiveState;
    const scrambling = { ...policy, scramble: { ...policy.scramble!, mode: 'arena' as const } };
    const uneven = { ...even, players: even.players.map((each, i) => ({ ...each, team: i < 3 ? 0 : 1 })) };
    const found = session({ policy: scrambling, roster: uneven, state: kept });
    const step = stepOf(found, [], nobody, noon);
    expect(textOf(step.answer.why ?? [])).toMatch(
      /^The duel is over: teams are made\. \d players change team;/,
    );
    expect(step.orders).toHaveLength(1);
    // In the form that the previous release reads.
    const [, firing] = [step, stepOf(session({ policy: scrambling }), [round(1)], nobody, noon)];
    expect(JSON.stringify(firing.state.rounds ?? null)).not.toContain('"why":[');
  });

  it('are kept without an evaluation after them', () => {
    const events: RosterEventBody[] = [
      { seq: 1, kind: 'side-pick' },
      { seq: 2, kind: 'wish', playerId: 'a', side: 1 },
    ];
    const step = stepOf(session(), events, nobody, noon);
    expect(step).toMatchObject({ dueAt: noon + 30_000, state: { sides: { wishes: { a: 1 } } } });
  });

  it('make an order for each remedy, in turn', () => {
    const rounds = session({ policy: { ...policy, scramble: { ...policy.scramble!, mode: 'payload' } } });
    const moves = stepOf(
      rounds,
      [{ seq: 1, kind: 'round-ended', round: 1, winner: 1, attackers: 0 }],
      nobody,
      noon,
      unhurried,
    );
    expect(moves.orders).toMatchObject([{ kind: 'scramble' }]);
    const obeyed = (moves.orders[0]?.moves ?? []).map(({ playerId, to }, i): RosterEventBody => ({
      seq: i + 2,
      kind: 'team',
      playerId,
      team: to,
    }));
    // Reported late, all at once: the first was carried out before the second was due.
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
      unhurried,
    );
    expect(all.orders.map(({ kind }) => kind)).toEqual(['scramble', 'scramble']);
  });

  it('change nothing in a ranked match whose policy exempts those', () => {
    const left = session({ policy: policyOf('synelo') });
    const step = stepOf(left, [leave(1, 'b'), leave(2, 'd')], nobody, noon);
    expect(step).toMatchObject({ orders: [], dueAt: null });
    expect(step.answer.why).toEqual([message('balance.ranked')]);
  });
});

describe('a match of a queue with sides', () => {
  const match: LiveMatch = {
    matchId: 'm',
    pool: 'ctf',
    rules: { teams: 2, teamSize: 1, sides: ['alien', 'human'], liveBalance: 'synelo' },
    map: null,
    players: [
      { playerId: 'a', team: 0, ticketId: null, mu: 12, role: null },
      { playerId: 'b', team: 1, ticketId: null, mu: 15, role: null },
    ],
  };
  type Store = PostgresLiveSessionStore<Policy, Roster, LiveState>;

  /** A store of one session that begins with the first event, and what the pool was asked. */
  function playing(of: LiveMatch, isUp = true) {
    let held: LiveSession<Policy, Roster, LiveState> | null = null;
    const asked: (MatchAspects | undefined)[] = [];
    const store: Pick<Store, 'change' | 'matchesOf'> = {
      change: (_, steps, start) =>
        Promise.resolve(
          steps.map(({ sessionId, step }) => {
            const begun = held ?? start(of);
            if (!begun) return 'left-alone';
            const now = { matchId: 'm', sessionId, lastSeq: 0, ...begun };
            const made = step(now);
            held = { ...now, roster: made.roster, state: made.state, lastSeq: made.lastSeq };
            return made.answer;
          }),
        ),
      matchesOf: (ids) => Promise.resolve(new Map(ids.map((id) => [id, of]))),
    };
    const read = (_: string, ids: readonly string[], aspects?: MatchAspects) => {
      asked.push(aspects);
      if (!isUp) return Promise.reject(new RatingUnavailable('It is down.'));
      const worth = { map: 0, sides: [5, 1], roles: [] };
      return Promise.resolve(
        ids.map((playerId) => ({ playerId, mu: 20, sigma: 1, matches: 3, ...(aspects ? { worth } : {}) })),
      );
    };
    const live = new LiveSessions(store as Store, { read }, { now: () => noon }, () => undefined);
    const tell = (...events: RosterEventBody[]) =>
      live.applyEvents('server', { sessions: [{ sessionId: 's', events }] });
    return { asked, tell, players: () => held?.roster.players };
  }

  it('begins with what its players count by side, at the level of the match, and so do newcomers', async () => {
    const { asked, tell, players } = playing(match);
    expect(await tell(leave(1, 'nobody'))).toMatchObject([{ outcome: 'taken', taken: 1 }]);
    expect(players()).toMatchObject([
      { playerId: 'a', rating: 15, lead: 2 },
      { playerId: 'b', rating: 18, lead: 2 },
    ]);
    await tell(
      { seq: 2, kind: 'join', playerId: 'c', team: 0 },
      { seq: 3, kind: 'join', playerId: 'd', team: 1, rating: 7 },
    );
    expect(players()?.slice(2)).toMatchObject([
      { playerId: 'c', rating: 23, lead: 2 },
      { playerId: 'd', rating: 7 },
    ]);
    expect(players()?.[3]).not.toHaveProperty('lead', expect.any(Number));
    const aspects = { teamSize: 1, sides: ['alien', 'human'], roles: [] };
    expect(asked).toEqual([aspects, aspects]);
    await tell(leave(4, 'c'));
    expect(asked).toHaveLength(2);
  });

  it('does not begin while the pool cannot be asked, so that its server repeats the events', async () => {
    const { tell, players } = playing(match, false);
    await expect(tell(leave(1, 'nobody'))).rejects.toThrow(RatingUnavailable);
    expect(players()).toBeUndefined();
  });

  it('asks nothing where the queue has neither sides, roles nor a map, or no live balance', async () => {
    const plain = playing({ ...match, rules: { liveBalance: 'synelo' } });
    expect(await plain.tell(leave(1, 'b'))).toMatchObject([{ outcome: 'taken' }]);
    expect(plain.players()).toMatchObject([{ playerId: 'a', rating: 12 }]);
    const alone = playing({ ...match, rules: { sides: ['alien', 'human'] } });
    expect(await alone.tell(leave(1, 'b'))).toMatchObject([{ outcome: 'left-alone' }]);
    expect([...plain.asked, ...alone.asked]).toEqual([]);
  });

  it('of the previous release has players who count the same on both sides', () => {
    const kept = begin(match, new Map());
    expect(kept?.roster.players).toMatchObject([{ rating: 12 }, { rating: 15 }]);
    const step = stepOf(session({ roster: kept!.roster }), [leave(1, 'b')], nobody, noon);
    expect(step.answer.outcome).toBe('taken');
  });
});
