import { describe, expect, it } from 'vitest';
import { fairnessOf } from './fairness.js';
import { matchOf, playerOf } from '../match.fixture.js';
import type { Match, Penalty, Rules } from '../match.js';

const curve = [
  { afterSeconds: 0, limit: 3 },
  { afterSeconds: 20, limit: 15 },
  { afterSeconds: 45, limit: null },
];
const rules: Rules = {
  name: '5v5',
  mode: 'arena',
  pool: 'default',
  teams: 2,
  teamSize: 2,
  maxPartySize: 2,
  skillWindow: curve,
  teamGap: curve,
  latencyLimitMs: curve,
  ticketTtlSeconds: 600,
  placementTimeoutSeconds: 300,
};
const judged = (match: Match, penalties: readonly Penalty[] = []) => fairnessOf(match, { rules, penalties });
const split = (given: Partial<NonNullable<Match['split']>>): Match['split'] => {
  const { split: usual } = matchOf();
  return usual && { ...usual, ...given };
};
const waited = (waitedMs: number): Match['players'] => [
  playerOf('ann', 0, { waitedMs }),
  playerOf('bob', 0),
  playerOf('cid', 1),
  playerOf('dan', 1),
];
const penalty = (playerId: string, kind: Penalty['kind']): Penalty => ({
  playerId,
  penaltyId: 'pen_12345678',
  kind,
  queue: '5v5',
  matchId: 'mat_12345678',
  at: 200_000,
  forgivenAt: null,
});

describe('the fairness of a match', () => {
  it('is in its chances', () => {
    const of = (...prediction: number[]) => judged(matchOf({ prediction }));
    expect(of(0.55, 0.45)).toMatchObject({
      tone: 'good',
      headline: 'Even chances: the favourite, Team 1, had 55 %, and won.',
    });
    expect(of(0.41, 0.59)).toMatchObject({
      tone: 'note',
      headline: 'Nearly even chances: the favourite, Team 2, had 59 %, and did not win.',
    });
    expect(of(0.61, 0.39).tone).toBe('bad');
    expect(of(0.5, 0.5).headline).toBe('Even chances: each team had 50 %.');
    expect(of(0.3, 0.3, 0.4).tone).toBe('note');
    expect(of().headline).toBe('No chances were predicted for this match.');
  });

  it('is not what Muster is asked about in a match of others', () => {
    const match = matchOf({ origin: 'reported', split: null, proposedAt: null, prediction: [0.9, 0.1] });
    expect(judged(match).cause).toBe(
      'It was played elsewhere and reported: Muster did not make these teams.',
    );
  });
});

describe('the cause of uneven chances', () => {
  const uneven = { prediction: [0.7, 0.3] };

  it('is a long wait that widened the rules', () => {
    const match = matchOf({ ...uneven, players: waited(250_000), split: split({ difference: 20 }) });
    const { cause, findings } = judged(match);
    expect(cause).toBe(
      'Somebody had waited long: ann had waited 4 min 10 s, and by then the rules allow any difference between the teams. At first they allow 3.0. The teams differ by 20.0.',
    );
    expect(findings[0]?.text).toBe('The rules widen by the longest wait: ann had waited 4 min 10 s.');
    expect(findings[1]).toEqual({
      tone: 'note',
      text: 'The teams differ by 20.0 rating points (51.0 to 50.0). The rules allow any difference after a wait of 4 min 10 s, 3.0 rating points at first.',
    });
  });

  it('is the rules, where these allow it from the start', () => {
    const match = matchOf({ ...uneven, split: split({ difference: 2 }) });
    expect(judged(match).cause).toContain('allow this difference from the start: 2.0 of 3.0 rating points');
  });

  it('is named when the rules do not allow it', () => {
    const { cause, findings } = judged(matchOf({ ...uneven, split: split({ difference: 9 }) }));
    expect(cause).toContain('(9.0 instead of 6.0 rating points)');
    expect(findings[1]?.tone).toBe('bad');
  });

  it('is a search that was stopped', () => {
    const certificate = {
      status: 'bounded',
      value: 2,
      lowerBound: 0,
      gap: 2,
      reason: 'structural',
      quantum: 0,
      stopped: 'deadline',
    } as const;
    const match = matchOf({ ...uneven, split: split({ difference: 2, certificate }) });
    expect(judged(match).cause).toContain('stopped before');
  });

  it('is in the parties, where these leave one way', () => {
    const match = matchOf({ ...uneven, players: waited(46_000), split: split({ difference: 20, ways: 1 }) });
    expect(judged(match).cause).toContain('Their parties left no other way to split them.');
  });

  it('is not guessed without the rules', () => {
    expect(fairnessOf(matchOf(uneven), { rules: null, penalties: [] }).cause).toBe(
      'The chances were uneven when the teams were made.',
    );
  });
});

