import { noMeter, type MatchSteps, type Meter } from '@muster/contracts';
import type { Clock, LeaveMatchResult, PlaceResult } from '@muster/domain';
import type { PostgresSilence } from '../fleet/silence.store.js';
import type { PostgresSessionStore } from '../sessions/sessions.store.js';
import type { Timeouts } from '../settings.js';
import type { Hearing } from '../watch/hearing.js';
import { commandsOf, type Notifier } from '../watch/wake-ups.js';
import { type DueWork, isDue } from '../watch/due.js';
import type { PostgresPlacementStore } from './placement.store.js';

const batch = 50;
/** The number of waiting matches that a look for free slots makes due: the others come due in turn. */
const madeDueAtOnce = 100;

/**
 * Finds servers for matches and retries until it succeeds. Every step is one transaction, so any number of replicas may
 * run it.
 */
export class Placing {
  constructor(
    private readonly store: PostgresPlacementStore,
    private readonly sessions: PostgresSessionStore,
    private readonly silence: PostgresSilence,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
    private readonly timeouts: Timeouts,
    private readonly hearing: Pick<Hearing, 'ownMs' | 'allMs'>,
    private readonly due: DueWork,
    private readonly meter: Meter = noMeter,
    private readonly steps: MatchSteps | null = null,
  ) {}

  /** Places a new match. @returns whether its tickets must be notified immediately */
  async begin(matchId: string): Promise<boolean> {
    await this.store.begin(matchId, this.clock.now());
    return (await this.place(matchId)).outcome === 'none-free';
  }

  /**
   * One sweep of due work. Silence is judged only over time in which the allocators received heartbeats without a gap.
   *
   * 1. Withdraw sessions whose server did not answer in time and place their matches on the next best server, if this
   * replica has had no gap for that time.
   * 2. Mark silent servers as lost: reserved sessions are placed elsewhere; live sessions end their match and free its
   * players. All replicas must have had no gap for twice the silence limit, so that after a gap every server has that
   * time to reconnect and be received.
   * 3. End matches beyond the time limit, and abandon matches that waited too long for a server, on the same condition:
   * a result or a registration may have found no allocator.
   * 4. Try the matches whose attempt is due.
   *
   * A step runs only when `DueWork` says that it has work.
   *
   * @returns whether more is due now
   */
  async sweep(): Promise<boolean> {
    const { answerMs, silenceMs, matchLimitMs } = this.timeouts;
    const now = this.clock.now();
    const due = await this.due.look();
    // The time is read before each step: a delayed step judges as of a moment at which the condition held.
    const steps = [
      this.hearing.ownMs(now) >= answerMs && isDue(due.answerBy, now)
        ? await this.withdrawUnanswered(now)
        : 0,
      await this.judge(due.heardAt, silenceMs, 2 * silenceMs, (at) =>
        this.silence.loseSilent(this.timeouts, at, batch),
      ),
      await this.judge(due.liveAt, matchLimitMs, 2 * silenceMs, (at) =>
        this.sessions.loseOverdue(at - matchLimitMs, at, batch),
      ),
      await this.judge(due.giveUpAt, 0, silenceMs, (at) => this.store.giveUp(at, batch)),
    ];
    const changed = steps.some((count) => count > 0);
    // The matches of withdrawn sessions are due immediately.
    const attempted = changed || isDue(due.nextAttemptAt, this.clock.now()) ? await this.placeDue() : 0;
    if (changed || attempted > 0) this.due.forget();
    return attempted === batch;
  }

  /** Removes the players of a ticket from a match that has no server, or a silent one. */
  leave(matchId: string, ticketId: string): Promise<LeaveMatchResult> {
    const now = this.clock.now();
    const { silenceMs } = this.timeouts;
    // While servers could not be heard, none counts as silent.
    const limits = { silenceMs: this.hearing.allMs(now) < silenceMs ? now : silenceMs };
    return this.store.leaveUnplaced(matchId, ticketId, limits, now);
  }

  /**
   * Slots may be free: makes waiting matches due now, those whose last attempt is the longest ago.
   *
   * @returns whether any match waits
   */
  async makePlacementsDue(): Promise<boolean> {
    const waiting = await this.store.makePlacementsDue(this.clock.now(), madeDueAtOnce);
    if (waiting > 0) this.due.forget();
    return waiting > 0;
  }

  /** @returns the number of attempts */
  private async placeDue(): Promise<number> {
    const due = await this.store.duePlacements(this.clock.now(), batch);
    // Concurrently: the store places concurrent matches in one transaction.
    await Promise.all(due.map((matchId) => this.place(matchId)));
    return due.length;
  }

  /**
   * Runs a step if something is older than its limit and all replicas have had no gap for `gapFreeMs`.
   *
   * @returns how much it changed
   */
  private async judge(
    oldest: number | null,
    limitMs: number,
    gapFreeMs: number,
    act: (at: number) => Promise<readonly string[]>,
  ): Promise<number> {
    const now = this.clock.now();
    if (!isDue(oldest, now - limitMs) || this.hearing.allMs(now) < gapFreeMs) return 0;
    return (await act(now)).length;
  }

  private async place(matchId: string): Promise<PlaceResult> {
    const result = await this.store.place(matchId, this.timeouts, this.clock.now());
    this.meter.count('placements', { outcome: result.outcome });
    if (result.outcome !== 'reserved') return result;
    this.notifier.wake(commandsOf(result.serverId));
    this.steps?.step(
      matchId,
      'slot reserved',
      { 'muster.server.id': result.serverId, 'muster.attempt': result.attempt },
      result.waitedMs === null ? undefined : this.clock.now() - result.waitedMs,
    );
    this.meter.observe('placementAttempts', {}, result.attempt);
    if (result.waitedMs !== null) this.meter.observe('timeToPlace', {}, result.waitedMs / 1_000);
    return result;
  }

  private async withdrawUnanswered(now: number): Promise<number> {
    const { length } = await this.sessions.withdrawUnanswered(now, batch);
    if (length > 0) this.meter.count('commandAnswers', { outcome: 'silent' }, length);
    return length;
  }
}
