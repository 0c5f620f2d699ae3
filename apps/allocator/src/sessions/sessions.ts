import {
  noMeter,
  textOf,
  viewsOf,
  type MatchSteps,
  type Meter,
  type ResultAccepted,
  type SessionResult,
} from '@muster/contracts';
import {
  MatchNotFound,
  MatchOver,
  ResultContradicts,
  ResultInvalid,
  SessionWithdrawn,
  type CalledOff,
  type Clock,
  type EndMatchRequest,
  type Habits,
  type Ids,
  type ReceivedResult,
  type ResultFault,
  type ServerIdentity,
} from '@muster/domain';
import { withoutHabits, type StoredResult } from './habits.js';
import { playedOf } from './played.js';
import type { PostgresSessionStore, ResultConflict } from './sessions.store.js';
import { notHosted } from '../match-life/not-hosted.js';
import { commandsOf, slots, type Notifier } from '../watch/wake-ups.js';

/** Most faults of a result in one problem. */
const mostFaults = 100;

/** Keeps what results tell of the habits of players. */
interface HabitNotes {
  note(matchId: string, habits: Readonly<Record<string, Habits>>, now: number): Promise<void>;
}

/** What the sessions take of their store. */
export type SessionsStore = Pick<
  PostgresSessionStore,
  'receive' | 'callOff' | 'finish' | 'endMatch' | 'conflicts'
>;

/** Processes the results and call-offs of sessions. */
export class Sessions {
  private isSlotNews = false;

  constructor(
    private readonly store: SessionsStore,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
    private readonly ids: Ids,
    /** Relays the jobs of a commit immediately. */
    private readonly afterCommit: () => void,
    private readonly habits: HabitNotes,
    private readonly meter: Meter = noMeter,
    private readonly steps: MatchSteps | null = null,
  ) {}

  /**
   * Receives the result of a session. @returns the match, whether this call counted the result (false for a repeat), and
   * `unrated` when the match cannot be rated, because fewer than two teams had a player who came
   */
  async report(sessionId: string, server: ServerIdentity, reported: SessionResult): Promise<ResultAccepted> {
    const { body, habits } = withoutHabits(reported);
    const ranks = ranksOf(body);
    const received = this.received(body, ranks);
    const result = await this.store.receive(sessionId, server, received, this.clock.now());
    this.afterCommit();
    this.meter.count('results', { outcome: result.outcome });
    switch (result.outcome) {
      case 'counted':
      case 'again':
        if (result.outcome === 'counted') {
          this.slotFreed();
          this.steps?.step(result.matchId, 'result', { 'muster.session.id': sessionId });
        }
        // Also of a repeat: the call before may have failed here.
        await this.habits.note(result.matchId, habits, this.clock.now());
        return {
          matchId: result.matchId,
          counted: result.outcome === 'counted',
          ...(result.unrated ? { unrated: true } : {}),
        };
      case 'contradicts':
        throw new ResultContradicts(
          'Another result of this session was already counted; this one is stored for operators.',
          { matchId: result.matchId },
        );
      case 'withdrawn':
        throw new SessionWithdrawn(
          `The session is ${result.state}, not live, so its result does not count${result.why === undefined ? '' : ` (${textOf(result.why)})`}; it is stored for operators.`,
          { sessionId, kept: true, detailMessages: viewsOf(result.why) },
        );
      case 'wrong-teams':
        throw new ResultInvalid(
          body.ranks
            ? `The match has ${result.teams} teams; the result has ${ranks.length}.`
            : `The match has ${result.teams} teams: send \`ranks\`, one for each team, instead of \`winner\`.`,
          { teams: result.teams },
        );
      case 'wrong-times':
        throw new ResultInvalid(
          `From the first joinedAt to the last leftAt there are ${result.lengthMs} ms, but the duration of the session allows at most ${result.mostMs} ms. Send milliseconds since the Unix epoch, all from one clock.`,
          { lengthMs: result.lengthMs, mostMs: result.mostMs },
        );
      case 'not-in-match':
        throw notInMatch(result.playerIds);
      case 'senseless':
        throw senseless(result.faults);
      default:
        throw notHosted(result.outcome, server, sessionId, 'report the result');
    }
  }

  /** A result in its stored form. A winner and the equivalent ranks have the same digest. */
  private received(body: StoredResult, ranks: readonly number[]): ReceivedResult {
    return {
      ranks,
      digest: this.ids.fingerprint({ ...body, winner: undefined, ranks }),
      body,
      played: playedOf(body),
      players: body.players?.map(({ playerId }) => playerId),
      leavers: body.leavers,
      claims: body,
    };
  }

