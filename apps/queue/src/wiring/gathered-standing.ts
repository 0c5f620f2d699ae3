import { PostgresAvoidStore, PostgresBehaviourStore, PostgresPenaltyStore, type Db } from '@muster/db';
import type { Avoided, BehaviourMark, Penalty } from '@muster/domain';
import DataLoader from 'dataloader';

const options = { cache: false, maxBatchSize: 500 };
const none: readonly never[] = [];

/** Avoid-lists in Postgres; those of all who queue in one turn are read in one statement (see `GatheredSearches`). */
export class GatheredAvoids extends PostgresAvoidStore {
  private readonly loader: DataLoader<string, readonly Avoided[]>;

  constructor(db: Db) {
    super(db);
    this.loader = new DataLoader(async (playerIds) => {
      const around = await super.around([...new Set(playerIds)]);
      return playerIds.map((playerId) => around.get(playerId) ?? none);
    }, options);
  }

  override around(playerIds: readonly string[]): Promise<ReadonlyMap<string, readonly Avoided[]>> {
    return loaded(this.loader, playerIds);
  }
}

/** Reports in Postgres; those on all who queue in one turn are read in one statement. */
export class GatheredMarks extends PostgresBehaviourStore {
  private readonly loader: DataLoader<string, readonly BehaviourMark[]>;
  /** From when on marks were asked for last. */
  private since = 0;

  constructor(db: Db) {
    super(db);
    this.loader = new DataLoader(async (playerIds) => {
      const marks = await super.marksOf([...new Set(playerIds)], this.since);
      return playerIds.map((playerId) => marks.get(playerId) ?? none);
    }, options);
  }

  /** All ask for the same span up to now; that those of one turn differ by a millisecond makes no difference. */
  override marksOf(
    playerIds: readonly string[],
    since: number,
  ): Promise<ReadonlyMap<string, readonly BehaviourMark[]>> {
    this.since = since;
    return loaded(this.loader, playerIds);
  }
}

/** Penalties in Postgres; those of all who queue in one turn are read in one statement. */
export class GatheredPenalties extends PostgresPenaltyStore {
  private readonly loader: DataLoader<string, readonly Penalty[]>;
  /** The earliest time that was asked for since penalties were read last. */
  private since = Infinity;

  constructor(db: Db) {
    super(db);
    this.loader = new DataLoader(async (playerIds) => {
      const { since } = this;
      this.since = Infinity;
      const penalties = await super.of([...new Set(playerIds)], since);
      return playerIds.map((playerId) => penalties.get(playerId) ?? none);
    }, options);
  }

  /** Of others' turns a little more may be read: penalties that old change nothing. */
  override of(playerIds: readonly string[], since: number): Promise<ReadonlyMap<string, readonly Penalty[]>> {
    this.since = Math.min(this.since, since);
    return loaded(this.loader, playerIds);
  }
}

/** Those of whom there is anything. */
async function loaded<T>(
  loader: DataLoader<string, readonly T[]>,
  playerIds: readonly string[],
): Promise<ReadonlyMap<string, readonly T[]>> {
  const found = await Promise.all(playerIds.map(async (id) => [id, await loader.load(id)] as const));
  return new Map(found.filter(([, entries]) => entries.length > 0));
}
