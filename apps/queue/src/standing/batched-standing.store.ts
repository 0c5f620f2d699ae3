import type { Db } from '@muster/db';
import { PostgresAvoidStore } from './avoid.store.js';
import { PostgresBehaviourStore } from './behaviour.store.js';
import { PostgresPenaltyStore } from './penalty.store.js';
import type { AvoidedByList, BehaviourMark, Penalty } from '@muster/domain';
import DataLoader from 'dataloader';

const options = { cache: false, maxBatchSize: 500 };
const none: readonly never[] = [];

/** Avoid-lists in Postgres; those of all who queue in one turn are read in one statement (see `BatchedSearches`). */
export class BatchedAvoids extends PostgresAvoidStore {
  private readonly loader: DataLoader<string, readonly AvoidedByList[]>;

  constructor(db: Db) {
    super(db);
    this.loader = new DataLoader(async (playerIds) => {
      const around = await super.around([...new Set(playerIds)]);
      return playerIds.map((playerId) => around.get(playerId) ?? none);
    }, options);
  }

  override around(playerIds: readonly string[]): Promise<ReadonlyMap<string, readonly AvoidedByList[]>> {
    return loaded(playerIds, (playerId) => this.loader.load(playerId));
  }
}

/** What somebody asks of one player: what happened since a time, in milliseconds since the epoch. */
interface Asked {
  readonly playerId: string;
  readonly since: number;
}

/** Reports in Postgres; those on all who queue in one turn are read in one statement. */
export class BatchedMarks extends PostgresBehaviourStore {
  private readonly loader = gathered<BehaviourMark>((playerIds, since) => super.marksOf(playerIds, since));

  override marksOf(
    playerIds: readonly string[],
    since: number,
  ): Promise<ReadonlyMap<string, readonly BehaviourMark[]>> {
    return loadedSince(this.loader, playerIds, since);
  }
}

/** Penalties in Postgres; those of all who queue in one turn are read in one statement. */
export class BatchedPenalties extends PostgresPenaltyStore {
  private readonly loader = gathered<Penalty>((playerIds, since) => super.of(playerIds, since));

  override of(playerIds: readonly string[], since: number): Promise<ReadonlyMap<string, readonly Penalty[]>> {
    return loadedSince(this.loader, playerIds, since);
  }
}

/** Reads what is asked for in one turn at once, from the earliest time that anybody asks for; each gets what they asked for. */
function gathered<T extends { readonly at: number }>(
  read: (playerIds: readonly string[], since: number) => Promise<ReadonlyMap<string, readonly T[]>>,
): DataLoader<Asked, readonly T[]> {
  return new DataLoader(async (asked) => {
    const earliest = asked.reduce((least, { since }) => Math.min(least, since), Infinity);
    const found = await read([...new Set(asked.map(({ playerId }) => playerId))], earliest);
    return asked.map(({ playerId, since }) => (found.get(playerId) ?? none).filter(({ at }) => at > since));
  }, options);
}

function loadedSince<T>(
  loader: DataLoader<Asked, readonly T[]>,
  playerIds: readonly string[],
  since: number,
): Promise<ReadonlyMap<string, readonly T[]>> {
  return loaded(playerIds, (playerId) => loader.load({ playerId, since }));
}

/** Those of whom there is anything. */
async function loaded<T>(
  playerIds: readonly string[],
  load: (playerId: string) => Promise<readonly T[]>,
): Promise<ReadonlyMap<string, readonly T[]>> {
  const found = await Promise.all(playerIds.map(async (id) => [id, await load(id)] as const));
  return new Map(found.filter(([, entries]) => entries.length > 0));
}
