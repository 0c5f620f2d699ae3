import { describe, expect, it } from 'vitest';
import { commendations, complaints, type BehaviourKind } from './behaviour.js';
import type { MatchRoster } from '../matches/match-roster.js';
import { matchStates } from '../matches/match.js';
import { judgeReport } from './judge-report.js';

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
    const judged = (placed: boolean) =>
      Object.fromEntries(
        matchStates.map((state) => [
          state,
          judge('ann', 'cid', 'abuse', { ...roster, state, placed }).outcome,
        ]),
      );
    const over = { ended: 'allowed', rated: 'allowed', void: 'allowed' };
    const running = { formed: 'not-over', placed: 'not-over' };
    expect(judged(true)).toEqual({ ...over, ...running, abandoned: 'allowed' });
    expect(judged(false)).toEqual({ ...over, ...running, abandoned: 'never-played' });
  });
});
