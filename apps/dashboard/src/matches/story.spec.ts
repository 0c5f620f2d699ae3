import { describe, expect, it } from 'vitest';
import { matchOf, playerOf } from './match.fixture.js';
import type { Match } from './match.js';
import { storyOf, type Around } from './story.js';

const alone = { penalties: [], reports: [], conflicts: [], attempts: [] };
const titles = (match: Match, around: Around = alone): readonly string[] =>
  storyOf(match, around).map(({ title }) => title);

describe('the story of a match', () => {
  it('goes from the queue to the ratings', () => {
    expect(storyOf(matchOf(), alone).map(({ at, title }) => [at, title])).toEqual([
      [95_000, 'The first of them queued'],
      [100_000, 'The match was proposed'],
      [101_000, 'The teams were made'],
      [103_000, 'A server in eu was ready'],
      [703_000, 'The server reported the result'],
      [704_000, 'The ratings changed'],
    ]);
  });

  it('says how often a server was asked', () => {
    const placed = storyOf(matchOf({ placements: 3 }), alone).find(({ at }) => at === 103_000);
    expect(placed?.text).toContain('3 servers were asked, the last one took it. Policy spread');
  });

  it('says why servers did not take it, as far as this is known', () => {
    const refused = { at: 102_000, title: 'It waited for a server', text: 'A server refused the match.' };
    expect(titles(matchOf(), { ...alone, attempts: [refused] })[3]).toBe('It waited for a server');
  });

  it('ends with the reason of a match without a result', () => {
    const match = matchOf({
      state: 'abandoned',
      placedAt: null,
      endedAt: null,
      ranks: [],
      closedAt: 401_000,
      closeReason: 'No server could be found in time.',
    });
    expect(storyOf(match, alone).at(-1)).toMatchObject({
      at: 401_000,
      title: 'It was abandoned',
      text: 'No server could be found in time.',
      tone: 'bad',
    });
  });

  it('does not end while it is played', () => {
    const match = matchOf({ state: 'placed', endedAt: null, closedAt: null, ranks: [] });
    expect(titles(match).at(-1)).toBe('A server in eu was ready');
  });

  it('has no teams of Muster for a match that was played elsewhere', () => {
    const match = matchOf({ origin: 'reported', proposedAt: null, placedAt: null, split: null });
    expect(titles(match)).toEqual(['It was played', 'The ratings changed']);
  });

  it('has who came and went, and who was ordered to change team', () => {
    const players = [playerOf('ann', 0, { leftAt: 200_000 }), playerOf('eve', 0, { joinedAt: 260_000 })];
    const moves = [{ playerId: 'ann', from: 0, to: 1, why: '' }];
    const balance = [
      { at: 300_000, kind: 'balance' as const, exact: true, why: 'Team 1 is stronger.', moves },
    ];
    expect(titles(matchOf({ players, balance })).slice(4, 7)).toEqual([
      'A player left Team 1 for good',
      'A player joined Team 1',
      'Live balance: one player changes team',
    ]);
  });

  it('has penalties, reports and conflicts with what became of them', () => {
    const around = {
      ...alone,
      penalties: [
        {
          playerId: 'ann',
          penaltyId: 'pen_12345678',
          kind: 'left' as const,
          queue: '5v5',
          matchId: 'mat_12345678',
          at: 703_500,
          forgivenAt: 800_000,
          liftedAt: 750_000,
          liftedReason: 'An outage.',
        },
      ],
      reports: [
        {
          playerId: 'ann',
          matchId: 'mat_12345678',
          reporter: 'bob',
          kind: 'abuse' as const,
          note: 'rude',
          at: 720_000,
          weight: 1,
          counts: 1,
        },
      ],
      conflicts: [
        {
          conflictId: 1,
          matchId: 'mat_12345678',
          reportedBy: 'eu-1',
          reason: 'another result of this session was counted',
          receivedAt: 710_000,
          body: {},
          decision: { as: 'kept' as const, at: 900_000, by: 'olga', reason: 'video' },
        },
      ],
    };
    expect(
      storyOf(matchOf(), around)
        .slice(5)
        .map(({ title, text }) => [title, text]),
    ).toEqual([
      ['A player was penalised', 'They left for good.'],
      ['The ratings changed', undefined],
      [
        'Another report contradicts the result',
        'From eu-1. It does not count: another result of this session was counted.',
      ],
      ['A player reported another: abuse', 'bob about ann: “rude”'],
      ['The penalty was lifted', 'An outage.'],
      ['An operator forgave the penalty', undefined],
      ['An operator decided about it', 'The counted result stays. olga: video'],
    ]);
  });
});