  /** Ends a session without a result. @returns the match, and whether this call counted (false for a repeat) */
  async abandon(
    sessionId: string,
    server: ServerIdentity,
    calledOff: CalledOff,
  ): Promise<{ matchId: string; counted: boolean }> {
    const result = await this.store.callOff(sessionId, server, calledOff, this.clock.now());
    this.afterCommit();
    switch (result.outcome) {
      case 'abandoned':
        this.slotFreed();
        this.steps?.step(result.matchId, 'abandoned', { 'muster.session.id': sessionId });
        return { matchId: result.matchId, counted: true };
      case 'again':
        return { matchId: result.matchId, counted: false };
      case 'withdrawn':
        throw new SessionWithdrawn(`The session is ${result.state}, not live, so it cannot be abandoned.`, {
          sessionId,
        });
      case 'not-in-match':
        throw notInMatch(result.playerIds);
      default:
        throw notHosted(result.outcome, server, sessionId, 'abandon the session');
    }
  }

  /** Frees players who are finished in a match that goes on. A repeat changes nothing. */
  async finish(
    sessionId: string,
    server: ServerIdentity,
    playerIds: readonly string[],
  ): Promise<{ matchId: string }> {
    const result = await this.store.finish(sessionId, server, playerIds, this.clock.now());
    this.afterCommit();
    switch (result.outcome) {
      case 'finished':
        return { matchId: result.matchId };
      case 'withdrawn':
        throw new SessionWithdrawn(`The session is ${result.state}, not live: its players are free.`, {
          sessionId,
        });
      case 'not-in-match':
        throw notInMatch(result.playerIds);
      default:
        throw notHosted(result.outcome, server, sessionId, 'name the players');
    }
  }

  /**
   * An operator ends a match, in any state before its result.
   *
   * @returns whether this call ended it (false for a repeat)
   * @throws MatchNotFound, MatchOver
   */
  async end(matchId: string, request: EndMatchRequest): Promise<{ matchId: string; ended: boolean }> {
    const result = await this.store.endMatch(matchId, request, this.clock.now());
    this.afterCommit();
    switch (result.outcome) {
      case 'ended':
        this.steps?.step(matchId, 'ended by an operator');
        if (result.serverId !== null) this.notifier.wake(commandsOf(result.serverId));
        this.slotFreed();
        return { matchId, ended: true };
      case 'again':
        return { matchId, ended: false };
      case 'over':
        throw new MatchOver(
          result.state === 'void' || result.state === 'abandoned'
            ? `The match is ${result.state} already.`
            : `The match is ${result.state}. A match that has a result is declared void: POST /v1/results/${matchId}/void.`,
          { matchId, state: result.state },
        );
      case 'unknown':
        throw new MatchNotFound(`There is no match ${matchId}.`, { matchId });
    }
  }

  conflicts(): Promise<ResultConflict[]> {
    return this.store.conflicts(200);
  }

  /** Wakes the allocators once for all sessions of a batch: each of them then looks at all matches that wait for a slot. */
  private slotFreed(): void {
    if (this.isSlotNews) return;
    this.isSlotNews = true;
    setImmediate(() => {
      this.isSlotNews = false;
      this.notifier.wake(slots);
    });
  }
}

function notInMatch(playerIds: readonly string[]): ResultInvalid {
  return new ResultInvalid(`Not in this match: ${playerIds.join(', ')}. Name only players of its teams.`, {
    playerIds,
  });
}

/** Names every fault; the session stays open for the right result. */
function senseless(faults: readonly ResultFault[]): ResultInvalid {
  const [first] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more, see errors)` : '';
  return new ResultInvalid(
    `\`${first?.path}\`: ${first?.message}${more}. The session stays open: report the right result.`,
    {
      errors: faults.slice(0, mostFaults),
    },
  );
}

/** The ranks of a result. The winner of two teams has rank 1, the other team rank 2. */
function ranksOf({ ranks, winner }: Pick<SessionResult, 'ranks' | 'winner'>): number[] {
  if (ranks) return ranks;
  if (winner === null || winner === undefined) return [1, 1];
  if (winner > 1)
    throw new ResultInvalid(
      '`winner` applies to a match of two teams: 0, 1, or null for a draw. Send `ranks` otherwise.',
    );
  return winner === 0 ? [1, 2] : [2, 1];
}
