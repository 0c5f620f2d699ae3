import { liveMatchStates, matchTransitions, sessionTransitions } from '@muster/domain';
import { expect } from 'vitest';
import { playersOf } from './requests.js';
import type { MatchLifeView } from './stores.js';

/** Checks the invariants that hold at any moment, after any requests. */
export function checkLife(view: MatchLifeView): void {
  expect(twice(view.results), 'matches with two results').toEqual([]);
  expect(twice(view.ratings), 'matches that were rated twice').toEqual([]);
  for (const [player, matchId] of view.livePlayers)
    expect(liveMatchStates, `the match that holds ${player}`).toContain(view.matches.get(matchId));
  for (const [matchId, state] of view.matches)
    if (state === 'formed' || state === 'placed')
      for (const player of playersOf(matchId))
        expect(view.livePlayers.get(player), `the match that holds ${player}`).toBe(matchId);
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

const matchStepsFrom = (from: (typeof liveMatchStates)[number]) =>
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
