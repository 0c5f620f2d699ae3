import { type Db, mayBeItemsFault, processTime, transact } from '@muster/db';
import {
  Batcher,
  decideGiveUp,
  decideLeave,
  defaultPlacementTimeoutSeconds,
  type LeaveMatchResult,
  Pace,
  type PlacementTimeouts,
  type PlaceResult,
} from '@muster/domain';
import { carryOut } from '../match-life/changes.store.js';
import { readMatch } from '../match-life/facts.store.js';
import { holdUnplaced } from './leave.store.js';
import { place, placedAtOnce } from './place.store.js';

interface Begun {
  readonly matchId: string;
  readonly now: number;
}

interface Unplaced extends Begun {
  readonly timeouts: PlacementTimeouts;
}

/** The minimum time between two batches of matches to place, in milliseconds. */
const placingMs = 25;

const matchesOf = (asked: readonly Begun[]): string[] => asked.map(({ matchId }) => matchId);
const latest = (asked: readonly Begun[]): number => Math.max(...asked.map(({ now }) => now));

/** Matches that need a server. Each method is one transaction for each match or batch, with its outbox entries. */
export class PostgresPlacementStore {
  private readonly placingPace = new Pace(placingMs, processTime);
  private readonly beginnings = new Batcher<Begun, void>(
    placedAtOnce,
    this.placingPace.counting(async (begun) => {
      await this.beginAll(matchesOf(begun), latest(begun));
      return begun.map(() => undefined);
    }),
    mayBeItemsFault,
    this.placingPace.next,
  );
  /** Matches that begin together are placed together, so they have no further pace. */
  private readonly picks = new Batcher<Unplaced, PlaceResult>(
    placedAtOnce,
    async (unplaced) => {
      const [first] = unplaced;
      return first ? place(this.db, matchesOf(unplaced), first.timeouts, latest(unplaced)) : [];
    },
    mayBeItemsFault,
  );

  constructor(private readonly db: Db) {}

  /** Records that a formed match needs a server. Idempotent. */
  begin(matchId: string, now: number): Promise<void> {
    return this.beginnings.submit('', { matchId, now });
  }

  /** Reserves a slot of the best fitting server by the policy of its rules and commands it to create the session. */
  place(matchId: string, timeouts: PlacementTimeouts, now: number): Promise<PlaceResult> {
    return this.picks.submit(JSON.stringify(timeouts), { matchId, timeouts, now });
  }

  /** Matches whose next attempt is due. */
  async duePlacements(now: number, limit: number): Promise<string[]> {
    const due = await this.db.$sql.$queryRaw<{ match_id: string }[]>`
      SELECT match_id FROM placement WHERE next_attempt_at <= ${new Date(now)} ORDER BY next_attempt_at LIMIT ${limit}`;
    return due.map((row) => row.match_id);
  }

  /**
   * Makes the next attempts of waiting matches due, because slots became free: of those whose last attempt is the longest
   * ago.
   *
   * @param limit the number of matches
   * @returns how many are due now
   */
  async makePlacementsDue(now: number, limit: number): Promise<number> {
    const at = new Date(now);
    return this.db.$sql.$executeRaw`
      UPDATE placement SET next_attempt_at = ${at}
      WHERE next_attempt_at > ${at} AND match_id = ANY(ARRAY(
        SELECT match_id FROM placement
        WHERE next_attempt_at > ${at} AND NOT EXISTS (
          SELECT 1 FROM session WHERE session.match_id = placement.match_id AND session.state IN ('reserved', 'live'))
        ORDER BY next_attempt_at LIMIT ${limit}))`;
  }

  /** Gives up matches that found no server in time. @returns their ids */
  async giveUp(now: number, limit: number): Promise<string[]> {
    const overdue = await this.db.$sql.$queryRaw<{ matchId: string }[]>`
      SELECT match_id AS "matchId" FROM placement WHERE give_up_at <= ${new Date(now)} AND NOT EXISTS (
        SELECT 1 FROM session WHERE session.match_id = placement.match_id AND session.state IN ('reserved', 'live'))
      LIMIT ${limit}`;
    const abandoned: string[] = [];
    for (const { matchId } of overdue) {
      const closed = await transact(this.db, async (tx) => {
        const [locked] = await tx.$queryRaw<{ attempts: number }[]>`
          SELECT attempts FROM placement WHERE match_id = ${matchId} FOR UPDATE SKIP LOCKED`;
        if (!locked) return false;
        const open = await tx.$queryRaw<object[]>`
          SELECT 1 FROM session WHERE match_id = ${matchId} AND state IN ('reserved', 'live')`;
        const match = await readMatch(tx, matchId);
        return carryOut(
          tx,
          decideGiveUp({ match, attempts: locked.attempts, hasServer: open.length > 0 }, now),
        );
      });
      if (closed) abandoned.push(matchId);
    }
    return abandoned;
  }

  /**
   * The players of a ticket leave a match without a server, if its rules allow it by now: the match is abandoned, and
   * remade of the others. Or they leave a match whose server is silent, which may go on without them; see `decideLeave`.
   */
  leaveUnplaced(
    matchId: string,
    ticketId: string,
    { silenceMs }: Pick<PlacementTimeouts, 'silenceMs'>,
    now: number,
  ): Promise<LeaveMatchResult> {
    return transact(this.db, async (tx) =>
      carryOut(tx, decideLeave(await holdUnplaced(tx, matchId, now - silenceMs), ticketId, now)),
    );
  }

  private async beginAll(matchIds: readonly string[], now: number): Promise<void> {
    // "For share" waits for a transaction that places or closes the match and then reads its state again. Without it, the
    // removed row would be inserted again.
    await this.db.$sql.$executeRaw`
      INSERT INTO placement (match_id, attempts, next_attempt_at, give_up_at)
      SELECT id, 0, ${new Date(now)}, ${new Date(now)}::timestamptz
        + make_interval(secs => coalesce((rules->>'placementTimeoutSeconds')::float8, ${defaultPlacementTimeoutSeconds}))
      FROM match WHERE id = ANY(${[...matchIds]}::text[]) AND state = 'formed' ORDER BY id FOR SHARE
      ON CONFLICT DO NOTHING`;
  }
}
