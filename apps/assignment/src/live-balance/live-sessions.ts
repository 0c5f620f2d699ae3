import { PolicyChoice, readReason, type RosterEventBody, type TellRoster } from '@muster/contracts';
import {
  Unsolvable,
  type Clock,
  type LiveMatch,
  type LiveSession,
  type LiveSessionStore,
  message,
  type LiveStep,
  type Message,
} from '@muster/domain';
import {
  checkRoster,
  freshLive,
  applyEvent,
  evaluate,
  type LiveDirective,
  type LiveState,
  type Look,
  type MatchEvent,
  type Policy,
  type Roster,
} from '@muster/live-balance';
import { knownState, storedState } from './balance-words.js';
import type { PoolReader } from '../forming/form-teams.js';
import { policyOf } from './live-balance.js';

/** How the events of a session were taken. */
export interface SessionReceipt {
  readonly sessionId: string;
  readonly outcome: 'taken' | 'gap' | 'unknown' | 'over' | 'left-alone';
  /** The last event that was taken; 0 where none is. */
  readonly taken: number;
  /** Events that were taken and changed nothing, for they make no sense. */
  readonly leftOut: readonly { readonly seq: number; readonly why: readonly Message[] }[];
  readonly why: readonly Message[] | null;
}

type Store = LiveSessionStore<Policy, Roster, LiveState>;
type Receipt = Omit<SessionReceipt, 'sessionId'>;
type Step = LiveStep<Roster, LiveState, Receipt>;

/** After these somebody may have to move; all others only change what is known. */
const lookedAt: readonly RosterEventBody['kind'][] = [
  'death',
  'team',
  'join',
  'leave',
  'vote',
  'waiting-ended',
  'round-ended',
  'side-pick',
];

/** How long a search for new teams may take while the session is held, in milliseconds; two teams take a few. */
const searchMs = 50;

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
    /** Sends the jobs of a commit at once instead of at the relay's next turn. */
    private readonly afterCommit: () => void,
  ) {}

  /** @throws RatingUnavailable when a newcomer's rating cannot be read in time */
  async tell(serverId: string, { sessions }: TellRoster): Promise<SessionReceipt[]> {
    const ratings = await this.ratingsFor(sessions);
    const now = this.clock.now();
    const outcomes = await this.store.change<Receipt>(
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
      const none = { sessionId, taken: 0, leftOut: [], why: null };
      if (told === 'not-yet') return { ...none, outcome: 'gap' };
      return typeof told === 'string' ? { ...none, outcome: told } : { sessionId, ...told };
    });
  }

  /** Looks again at matches whose delay has run out with no event. @returns whether there may be more */
  async sweep(): Promise<boolean> {
    const now = this.clock.now();
    const due = await this.store.due(now, sweptAtOnce);
    if (due.length === 0) return false;
    await this.store.change<Receipt>(
      null,
      due.map((sessionId) => ({ sessionId, step: (session) => lookAgain(session, now) })),
      () => null,
      now,
    );
    this.afterCommit();
    return due.length === sweptAtOnce;
  }

  /** Forgets matches that are over. @returns whether there may be more */
  async tidy(): Promise<boolean> {
    return (await this.store.forgetOver(sweptAtOnce)) === sweptAtOnce;
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
function begin({ rules, players }: LiveMatch): { policy: Policy; roster: Roster; state: LiveState } | null {
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
    state: freshLive,
  };
}

/**
 * Takes the events that are new, in order, and looks whether somebody is to move after each that may call for it. One that
 * makes no sense is left out, and said so: those after it must not wait for ever.
 */
export function stepOf(
  session: LiveSession<Policy, Roster, LiveState>,
  events: readonly RosterEventBody[],
  ratings: ReadonlyMap<string, number>,
  now: number,
  /** Until when a search for new teams may last. */
  deadline = soon,
): Step {
  const { policy, lastSeq } = session;
  const fresh = events.filter(({ seq }) => seq > lastSeq);
  const misses = fresh.some(({ seq }, i) => seq !== lastSeq + 1 + i);
  if (misses)
    return {
      ...lookAgain(session, now),
      answer: { outcome: 'gap', taken: lastSeq, leftOut: [], why: null },
    };
  let { roster } = session;
  let state = knownState(session.state);
  let last: Look | null = null;
  const orders: LiveDirective[] = [];
  const leftOut: { seq: number; why: readonly Message[] }[] = [];
  for (const event of fresh) {
    try {
      const after = applyEvent({ roster, state }, policy, matchEvent(event, ratings), now);
      checkRoster(after.roster);
      ({ roster, state } = after);
    } catch (error) {
      if (!(error instanceof Unsolvable)) throw error;
      leftOut.push({ seq: event.seq, why: whyIgnored(error) });
      continue;
    }
    if (!lookedAt.includes(event.kind)) continue;
    last = evaluate(roster, policy, state, now, deadline());
    state = last.state;
    if (last.directive) orders.push(last.directive);
  }
  if (!last) {
    last = evaluate(roster, policy, state, now, deadline());
    ({ state } = last);
    if (last.directive) orders.push(last.directive);
  }
  const taken = lastSeq + fresh.length;
  return {
    roster,
    // Not the last look's: what came after it counts.
    state: storedState(state),
    lastSeq: taken,
    dueAt: last.dueAt,
    orders,
    changedTeam: changesBetween(session.roster, roster),
    answer: { outcome: 'taken', taken, leftOut, why: last.why },
  };
}

/** Why an event changes nothing: as the error says it, or by its messages. */
function whyIgnored({ message: detail, facts }: Unsolvable): readonly Message[] {
  const said = readReason({ reason: detail, messages: facts['messages'] });
  return typeof said === 'string' ? [message('live.event-ignored', { detail })] : said;
}

function lookAgain(
  { roster, policy, state, lastSeq }: LiveSession<Policy, Roster, LiveState>,
  now: number,
): Step {
  const looked = evaluate(roster, policy, state, now, soon());
  return {
    roster,
    state: looked.state,
    lastSeq,
    dueAt: looked.dueAt,
    orders: looked.directive ? [looked.directive] : [],
    changedTeam: [],
    answer: { outcome: 'taken', taken: lastSeq, leftOut: [], why: looked.why },
  };
}

const soon = () => ({ now: () => performance.now(), at: performance.now() + searchMs });

function matchEvent(event: RosterEventBody, ratings: ReadonlyMap<string, number>): MatchEvent {
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