describe('the cause of a complaint about even teams', () => {
  it('is a player who was missing', () => {
    const players = [...waited(5_000).slice(0, 3), playerOf('dan', 1, { leftAt: 203_000 })];
    expect(judged(matchOf({ players }), [penalty('cid', 'no-show')]).cause).toBe(
      'The teams were even when they were made. cid of Team 2 never connected. dan of Team 2 left for good 1 min 40 s after it began.',
    );
  });

  it('is a wide window', () => {
    const players = [playerOf('ann', 0, { waitedMs: 20_000, level: 40 }), playerOf('cid', 1, { level: 28 })];
    const { cause } = judged(matchOf({ players }));
    expect(cause).toContain(
      'ann had waited 20 s, and by then the rules allow tickets 15.0 rating points apart',
    );
  });

  it('is its end, where it has no result', () => {
    const match = matchOf({ state: 'abandoned', closeReason: 'its server fell silent' });
    expect(judged(match).cause).toBe('It was abandoned, and nobody is rated: its server fell silent.');
  });

  it('is not in the teams otherwise', () => {
    expect(judged(matchOf()).cause).toContain('nothing here explains a one-sided game');
  });
});

describe('findings', () => {
  const texts = (match: Match): readonly string[] => judged(match).findings.map(({ text }) => text);

  it('compare parties', () => {
    const party = { ticketId: 'tkt_party' };
    const players = [
      playerOf('ann', 0, { ...party, level: 40 }),
      playerOf('bob', 0, { ...party, level: 20 }),
      ...waited(5_000).slice(2),
    ];
    expect(texts(matchOf({ players }))).toEqual(
      expect.arrayContaining([
        'Team 1 has a party of 2 and Team 2 has no party.',
        'In the party of ann and bob the levels are 20.0 apart. A party counts by its mean, so the window does not limit this.',
        'Levels of players are from 20.0 (bob, Team 1) to 40.0 (ann, Team 1).',
      ]),
    );
  });

  it('say what was special', () => {
    const whyMessages = [
      {
        code: 'match.put-together',
        params: { players: 3, spread: 1, teamSize: 2, waitedSeconds: 5 },
        text: '',
      },
      { code: 'match.newcomers', params: { newcomers: 1 }, text: '' },
    ];
    const players = [
      ...waited(5_000),
      playerOf('eve', 1, { joinedAt: 163_000, booster: { division: 'Gold', higher: true } }),
    ];
    const order = { at: 1, kind: 'balance' as const, exact: true, why: '', moves: [] };
    const moves = [{ playerId: 'ann', from: 0, to: 1, why: '' }];
    expect(texts(matchOf({ whyMessages, players, bots: [1, 0], balance: [{ ...order, moves }] }))).toEqual(
      expect.arrayContaining([
        '1 of the players is a newcomer: they play at a level that is tested, so the chances are less certain.',
        'The teams are of 2 players instead of 2, since somebody had waited long.',
        '1 bot fills empty places. The chances count players alone.',
        'eve plays up in Gold with a booster.',
        'eve joined Team 2 1 min after it began, by a backfill.',
        'Live balance ordered one change of team while it was played.',
      ]),
    );
  });
});
