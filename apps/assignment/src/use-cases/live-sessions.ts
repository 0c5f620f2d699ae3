import { PolicyChoice, type RosterEventBody, type TellRoster } from '@muster/contracts';
import type { Clock, LiveMatch, LiveSession, LiveSessionStore, LiveStep } from '@muster/domain';
import {
  afterEvent,
  callVote,
  check,
  freshBalance,
  type BalanceState,
  type Check,
  type Policy,
  type Roster,
} from '@muster/live-balance';
import type { PoolReader } from './form-teams.js';
import { policyOf } from './live-balance.js';

/** How the events of a session were taken. */
export interface SessionTold {
  readonly sessionId: string;
  readonly outcome: 'taken' | 'gap' | 'unknown' | 'over' | 'left-alone';
  /** The last event that was taken; 0 where none is. */
  readonly taken: number;
  readonly why: string | null;
}

type Store = LiveSessionStore<Policy, Roster, BalanceState>;
type Told = Pick<SessionTold, 'outcome' | 'taken' | 'why'>;
type Step = LiveStep<Roster, BalanceState, Told>;

/** After these somebody may have to move; all others only change what is known. */
const lookedAt: readonly RosterEventBody['kind'][] = ['death', 'team', 'join', 'leave', 'vote'];

const sweptAtOnce = 100;

/**
 * Keeps the matches of our queues fair while they are played: their servers tell what happens, and are told who is to change
 * team. Roster, delays and who was moved stand in the store with every event, so nothing of it is lost with this process.
 */
export class LiveSessions {
  constructor(
    private readonly store: Store,
    private readonly pools: Pick<PoolReader, 'read'>,
    private readonly clock: Clock,
    /** Sends what a commit promised at once, not at the relay's next look. */
    private readonly afterCommit: () => void,
  ) {}

  /** @throws RatingUnavailable when a newcomer's rating cannot be read in time */
  async tell(serverId: string, { sessions }: TellRoster): Promise<SessionTold[]> {
    const ratings = await this.ratingsFor(sessions);
    const now = this.clock.now();
    const outcomes = await this.store.change<Told>(
      serverId,
      sessions.map(({ sessionId, events }) => ({
        sessionId,
        step: (session) => stepOf(session, events, ratings, now),
      })),
      begin,
      now,
    );
    this.afterCommit();
    return sessions.map(({ sessionId }, i) => {
      const told = outcomes[i] ?? 'unknown';
      // A server may tell of a session before its word has arrived that it made it: it tells again.
      if (told === 'not-yet') return { sessionId, outcome: 'gap', taken: 0, why: null };
      return typeof told === 'string'
        ? { sessionId, outcome: told, taken: 0, why: null }
        : { sessionId, ...told };
    });
  }

  /** Looks again at matches whose delay has run out with no event. @returns whether there may be more */
  async sweep(): Promise<boolean> {
    const now = this.clock.now();
    const due = await this.store.due(now, sweptAtOnce);
    if (due.length === 0) return false;
    await this.store.change<Told>(
      null,
      due.map((sessionId) => ({ sessionId, step: (session) => lookAgain(session, now) })),
      () => null,
      now,
    );
    this.afterCommit();
    return due.length === sweptAtOnce;
  }

  private async ratingsFor(sessions: TellRoster['sessions']): Promise<ReadonlyMap<string, number>> {
    const strangers = sessions.flatMap(({ sessionId, events }) =>
      events.flatMap((event) =>
        event.kind === 'join' && event.rating === undefined && !event.bot
          ? [{ sessionId, playerId: event.playerId }]
          : [],
      ),
    );
    if (strangers.length === 0) return new Map();
    const pools = await this.store.poolsOf([...new Set(strangers.map(({ sessionId }) => sessionId))]);
    const byPool = new Map<string, Set<string>>();
    for (const { sessionId, playerId } of strangers) {
      const pool = pools.get(sessionId);
      if (pool !== undefined) byPool.set(pool, (byPool.get(pool) ?? new Set()).add(playerId));
    }
    const read = await Promise.all([...byPool].map(([pool, ids]) => this.pools.read(pool, [...ids])));
    return new Map(read.flat().map(({ playerId, mu }) => [playerId, mu]));
  }
}

