import { jobQueues, MatchJob } from '@muster/contracts';
import { AFTER_COMMIT, Background, Every, LOG, OnJob, processTime, type Log } from '@muster/platform';
import { WakeUps } from '@muster/redis';
import { Pace } from '@muster/domain';
import { Inject, Injectable } from '@nestjs/common';
import { slots } from '../watch/wake-ups.js';
import { Placing } from './placing.js';

/** The minimum time between two looks for a free slot, in milliseconds: results of a match each free one. */
const slotsMs = 100;

/** Places the matches that jobs name, and sweeps due placements. */
@Injectable()
export class PlacementProcessor {
  private readonly slotPace = new Pace(slotsMs, processTime);
  private readonly freeSlots = this.slotPace.counting(() => this.placing.makePlacementsDue());

  constructor(
    @Inject(Placing) private readonly placing: Placing,
    @Inject(WakeUps) private readonly wakeUps: WakeUps,
    @Inject(Background) private readonly background: Background,
    @Inject(AFTER_COMMIT) private readonly afterCommit: () => void,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** As many as the store places in one transaction. */
  @OnJob(jobQueues.placeMatch, MatchJob, { concurrency: 8 })
  async place({ matchId }: MatchJob): Promise<void> {
    if (await this.placing.begin(matchId)) {
      this.afterCommit();
      this.background.kick('scale-out');
    }
    this.log.info({ matchId }, 'place-match');
  }

  @Every('placement sweep', 500, { whileSound: true })
  async sweep(): Promise<boolean> {
    const more = await this.placing.sweep();
    this.afterCommit();
    return more;
  }

  @Every('slot watch', 0)
  async watchSlots(): Promise<void> {
    const { signal } = this.background;
    await this.wakeUps.wait(slots, 5_000, signal);
    // A slot that is freed during this wait is seen by the look after it.
    await this.slotPace.next();
    if (!signal.aborted && (await this.freeSlots())) this.background.kick('placement sweep');
  }
}
