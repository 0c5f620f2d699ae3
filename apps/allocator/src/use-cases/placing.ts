import type { Clock, Patience, PlaceResult, PlacementStore } from '@muster/domain';
import { commandsOf, type Bell } from './ports.js';

const batch = 50;

/** Finds servers for matches and keeps at it. Every step is one transaction, so any number of replicas may do the same. */
export class Placing {
  constructor(
    private readonly store: PlacementStore,
    private readonly bell: Bell,
    private readonly clock: Clock,
    private readonly patience: Patience,
    /** A match may be played for so long, in milliseconds. */
    private readonly matchLimitMs: number,
    /** Before this time nobody is called silent: heartbeats may have had nowhere to go while no allocator ran. */
    private readonly judgeFrom: number,
  ) {}

  /** A new match wants a server. @returns whether its tickets are to be told something at once */
  async begin(matchId: string): Promise<boolean> {
    await this.store.begin(matchId, this.clock.now());
    return (await this.place(matchId)).outcome === 'none-free';
  }

  /**
   * One sweep over what is due.
   *
   * 1. Sessions whose server did not answer in time go to the next best.
   * 2. Silent servers are lost: reserved sessions go elsewhere, live ones end their match and free its players.
   * 3. Matches that went on beyond the time limit are ended.
   * 4. Matches whose attempt is due are tried; those that waited too long are given up.
   *
   * @returns whether there is more to do right away
   */
  async sweep(): Promise<boolean> {
    await this.store.withdrawUnanswered(this.clock.now(), batch);
    if (this.clock.now() >= this.judgeFrom)
      await this.store.loseSilent(this.patience, this.clock.now(), batch);
    await this.store.loseOverdue(this.clock.now() - this.matchLimitMs, this.clock.now(), batch);
    await this.store.giveUp(this.clock.now(), batch);
    const due = await this.store.duePlacements(this.clock.now(), batch);
    // Side by side: the store places those that come together in one transaction.
    await Promise.all(due.map((matchId) => this.place(matchId)));
    return due.length === batch;
  }

  /** A slot may have come free: whoever waits is due now. @returns whether anyone waits */
  async hasten(): Promise<boolean> {
    return (await this.store.hasten(this.clock.now())) > 0;
  }

  private async place(matchId: string): Promise<PlaceResult> {
    const result = await this.store.place(matchId, this.patience, this.clock.now());
    if (result.outcome === 'reserved') this.bell.wake(commandsOf(result.serverId));
    return result;
  }
}
