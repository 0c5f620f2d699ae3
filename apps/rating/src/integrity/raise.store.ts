import { type Db, type Sql, transact } from '@muster/db';
import { message, type RatingPool, type SignalEvent, type SignalKind } from '@muster/domain';
import { apply, forgetStrangers, hold, sharePool, write, type Done } from '../core/apply.store.js';

const dayMs = 86_400_000;
const defaultEveryDays = 30;

interface DueCase {
  id: string;
  pool: string;
  kind: Exclude<SignalKind, 'server'>;
  players: string[];
}

/** Whose uncertainty a case raises: of an alternate account, that of the new one. The older one's rating is known. */
function raisedBy({ kind, players }: Pick<DueCase, 'kind' | 'players'>): string[] {
  return kind === 'alternate' ? players.slice(0, 1) : players;
}

/** Raises the uncertainty of the players of cases, as far as the rules of their pools allow. */
export class RaiseUncertainty {
  constructor(private readonly db: Db) {}

  /**
   * Raises that of the oldest case that has not been considered. The events, the ratings and the case change together, so it
   * happens once. The row of the pool's cursor orders cases of the same player.
   *
   * @returns whether there may be more
   */
  next(now: number): Promise<boolean> {
    return transact(this.db, async (tx) => {
      const [first] = await tx.$queryRaw<{ id: string; pool: string }[]>`
        SELECT id, pool FROM integrity_case WHERE raise = 'due' ORDER BY opened_at LIMIT 1`;
      if (!first) return false;
      // The cursor comes before cases in every transaction.
      await tx.$queryRaw`SELECT pool FROM integrity_cursor WHERE pool = ${first.pool} FOR UPDATE`;
      const [due] = await tx.$queryRaw<DueCase[]>`
        SELECT id, pool, kind, players FROM integrity_case WHERE id = ${first.id} AND raise = 'due' FOR UPDATE`;
      if (!due) return true;
      await sharePool(tx, due.pool);
      const isRaised = await raise(tx, due, now);
      await tx.$executeRaw`
        UPDATE integrity_case SET raise = ${isRaised ? 'done' : 'none'}, raised_at = ${isRaised ? new Date(now) : null} WHERE id = ${due.id}`;
      return true;
    });
  }
}

/** @returns whether any rating changed */
async function raise(tx: Sql, due: DueCase, now: number): Promise<boolean> {
  const players = raisedBy(due);
  const held = await hold(
    tx,
    due.pool,
    players.map((playerId, i) => eventOf(due, i, playerId, 0, now)),
    now,
  );
  const share = held.pool.rules.integrity?.uncertainty;
  const busy = share === undefined ? new Set(players) : await raisedSince(tx, due, sinceOf(held.pool, now));
  const done: Done[] = [];
  players.forEach((playerId, i) => {
    if (share === undefined || busy.has(playerId)) return;
    const result = apply(held, eventOf(due, i, playerId, share, now));
    // A rating that is as uncertain already is not changed, and needs no event.
    if (result.applied.players.some(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after)))
      done.push(result);
  });
  if (done.length > 0) await write(tx, held, done);
  await forgetStrangers(
    tx,
    held.pool,
    players.map((playerId, i) => eventOf(due, i, playerId, 0, now)),
  );
  return done.length > 0;
}

function sinceOf({ rules }: RatingPool, now: number): number {
  return now - (rules.integrity?.everyDays ?? defaultEveryDays) * dayMs;
}

function eventOf(
  { id, kind }: DueCase,
  i: number,
  playerId: string,
  uncertainty: number,
  at: number,
): SignalEvent {
  const reason = [message('rating.signal', { kind, caseId: id })];
  return { kind: 'signal', eventId: `${id}-${i + 1}`, at, playerId, uncertainty, by: 'integrity', reason };
}

/** The players of the case whose uncertainty another case raised after a time. */
async function raisedSince(tx: Sql, { id, pool, players }: DueCase, since: number): Promise<Set<string>> {
  const rows = await tx.$queryRaw<Pick<DueCase, 'kind' | 'players'>[]>`
    SELECT kind, players FROM integrity_case
    WHERE players && ${players}::text[] AND pool = ${pool} AND id <> ${id} AND raised_at > ${new Date(since)}`;
  return new Set(rows.flatMap(raisedBy));
}
