import { deleteOldest, type Db } from '@muster/db';

/** Deletes evidence and cases past retention. Each returns whether there may be more. */
export class IntegrityRetention {
  constructor(private readonly db: Db) {}

  /** What is remembered of players and servers without a match since. */
  deleteEvidence(before: number, limit: number): Promise<boolean> {
    return deleteOldest(this.db, 'integrity_watch', 'seen_at', before, limit);
  }

  /** Habits that were not told since. */
  deleteHabits(before: number, limit: number): Promise<boolean> {
    return deleteOldest(this.db, 'player_habit', 'seen_at', before, limit);
  }

  /** Cases that were closed before. */
  deleteCases(before: number, limit: number): Promise<boolean> {
    return deleteOldest(this.db, 'integrity_case', 'closed_at', before, limit, `state = 'closed'`);
  }
}
