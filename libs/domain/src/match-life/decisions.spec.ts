import { matchTransitions, sessionTransitions } from '@muster/testing';
import { describe, expect, it } from 'vitest';
import type { MatchState } from '../matches/match.js';
import { message } from '../messages/index.js';
import type { SessionState } from '../servers/server.js';
import {
  decideAnswer,
  decideCallOff,
  decideEnd,
  decideGiveUp,
  decideLeave,
  decideLoss,
  decideOvertime,
  decideRating,
  decideResult,
  decideUnanswered,
  decideVoid,
  type Decision,
  type MatchFacts,
  type SessionFacts,
} from './index.js';

const now = 1_700_000_000_000;
const server = { serverId: 's', incarnation: 1 };
const matchStates: readonly MatchState[] = ['formed', 'placed', 'ended', 'rated', 'abandoned', 'void'];
const sessionStates = Object.keys(sessionTransitions) as SessionState[];

const matchIn = (state: MatchState): MatchFacts => ({
  matchId: 'm',
  state,
  queue: 'duel',
  blame: [],
  players: ['ann', 'bob'].map((playerId, team) => ({
    playerId,
    team,
    ticketId: `ticket of ${playerId}`,
    joinedAt: null,
    leftAt: null,
  })),
});

const sessionIn = (state: SessionState, wasLive = state !== 'reserved'): SessionFacts => ({
  ...server,
  sessionId: 'ses',
  matchId: 'm',
  state,
  liveAt: wasLive ? now - 1_000 : null,
});

/** A session in a state, with the possible states of its match. */
const situations: readonly { session: SessionFacts; match: MatchFacts }[] = sessionStates.flatMap((state) => {
  const wasPlayed = state === 'lost' ? [true, false] : [state !== 'reserved'];
  const states: readonly MatchState[] =
    state === 'reserved' ? ['formed'] : state === 'live' ? ['placed'] : matchStates;
  return wasPlayed.flatMap((played) =>
    states.map((matchState) => ({ session: sessionIn(state, played), match: matchIn(matchState) })),
  );
});

/** Every request about a session. */
function decisionsOn({ session, match }: (typeof situations)[number]): Decision<unknown>[] {
  const result = { ranks: [1, 2], digest: 'a', body: {} };
  const late = {
    matchState: match.state,
    closedAt: now - 1,
    lateResultSeconds: null,
    replaced: false,
    ratedSince: false,
    playsElsewhere: false,
  };
  const command = { seq: 1, kind: 'create-session', session, match, seats: null };
  const host = { region: 'eu', host: 's.example', port: 7_777 };
  const calledOff = { reason: 'no map', noShows: ['ann'], leavers: [], remake: true };
  return [
    decideResult(
      { session, counted: null, unansweredSeq: null, match, rules: null, late },
      server,
      result,
      now,
    ),
    decideCallOff({ session, match }, server, calledOff, now),
    decideLoss(session, match, message('session.server-left'), now),
    decideOvertime(session, match, now),
    decideUnanswered(session, match, now),
    ...(['pending', 'done', 'refused', 'withdrawn'] as const).flatMap((state) => [
      decideAnswer({ ...command, state, server: host }, server, { status: 'done' }, now),
      decideAnswer({ ...command, state, server: host }, server, { status: 'refused', reason: 'full' }, now),
    ]),
  ];
}

/** Every request about a match without an open session. */
function decisionsWithoutSession(match: MatchFacts): Decision<unknown>[] {
  const unplaced = { match, attempts: 1, hasServer: false };
  const leavable = {
    ...unplaced,
    formedAt: now,
    serverIsSilent: false,
    leaveAfterSeconds: null,
    liveAt: null,
    leaveMatchAfterSeconds: null,
  };
  const rated =
    match.state === 'ended'
      ? [
          decideRating(match, { outcome: 'rated' }, now),
          decideRating(match, { outcome: 'unratable', reason: 'x' }, now),
        ]
      : [];
  return [
    decideGiveUp(unplaced, now),
    decideLeave(leavable, 'ticket of ann', now),
    ...(['abandoned', 'void'] as const).map((as) =>
      decideEnd({ match, session: null }, { by: 'olga', reason: 'x', as, penalties: 'drop' }, now),
    ),
    decideVoid(
      { ...match, pool: 'ladder', isTakenOut: true },
      { by: 'olga', reason: 'x', rebuildId: 'r' },
      now,
    ),
    ...rated,
  ];
}

const all = [
  ...situations.flatMap((each) =>
    decisionsOn(each).map((decision) => ({ state: each.match.state, session: each.session.state, decision })),
  ),
  ...matchStates.flatMap((state) =>
    decisionsWithoutSession(matchIn(state)).map((decision) => ({ state, session: null, decision })),
  ),
];

describe('decisions on every state of match, session and command', () => {
  it('follow the transition tables, and cover every transition except forming', () => {
    const steps = new Set<string>();
    for (const { state, session, decision } of all) {
      const { changes } = decision;
      if (changes?.match) {
        expect(changes.match.from).toContain(state);
        steps.add(`${state} → ${changes.match.to}`);
      }
      if (changes?.session && session) {
        expect(changes.session.from).toContain(session);
        steps.add(`session ${session} → ${changes.session.to}`);
      }
    }
    const inTables = [
      ...matchTransitions.flatMap(({ from, to }) => from.map((state) => `${state} → ${to}`)),
      ...sessionStates.flatMap((from) => sessionTransitions[from].map((to) => `session ${from} → ${to}`)),
    ];
    expect([...steps].toSorted()).toEqual(inTables.toSorted());
  });

  it('release the players of a match when it ends, and tell its tickets once', () => {
    for (const { state, decision } of all) {
      const { changes, jobs } = decision;
      const to = changes?.match?.to;
      const ends = to === 'abandoned' || to === 'rated' || to === 'void';
      expect(changes?.freesPlayers ?? false, `${state} → ${to}`).toBe(ends);
      const told = jobs.filter(
        (job) => job.kind === 'update' && ['rated', 'abandoned', 'remade'].includes(job.update.to),
      );
      // The tickets of a rated or an abandoned match were notified then.
      const wasTold = state === 'rated' || state === 'abandoned';
      expect(told.length, `updates of ${state} → ${to}`).toBe(ends && !wasTold ? 1 : 0);
      const rated = jobs.filter(({ kind }) => kind === 'rate').length;
      expect(rated, `jobs to rate of ${state} → ${to}`).toBe(to === 'ended' ? 1 : 0);
    }
  });

  it('leave no open session whose match is over or in another state', () => {
    const wrong = all.flatMap(({ state, session, decision: { changes } }) => {
      const match = changes?.match?.to ?? state;
      const hosted = changes?.session?.to ?? session;
      const isOpen = hosted !== null && ['reserved', 'live'].includes(hosted);
      return isOpen && match !== (hosted === 'live' ? 'placed' : 'formed') ? [`${hosted}, ${match}`] : [];
    });
    expect(wrong).toEqual([]);
  });
});
