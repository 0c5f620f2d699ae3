import type { MatchState } from '@muster/domain';
import { matchTransitions, sessionTransitions } from '@muster/testing';
import { expect } from 'vitest';
import type { MatchLifeView } from './view.js';

/** The states in which a match holds its players: each player is in at most one such match. */
const liveMatchStates: readonly MatchState[] = ['formed', 'placed', 'ended'];

/** Checks the invariants that hold at any moment, after any requests. */
export function checkLife(view: MatchLifeView): void {
  expect(twice(view.results), 'matches with two results').toEqual([]);
  expect(twice(view.ratings), 'matches that were rated twice').toEqual([]);
  for (const [player, matchId] of view.livePlayers)
    expect(liveMatchStates, `the match that holds ${player}`).toContain(view.matches.get(matchId));
  for (const [matchId, state] of view.matches)
    if (state === 'formed' || state === 'placed')
      for (const { playerId } of view.players.filter((each) => each.matchId === matchId && !each.left))
        expect(view.livePlayers.get(playerId), `the match that holds ${playerId}`).toBe(matchId);
  const open = view.sessions.filter(({ state }) => state === 'reserved' || state === 'live');
  expect(twice(open.map(({ matchId }) => matchId)), 'matches with two servers').toEqual([]);
  const slots = open.map(({ serverId, ordinal }) => `${serverId} ${ordinal}`);
  expect(twice(slots), 'slots that are taken twice').toEqual([]);
  for (const { serverId, ordinal, matchId, state } of open) {
    expect(ordinal, `the slot on ${serverId}`).toBeLessThan(view.servers.get(serverId)?.slots ?? 0);
    expect(view.matches.get(matchId), `the match of a ${state} session`).toBe(
      state === 'live' ? 'placed' : 'formed',
    );
  }
  const placed = [...view.matches].flatMap(([id, state]) => (state === 'placed' ? [id] : []));
  const live = open.flatMap(({ matchId, state }) => (state === 'live' ? [matchId] : []));
  expect(live.toSorted(), 'matches that are played').toEqual(placed.toSorted());
  checkSeats(view);
}

/** Places on a team of the matches that these suites form. */
const teamSize = 2;

/** No seat is given away twice, and the matcher is not told to look for players after a backfill is closed. */
function checkSeats({ players, backfills, jobs }: MatchLifeView): void {
  for (const { matchId, team } of backfills) {
    const isOf = (each: { readonly matchId: string; readonly team: number }): boolean =>
      each.matchId === matchId && each.team === team;
    const taken = players.filter((each) => isOf(each) && !each.left).length;
    const open = backfills.filter((each) => isOf(each) && each.state === 'open');
    const offered = open.reduce((sum, { seatsLeft }) => sum + seatsLeft, 0);
    expect(taken + offered, `places of team ${team} of ${matchId}`).toBeLessThanOrEqual(teamSize);
  }
  for (const { backfillId, state } of backfills) {
    const told = jobs.flatMap(({ jobId }) =>
      jobId === `wanted-${backfillId}` || jobId === `closed-${backfillId}` ? [jobId.split('-')[0]] : [],
    );
    const isClosed = state === 'withdrawn' || state === 'expired';
    expect(told.indexOf('closed'), `jobs of ${backfillId}`).toBe(isClosed ? told.length - 1 : -1);
  }
}

/** Checks that every match and session followed the transition tables between two views. */
export function checkSteps(before: MatchLifeView, after: MatchLifeView): void {
  for (const [matchId, state] of before.matches) {
    const now = after.matches.get(matchId);
    expect(reachable(state, matchStepsFrom), `${matchId} was ${state}`).toContain(now);
  }
  for (const { sessionId, state } of before.sessions) {
    const now = after.sessions.find((session) => session.sessionId === sessionId)?.state;
    expect(
      reachable(state, (from) => sessionTransitions[from]),
      `${sessionId} was ${state}`,
    ).toContain(now);
  }
}

const matchStepsFrom = (from: MatchState) =>
  matchTransitions.flatMap((each) => (each.from.includes(from) ? [each.to] : []));

/** The states reachable from one, itself included: two callers may take several steps. */
function reachable<State>(from: State, stepsFrom: (state: State) => readonly State[]): State[] {
  const known = new Set([from]);
  for (const state of known) for (const next of stepsFrom(state)) known.add(next);
  return [...known];
}

function twice(values: readonly string[]): string[] {
  return values.filter((value, i) => values.indexOf(value) !== i);
}
