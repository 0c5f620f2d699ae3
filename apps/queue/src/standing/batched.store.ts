import DataLoader from 'dataloader';

const options = { cache: false, maxBatchSize: 500 };
const none: readonly never[] = [];

/** What somebody asks of one player: what happened since a time, in milliseconds since the epoch. */
interface Asked {
  readonly playerId: string;
  readonly since: number;
}

type ByPlayer<T> = ReadonlyMap<string, readonly T[]>;

/** Reads what is asked for in one turn of the event loop at once. */
export function batched<T>(
  read: (playerIds: readonly string[]) => Promise<ByPlayer<T>>,
): DataLoader<string, readonly T[]> {
  return new DataLoader(async (playerIds) => {
    const found = await read([...new Set(playerIds)]);
    return playerIds.map((playerId) => found.get(playerId) ?? none);
  }, options);
}

/** As {@link batched}, from the earliest time that anybody asks for; each gets what they asked for. */
export function batchedSince<T extends { readonly at: number }>(
  read: (playerIds: readonly string[], since: number) => Promise<ByPlayer<T>>,
): DataLoader<Asked, readonly T[]> {
  return new DataLoader(async (asked) => {
    const earliest = asked.reduce((least, { since }) => Math.min(least, since), Infinity);
    const found = await read([...new Set(asked.map(({ playerId }) => playerId))], earliest);
    return asked.map(({ playerId, since }) => (found.get(playerId) ?? none).filter(({ at }) => at > since));
  }, options);
}

/** Those of whom there is anything. */
export async function ofAll<T>(
  playerIds: readonly string[],
  load: (playerId: string) => Promise<readonly T[]>,
): Promise<ByPlayer<T>> {
  const found = await Promise.all(playerIds.map(async (id) => [id, await load(id)] as const));
  return new Map(found.filter(([, entries]) => entries.length > 0));
}
