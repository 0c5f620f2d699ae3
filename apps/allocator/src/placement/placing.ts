import type { Clock, PlacementTimeouts, PlaceResult, PlacementStore } from '@muster/domain';
import type { Hearing } from '../fleet/hearing.js';
import { commandsOf, type Notifier } from '../fleet/notifier.js';

const batch = 50;

/** Finds servers for matches and keeps at it. Every step is one transaction, so any number of replicas may do the same. */
export class Placing {
  constructor(
    private readonly store: PlacementStore,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
    private readonly timeouts: PlacementTimeouts,
    /** A match may be played for so long, in milliseconds. */
    private readonly matchLimitMs: number,
    private readonly hearing: Pick<Hearing, 'ownMs' | 'allMs'>,
  ) {}

  /** A new match wants a server. @returns whether its tickets are to be told something at once */
  async begin(matchId: string): Promise<boolean> {
    await this.store.begin(matchId, this.clock.now());
    return (await this.place(matchId)).outcome === 'none-free';
  }

  /**
   * One sweep over what is due. Silence is judged only over time in which the allocators heard without a break.
   *
   * 1. Sessions whose server did not answer in time go to the next best, if this replica heard all that time.
   * 2. Silent servers are lost: reserved sessions go elsewhere, live ones end their match and free its players. Only if all
   *    replicas have heard for twice the time that a server may be silent: after a break every server gets that time to be
   *    heard again, and connections that broke have been made anew.
   * 3. Matches that went on beyond the time limit are ended, and matches that waited too long for a server are given up, on the
   *    same condition: a result or a server may have found nobody to talk to.
   * 4. Matches whose attempt is due are tried.
   *
   * @returns whether there is more to do right away
   */
  async sweep(): Promise<boolean> {
    const { answerMs, silenceMs } = this.timeouts;
    const now = this.clock.now();
    // Taken before each judgement: what is judged late is judged as of the moment in which everybody was heard.
    if (this.hearing.ownMs(now) >= answerMs) await this.store.withdrawUnanswered(now, batch);
    await this.judge((at) => this.store.loseSilent(this.timeouts, at, batch), 2 * silenceMs);
    await this.judge((at) => this.store.loseOverdue(at - this.matchLimitMs, at, batch), 2 * silenceMs);
    await this.judge((at) => this.store.giveUp(at, batch), silenceMs);
    const due = await this.store.duePlacements(this.clock.now(), batch);
    // Side by side: the store places those that come together in one transaction.
    await Promise.all(due.map((matchId) => this.place(matchId)));
    return due.length === batch;
  }

  /** A slot may have come free: whoever waits is due now. @returns whether anyone waits */
  async hasten(): Promise<boolean> {
    return (await this.store.makePlacementsDue(this.clock.now())) > 0;
  }

  /** Does what is only right after all replicas have heard for so long. */
  private async judge(act: (at: number) => Promise<unknown>, heardMs: number): Promise<void> {
    const now = this.clock.now();
    if (this.hearing.allMs(now) >= heardMs) await act(now);
  }

  private async place(matchId: string): Promise<PlaceResult> {
    const result = await this.store.place(matchId, this.timeouts, this.clock.now());
    if (result.outcome === 'reserved') this.notifier.wake(commandsOf(result.serverId));
    return result;
  }
}
