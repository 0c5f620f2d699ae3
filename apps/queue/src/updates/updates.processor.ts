import { jobQueues, MatchUpdate, RatingsChanged } from '@muster/contracts';
import { Every, OnJob, SharedClock } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { ApplyMatchUpdates } from './match-updates.js';
import { RelevelTickets } from './relevel-tickets.js';

/**
 * When the tickets are looked at again, in milliseconds: one that was being created had read the old rating, and one of a
 * match that was being made may be back.
 */
const againMs = [5_000, 60_000];
/** Changes that are remembered; of more, the check of a proposal finds what is missed. */
const remembered = 10_000;

/** What other services tell of open tickets: updates of their matches, and changed ratings of their players. */
@Injectable()
export class UpdatesProcessor {
  private again: { readonly change: RatingsChanged; readonly at: number }[] = [];

  constructor(
    @Inject(ApplyMatchUpdates) private readonly updates: ApplyMatchUpdates,
    @Inject(RelevelTickets) private readonly tickets: RelevelTickets,
    @Inject(SharedClock) private readonly clock: SharedClock,
  ) {}

  @OnJob(jobQueues.matchUpdates, MatchUpdate, { concurrency: 8 })
  apply(update: MatchUpdate): Promise<void> {
    return this.updates.run(update);
  }

  @OnJob(jobQueues.ratingsChanged, RatingsChanged, { concurrency: 4 })
  async relevel(change: RatingsChanged): Promise<void> {
    await this.tickets.run(change);
    const now = this.clock.now();
    this.again.push(...againMs.map((ms) => ({ change, at: now + ms })));
    this.again = this.again.slice(-remembered);
  }

  @Every('levels of tickets', 1_000)
  async repeat(): Promise<void> {
    const now = this.clock.now();
    const due = this.again.filter(({ at }) => at <= now);
    this.again = this.again.filter(({ at }) => at > now);
    for (const { pool, playerIds } of merged(due.map(({ change }) => change)))
      await this.tickets.run({ pool, playerIds });
  }
}

/** One change for each pool. */
function merged(changes: readonly RatingsChanged[]): RatingsChanged[] {
  const byPool = new Map<string, string[] | null>();
  for (const { pool, playerIds } of changes) {
    const before = byPool.get(pool);
    byPool.set(pool, before === null || playerIds === null ? null : [...(before ?? []), ...playerIds]);
  }
  return [...byPool].map(([pool, playerIds]) => ({ pool, playerIds: playerIds && [...new Set(playerIds)] }));
}
