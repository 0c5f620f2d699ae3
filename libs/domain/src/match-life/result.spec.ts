import { describe, expect, it } from 'vitest';
import { decideLeave, decideResult, type MatchFacts } from './index.js';

const now = 1_700_000_000_000;
const server = { serverId: 's', incarnation: 1 };
const session = { ...server, sessionId: 'ses', matchId: 'm', state: 'live', liveAt: now - 60_000 } as const;

/** A match of teams of one player each. */
const match = (names: readonly string[], finished: readonly string[] = []): MatchFacts => ({
  matchId: 'm',
  state: 'placed',
  queue: 'ffa',
  blame: [],
  players: names.map((playerId, team) => ({
    playerId,
    team,
    ticketId: `t-${playerId}`,
    joinedAt: null,
    leftAt: null,
    finishedAt: finished.includes(playerId) ? now - 1_000 : null,
  })),
});

function report(of: MatchFacts, noShows: readonly string[], counted: string | null = null) {
  const ranks = of.players.map((_, i) => i + 1);
  const reported = { session, match: of, counted, unansweredSeq: null, rules: null, late: null };
  return decideResult(reported, server, { ranks, digest: 'd', body: {}, claims: { noShows } }, now);
}

describe('the result of a match to which players never came', () => {
  it('counts, and is not rated with fewer than two teams left, which its repeat says too', () => {
    const duel = match(['ann', 'ben']);
    const { outcome, changes, jobs } = report(duel, ['ben']);
    expect(outcome).toEqual({ outcome: 'counted', matchId: 'm', unrated: true });
    expect(changes?.match).toMatchObject({ to: 'ended', played: { absent: ['ben'] } });
    expect(jobs.map(({ kind }) => kind)).toEqual(['rate', 'conduct']);
    const again = report(duel, ['ben'], 'd').outcome;
    expect(again).toEqual({ outcome: 'again', matchId: 'm', unrated: true });
  });

  it('is rated with two teams left', () => {
    const { outcome } = report(match(['ann', 'ben', 'cid']), ['ben']);
    expect(outcome).toEqual({ outcome: 'counted', matchId: 'm' });
  });

  it('is refused when it names a player whom the server said to be finished', () => {
    const { outcome, changes } = report(match(['ann', 'ben', 'cid'], ['cid']), ['ben', 'cid']);
    expect(changes).toBeNull();
    const message =
      'names cid, whom you reported as finished in this match, so cid came to it; leave cid out of noShows';
    expect(outcome).toEqual({ outcome: 'senseless', faults: [{ path: 'noShows.1', message }] });
  });
});

describe('the result of a match that a player left with permission', () => {
  const liveAt = session.liveAt;
  const duel = match(['ann', 'bob']);
  const leavable = {
    match: duel,
    attempts: null,
    hasServer: true,
    serverIsSilent: true,
    liveAt,
    leaveMatchAfterSeconds: null,
    formedAt: 0,
    leaveAfterSeconds: null,
  };
  const { changes: leaving } = decideLeave(leavable, 't-ann', liveAt + 15_000);
  const players = duel.players.map((player) =>
    leaving?.departed?.playerIds.includes(player.playerId)
      ? { ...player, leftAt: leaving.departed.at, finishedAt: leaving.finished?.at }
      : player,
  );

  it('rates them by the time that they played, and blames nobody, though their server names them a leaver', () => {
    const reported = {
      session,
      match: { ...duel, players },
      counted: null,
      unansweredSeq: null,
      rules: null,
      late: null,
    };
    const result = { ranks: [2, 1], leavers: ['ann'], digest: 'd', body: {} };
    const { outcome, changes, jobs } = decideResult(reported, server, result, now);
    expect(outcome).toEqual({ outcome: 'counted', matchId: 'm' });
    expect(changes?.match).toMatchObject({ to: 'ended', played: { shares: { ann: 0.25 } } });
    // A time that ends before the match is that of a leaver, whom rating models charge in full.
    expect(changes?.match).not.toHaveProperty('played.times');
    expect(changes?.blame).toBeUndefined();
    expect(jobs.map(({ kind }) => kind)).toEqual(['rate']);
  });

  it('is accepted when it names them as a no-show, without a penalty', () => {
    const { outcome, jobs } = report({ ...duel, players }, ['ann']);
    expect(outcome).toMatchObject({ outcome: 'counted' });
    expect(jobs.map(({ kind }) => kind)).toEqual(['rate']);
  });
});