/** What a match of a queue begins with; null when the queue's rules do not ask for live balance. */
function begin({
  rules,
  players,
}: LiveMatch): { policy: Policy; roster: Roster; state: BalanceState } | null {
  if (typeof rules !== 'object' || rules === null || !('liveBalance' in rules)) return null;
  // Written by an earlier form of this, should it not be read: then the match is left alone.
  const choice = PolicyChoice.safeParse(rules.liveBalance);
  if (!choice.success) return null;
  const { teams, mode } = rules as { teams?: number; mode?: string };
  const mates = new Map<string, number>();
  for (const { ticketId } of players)
    if (ticketId !== null) mates.set(ticketId, (mates.get(ticketId) ?? 0) + 1);
  return {
    policy: policyOf(choice.data),
    roster: {
      teams: teams ?? 2,
      ...(mode === undefined ? {} : { mode }),
      ranked: true,
      players: players.map(({ playerId, team, ticketId, mu }) => ({
        playerId,
        team,
        rating: mu,
        alive: true,
        ...(ticketId !== null && (mates.get(ticketId) ?? 0) > 1 ? { partyId: ticketId } : {}),
      })),
    },
    state: freshBalance,
  };
}

/** Takes the events that are new, in order, and looks whether somebody is to move after each that may call for it. */
export function stepOf(
  session: LiveSession<Policy, Roster, BalanceState>,
  events: readonly RosterEventBody[],
  ratings: ReadonlyMap<string, number>,
  now: number,
): Step {
  const { policy, lastSeq } = session;
  const fresh = events.filter(({ seq }) => seq > lastSeq);
  const misses = fresh.some(({ seq }, i) => seq !== lastSeq + 1 + i);
  if (misses) return { ...lookAgain(session, now), answer: { outcome: 'gap', taken: lastSeq, why: null } };
  let { roster, state } = session;
  let last: Check | null = null;
  let order: Check['directive'] = null;
  for (const event of fresh) {
    if (event.kind === 'vote') state = callVote(state);
    else roster = afterEvent(roster, rosterEvent(event, ratings));
    if (!lookedAt.includes(event.kind)) continue;
    last = check(roster, policy, state, now);
    state = last.state;
    order ??= last.directive;
  }
  last ??= check(roster, policy, state, now);
  order ??= last.directive;
  return {
    roster,
    state: last.state,
    lastSeq: lastSeq + fresh.length,
    dueAt: last.dueAt,
    order,
    changedTeam: changesBetween(session.roster, roster),
    answer: { outcome: 'taken', taken: lastSeq + fresh.length, why: last.why },
  };
}

function lookAgain(
  { roster, policy, state, lastSeq }: LiveSession<Policy, Roster, BalanceState>,
  now: number,
): Step {
  const looked = check(roster, policy, state, now);
  return {
    roster,
    state: looked.state,
    lastSeq,
    dueAt: looked.dueAt,
    order: looked.directive,
    changedTeam: [],
    answer: { outcome: 'taken', taken: lastSeq, why: looked.why },
  };
}

function rosterEvent(
  event: Exclude<RosterEventBody, { kind: 'vote' }>,
  ratings: ReadonlyMap<string, number>,
): Parameters<typeof afterEvent>[1] {
  if (event.kind !== 'join') return event;
  const { seq: _, ...join } = event;
  return { ...join, rating: join.rating ?? ratings.get(join.playerId) ?? 0 };
}

function changesBetween(before: Roster, after: Roster): { playerId: string; team: number }[] {
  const teams = new Map(before.players.map(({ playerId, team }) => [playerId, team]));
  return after.players.flatMap(({ playerId, team }) =>
    team !== null && teams.get(playerId) !== team ? [{ playerId, team }] : [],
  );
}
