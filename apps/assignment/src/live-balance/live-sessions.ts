import { PolicyChoice, readReason, type RosterEventBody, type TellRoster } from '@muster/contracts';
import { message, Unsolvable, type Clock, type Message } from '@muster/domain';
import {
  checkRoster,
  freshLive,
  applyEvent,
  evaluate,
  type LiveDirective,
  type LiveState,
  type Evaluation,
  type MatchEvent,
  type Policy,
  type Roster,
} from '@muster/live-balance';
import { knownState, storedState } from './balance-views.js';
import type { RatingClient } from '../ratings/rating.client.js';
import { aspectsOfMatch, readCounts, type CountsByPlayer } from './counts.js';
import { policyOf } from './live-balance.js';
import type {
  LiveAbsence,
  LiveMatch,
  LiveSession,
  LiveStep,
  PostgresLiveSessionStore,
} from './live-session.store.js';

/** The result of a session's events. */
export interface SessionReceipt {
  readonly sessionId: string;
  readonly outcome: 'taken' | 'gap' | 'unknown' | 'over' | 'left-alone';
  /** The last event that was applied; 0 where none is. */
  readonly taken: number;
  /** Events that were skipped as invalid. */
  readonly leftOut: readonly { readonly seq: number; readonly why: readonly Message[] }[];
  readonly why: readonly Message[] | null;
}

type Store = PostgresLiveSessionStore<Policy, Roster, LiveState>;
type Receipt = Omit<SessionReceipt, 'sessionId'>;
type Step = LiveStep<Roster, LiveState, Receipt>;
type Asked = readonly {
  readonly sessionId: string;
  readonly step: (session: LiveSession<Policy, Roster, LiveState>) => Step;
}[];

/** After these events players may have to move; all others only change the state. */
const evaluatedEvents: readonly RosterEventBody['kind'][] = [
  'death',
  'team',
  'join',
  'leave',
  'vote',
  'waiting-ended',
  'round-ended',
  'side-pick',
];

/** Time limit of a search for new teams while the session is locked, in milliseconds; two teams take a few. */
const searchMs = 50;

const sweptAtOnce = 100;

/**
 * Keeps the matches of Muster's queues fair while they are played: their servers report events, and receive the players who
 * have to change team. Roster, delays and moves are stored with every event, so nothing is lost with this process.
 */
export class LiveSessions {
  constructor(
    private readonly store: Store,
    private readonly pools: Pick<RatingClient, 'read'>,
    private readonly clock: Clock,
    /** Sends the jobs of a commit at once instead of at the relay's next turn. */
    private readonly afterCommit: () => void,
  ) {}

  /** @throws RatingUnavailable when what the players of a new match, or a newcomer, count cannot be read in time */
  async applyEvents(serverId: string, { sessions }: TellRoster): Promise<SessionReceipt[]> {
    const newcomers = await this.newcomersOf(sessions);
    const now = this.clock.now();
    const outcomes = await this.change(
      serverId,
      sessions.map(({ sessionId, events }) => ({
        sessionId,
        step: (session) => stepOf(session, events, newcomers.get(sessionId) ?? nobody, now),
      })),
      now,
    );
    this.afterCommit();
    return sessions.map(({ sessionId }, i) => {
      const outcome = outcomes[i] ?? 'unknown';
      // A server may report events of a session before the record of its creation has arrived: it repeats them.
      const none = { sessionId, taken: 0, leftOut: [], why: null };
      if (outcome === 'not-yet') return { ...none, outcome: 'gap' };
      return typeof outcome === 'string' ? { ...none, outcome } : { sessionId, ...outcome };
    });
  }

  /** Evaluates matches whose delay has run out without an event. @returns whether there may be more */
  async sweep(): Promise<boolean> {
    const now = this.clock.now();
    const due = await this.store.due(now, sweptAtOnce);
    if (due.length === 0) return false;
    await this.store.change<Receipt>(
      null,
      due.map((sessionId) => ({ sessionId, step: (session) => evaluateNow(session, now) })),
      () => null,
      now,
    );
    this.afterCommit();
    return due.length === sweptAtOnce;
  }

  /** Deletes the state of ended matches. @returns whether there may be more */
  async deleteEnded(): Promise<boolean> {
    return (await this.store.deleteEnded(sweptAtOnce)) === sweptAtOnce;
  }

  /**
   * Changes sessions. Matches with aspects begin in a second transaction: no connection is held while the pool is asked what
   * their players count.
   */
  private async change(serverId: string, asked: Asked, now: number): Promise<(Receipt | LiveAbsence)[]> {
    const unread = new Map<string, LiveMatch>();
    const answers = await this.store.change<Receipt>(
      serverId,
      asked,
      (match) => {
        const begun = begin(match, nobody);
        if (!begun || !aspectsOfMatch(match)) return begun;
        unread.set(match.matchId, match);
        return null;
      },
      now,
    );
    if (unread.size === 0) return answers;
    const counts = new Map(
      await Promise.all(
        [...unread].map(async ([matchId, match]): Promise<[string, CountsByPlayer]> => {
          // At the level at which the match was formed, which for a newcomer to the pool is that of the probe.
          const levels = new Map(match.players.map(({ playerId, mu }) => [playerId, mu]));
          return [matchId, await readCounts(this.pools, match, [...levels.keys()], levels)];
        }),
      ),
    );
    const waiting = asked.flatMap((each, i) => (answers[i] === 'left-alone' ? [{ ...each, i }] : []));
    const begun = await this.store.change<Receipt>(
      serverId,
      waiting,
      (match) => begin(match, counts.get(match.matchId) ?? nobody),
      now,
    );
    const all = [...answers];
    for (const [at, { i }] of waiting.entries()) all[i] = begun[at] ?? 'unknown';
    return all;
  }

  /** What newcomers without a rating count, by session. */
  private async newcomersOf(sessions: TellRoster['sessions']): Promise<ReadonlyMap<string, CountsByPlayer>> {
    const unrated = new Map<string, Set<string>>();
    for (const { sessionId, events } of sessions)
      for (const event of events)
        if (event.kind === 'join' && event.rating === undefined && !event.bot)
          unrated.set(sessionId, (unrated.get(sessionId) ?? new Set()).add(event.playerId));
    if (unrated.size === 0) return new Map();
    const matches = await this.store.matchesOf([...unrated.keys()]);
    return new Map(
      await Promise.all(
        [...matches].map(async ([sessionId, match]): Promise<[string, CountsByPlayer]> => [
          sessionId,
          await readCounts(this.pools, match, [...(unrated.get(sessionId) ?? [])]),
        ]),
      ),
    );
  }
}

const nobody: CountsByPlayer = new Map();

/**
 * The initial state of a queue's match; null when the queue's rules do not ask for live balance.
 *
 * @param counts what its players count by aspect; of the others the rating counts
 */
export function begin(
  { rules, players }: LiveMatch,
  counts: CountsByPlayer,
): { policy: Policy; roster: Roster; state: LiveState } | null {
  if (typeof rules !== 'object' || rules === null || !('liveBalance' in rules)) return null;
  // Written in an earlier format: if it cannot be read, the match gets no live balance.
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
        ...(counts.get(playerId) ?? { rating: mu }),
        alive: true,
        ...(ticketId !== null && (mates.get(ticketId) ?? 0) > 1 ? { partyId: ticketId } : {}),
      })),
    },
    state: freshLive,
  };
}

/**
 * Applies new events in order, and evaluates the match after each that may call for a move. An invalid event is skipped and
 * reported: those after it must not wait for ever.
 */
export function stepOf(
  session: LiveSession<Policy, Roster, LiveState>,
  events: readonly RosterEventBody[],
  newcomers: CountsByPlayer,
  now: number,
  /** The deadline of a search for new teams. */
  deadline = searchDeadline,
): Step {
  const { policy, lastSeq } = session;
  const newEvents = events.filter(({ seq }) => seq > lastSeq);
  const misses = newEvents.some(({ seq }, i) => seq !== lastSeq + 1 + i);
  if (misses)
    return {
      ...evaluateNow(session, now),
      answer: { outcome: 'gap', taken: lastSeq, leftOut: [], why: null },
    };
  let { roster } = session;
  let state = knownState(session.state);
  let last: Evaluation | null = null;
  const evaluateAgain = (): Evaluation => {
    const found = evaluate(roster, policy, state, now, deadline());
    ({ state } = found);
    if (found.directive) orders.push(found.directive);
    return found;
  };
  const orders: LiveDirective[] = [];
  const leftOut: { seq: number; why: readonly Message[] }[] = [];
  for (const event of newEvents) {
    try {
      const after = applyEvent({ roster, state }, policy, matchEvent(event, newcomers), now);
      checkRoster(after.roster);
      ({ roster, state } = after);
    } catch (error) {
      if (!(error instanceof Unsolvable)) throw error;
      leftOut.push({ seq: event.seq, why: whyIgnored(error) });
      continue;
    }
    if (evaluatedEvents.includes(event.kind)) last = evaluateAgain();
  }
  last ??= evaluateAgain();
  const taken = lastSeq + newEvents.length;
  return {
    roster,
    // Not the last evaluation's: later events count.
    state: storedState(state),
    lastSeq: taken,
    dueAt: last.dueAt,
    orders,
    changedTeam: changesBetween(session.roster, roster),
    answer: { outcome: 'taken', taken, leftOut, why: last.why },
  };
}

/** Why an event was skipped: the error's text, or its messages. */
function whyIgnored({ message: detail, facts }: Unsolvable): readonly Message[] {
  const explanation = readReason({ reason: detail, messages: facts['messages'] });
  return typeof explanation === 'string' ? [message('live.event-ignored', { detail })] : explanation;
}

function evaluateNow(
  { roster, policy, state, lastSeq }: LiveSession<Policy, Roster, LiveState>,
  now: number,
): Step {
  const result = evaluate(roster, policy, state, now, searchDeadline());
  return {
    roster,
    state: result.state,
    lastSeq,
    dueAt: result.dueAt,
    orders: result.directive ? [result.directive] : [],
    changedTeam: [],
    answer: { outcome: 'taken', taken: lastSeq, leftOut: [], why: result.why },
  };
}

const searchDeadline = () => ({ now: () => performance.now(), at: performance.now() + searchMs });

function matchEvent(event: RosterEventBody, newcomers: CountsByPlayer): MatchEvent {
  if (event.kind !== 'join') return event;
  const { seq: _, rating, ...join } = event;
  if (rating !== undefined) return { ...join, rating };
  return { ...join, ...(newcomers.get(join.playerId) ?? { rating: 0 }) };
}

function changesBetween(before: Roster, after: Roster): { playerId: string; team: number }[] {
  const teams = new Map(before.players.map(({ playerId, team }) => [playerId, team]));
  return after.players.flatMap(({ playerId, team }) =>
    team !== null && teams.get(playerId) !== team ? [{ playerId, team }] : [],
  );
}
