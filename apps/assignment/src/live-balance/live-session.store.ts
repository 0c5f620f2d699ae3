import { jobQueues, whyOf, type SentOrder } from '@muster/contracts';
import { type Db, enqueueAfterCommit, type Sql, transact } from '@muster/db';
import { own, type Message } from '@muster/domain';

interface Explained {
  readonly why: readonly Message[];
}

/** An order as it is decided: explained by messages. */
export type LiveOrder = Explained &
  Pick<SentOrder, 'kind' | 'withinMs' | 'exact'> & {
    readonly moves: readonly (Explained & Pick<SentOrder['moves'][number], 'playerId' | 'from' | 'to'>)[];
  };

/** A running match whose server reports events. Live balance defines the types of policy, roster and state. */
export interface LiveSession<Policy, Roster, State> {
  readonly matchId: string;
  readonly sessionId: string;
  readonly policy: Policy;
  readonly roster: Roster;
  readonly state: State;
  /** The last event that was applied; 0 before the first. */
  readonly lastSeq: number;
}

/** A match as it was formed, from which live balance starts. */
export interface LiveMatch {
  readonly matchId: string;
  readonly pool: string;
  readonly rules: unknown;
  /** null: unknown. */
  readonly map: string | null;
  readonly players: readonly {
    readonly playerId: string;
    readonly team: number;
    readonly ticketId: string | null;
    readonly mu: number;
    readonly role: string | null;
  }[];
}

/** The effect of events on a session. */
export interface LiveStep<Roster, State, Answer> {
  readonly roster: Roster;
  readonly state: State;
  readonly lastSeq: number;
  /** When to evaluate again without an event, milliseconds since the epoch; null: not before the next event. */
  readonly dueAt: number | null;
  /** Orders for the server, in sequence; mostly none, seldom more than one. */
  readonly orders: readonly LiveOrder[];
  /** Players who have changed team since the match was formed. */
  readonly changedTeam: readonly { readonly playerId: string; readonly team: number }[];
  readonly answer: Answer;
}

/**
 * Why a session is not evaluated: another server's, or unknown; its server has not confirmed it yet; over; its queue's
 * rules do not ask for live balance.
 */
export type LiveAbsence = 'unknown' | 'not-yet' | 'over' | 'left-alone';

interface Row<Policy, Roster, State> extends LiveSession<Policy, Roster, State> {
  readonly serverId: string;
  readonly orders: number;
  readonly matchState: string;
}

interface MatchRow extends LiveMatch {
  readonly sessionId: string;
  readonly serverId: string;
  readonly state: string;
}

const absences: Readonly<Record<string, LiveAbsence>> = { live: 'left-alone', reserved: 'not-yet' };

interface Changed<Roster, State> {
  readonly row: Row<unknown, Roster, State>;
  readonly step: LiveStep<Roster, State, unknown>;
}

/** Running matches under live balance, in Postgres. Only this store writes policy, roster and state, which are JSON. */
export class PostgresLiveSessionStore<Policy, Roster, State> {
  constructor(private readonly db: Db) {}

  /**
   * Locks each session, runs the step, and stores its result with its orders, all in one transaction. A step may run more
   * than once, and only the last run counts: it must have no other effect.
   *
   * @param serverId the reporting server; null: any
   * @param begin the initial state of a match reported for the first time; null: it gets no live balance
   * @returns in the order asked
   */
  change<Answer>(
    serverId: string | null,
    asked: readonly {
      readonly sessionId: string;
      readonly step: (session: LiveSession<Policy, Roster, State>) => LiveStep<Roster, State, Answer>;
    }[],
    begin: (match: LiveMatch) => { policy: Policy; roster: Roster; state: State } | null,
    now: number,
  ): Promise<(Answer | LiveAbsence)[]> {
    const ids = asked.map(({ sessionId }) => sessionId);
    return transact(this.db, async (tx) => {
      const rows = await this.hold(tx, ids);
      const missing = ids.filter((id) => !rows.has(id));
      const absent = await this.begin(tx, missing, serverId, begin);
      if (missing.length > absent.size)
        for (const [id, row] of await this.hold(tx, missing)) rows.set(id, row);
      const changed: Changed<Roster, State>[] = [];
      const over: string[] = [];
      const answers = asked.map(({ sessionId, step }) => {
        const row = rows.get(sessionId);
        if (!row) return absent.get(sessionId) ?? 'unknown';
        if (serverId !== null && row.serverId !== serverId) return 'unknown';
        if (row.matchState !== 'placed') {
          over.push(row.matchId);
          return 'over';
        }
        const made = step(row);
        changed.push({ row, step: made });
        return made.answer;
      });
      await store(tx, changed, now);
      if (over.length > 0)
        await tx.$executeRaw`DELETE FROM live_balance WHERE match_id = ANY(${over}::text[])`;
      return answers;
    });
  }

  /** The matches of the given sessions, by session. */
  async matchesOf(sessionIds: readonly string[]): Promise<ReadonlyMap<string, LiveMatch>> {
    const rows = await matchesOf(this.db.$sql, sessionIds);
    return new Map(rows.map((row) => [row.sessionId, row]));
  }

  /** Sessions that are due for evaluation. */
  async due(now: number, limit: number): Promise<string[]> {
    const rows = await this.db.$sql.$queryRaw<{ session_id: string }[]>`
      SELECT session_id FROM live_balance WHERE due_at <= ${new Date(now)} ORDER BY due_at LIMIT ${limit}`;
    return rows.map((row) => row.session_id);
  }

  /** Deletes ended sessions; their orders stay with the match. @returns how many */
  async deleteEnded(limit: number): Promise<number> {
    // Ordered by id, skipping locked rows: the next evaluation finds those.
    return this.db.$sql.$executeRaw`
      DELETE FROM live_balance WHERE match_id IN (
        SELECT live.match_id FROM live_balance AS live JOIN match ON match.id = live.match_id
        WHERE match.state <> 'placed' ORDER BY live.match_id LIMIT ${limit} FOR UPDATE OF live SKIP LOCKED)`;
  }

  /** Locks sessions, in the order of their matches. Policy, roster and state were written by `change`. */
  private async hold(tx: Sql, sessionIds: readonly string[]) {
    const rows = await tx.$queryRaw<Row<Policy, Roster, State>[]>`
      SELECT live.match_id AS "matchId", live.session_id AS "sessionId", live.server_id AS "serverId", live.policy, live.roster,
        live.state, live.last_seq AS "lastSeq", live.orders, match.state AS "matchState"
      FROM live_balance AS live JOIN match ON match.id = live.match_id
      WHERE live.session_id = ANY(${[...sessionIds]}::text[]) ORDER BY live.match_id FOR UPDATE OF live`;
    return new Map(rows.map((row) => [row.sessionId, row]));
  }

  /** @returns the sessions that were not opened, with the reason */
  private async begin(
    tx: Sql,
    sessionIds: readonly string[],
    serverId: string | null,
    begin: (match: LiveMatch) => { policy: Policy; roster: Roster; state: State } | null,
  ): Promise<Map<string, LiveAbsence>> {
    const absent = new Map<string, LiveAbsence>(sessionIds.map((id) => [id, 'unknown']));
    if (sessionIds.length === 0) return absent;
    const fresh = await matchesOf(tx, sessionIds);
    const rows = fresh.flatMap((row) => {
      const { sessionId, serverId: host, state, matchId } = row;
      if (serverId !== null && host !== serverId) return [];
      absent.set(sessionId, own(absences, state) ?? 'over');
      const start = state === 'live' ? begin(row) : null;
      if (!start) return [];
      absent.delete(sessionId);
      return [{ match_id: matchId, session_id: sessionId, server_id: host, ...start }];
    });
    // In the order of their ids, as they are locked: two transactions that open the same sessions wait for each other.
    await tx.$executeRaw`
      INSERT INTO live_balance (match_id, session_id, server_id, policy, roster, state)
      SELECT match_id, session_id, server_id, policy, roster, state
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS row(match_id text, session_id text, server_id text, policy jsonb, roster jsonb, state jsonb)
      ORDER BY match_id ON CONFLICT DO NOTHING`;
    return absent;
  }
}

/** Sessions with their matches and the players who are in them. */
function matchesOf(sql: Sql, sessionIds: readonly string[]): Promise<MatchRow[]> {
  return sql.$queryRaw<MatchRow[]>`
    SELECT session.id AS "sessionId", session.server_id AS "serverId", session.state, match.id AS "matchId", match.pool, match.rules, match.map, (
      SELECT coalesce(jsonb_agg(jsonb_build_object('playerId', player_id, 'team', team, 'ticketId', ticket_id, 'mu', mu, 'role', role)
        ORDER BY player_id), '[]')
      FROM match_player WHERE match_player.match_id = match.id AND left_at IS NULL) AS players
    FROM session JOIN match ON match.id = session.match_id
    WHERE session.id = ANY(${[...sessionIds]}::text[])`;
}

async function store<Roster, State>(
  tx: Sql,
  changed: readonly Changed<Roster, State>[],
  now: number,
): Promise<void> {
  if (changed.length === 0) return;
  const rows = changed.map(({ row, step }) => ({
    match_id: row.matchId,
    roster: step.roster,
    state: step.state,
    last_seq: step.lastSeq,
    orders: row.orders + step.orders.length,
    due_at: step.dueAt === null ? null : new Date(step.dueAt),
  }));
  await tx.$executeRaw`
    UPDATE live_balance SET roster = row.roster, state = row.state, last_seq = row.last_seq, orders = row.orders, due_at = row.due_at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS row(match_id text, roster jsonb, state jsonb, last_seq int, orders int, due_at timestamptz)
    WHERE live_balance.match_id = row.match_id AND live_balance.match_id = ANY(${rows.map((row) => row.match_id)}::text[])`;
  const teams = changed.flatMap(({ row, step }) =>
    step.changedTeam.map(({ playerId, team }) => ({ match_id: row.matchId, player_id: playerId, team })),
  );
  // A player who has changed team wins and loses with the new one.
  if (teams.length > 0)
    await tx.$executeRaw`
      UPDATE match_player SET team = row.team
      FROM jsonb_to_recordset(${JSON.stringify(teams)}::jsonb) AS row(match_id text, player_id text, team int)
      WHERE match_player.match_id = row.match_id AND match_player.player_id = row.player_id
        AND match_player.match_id = ANY(${[...new Set(teams.map((row) => row.match_id))]}::text[])`;
  const orders = changed.flatMap(({ row, step }) =>
    step.orders.map((order, i) => ({ row, order: { number: row.orders + 1 + i, ...sentOrder(order) } })),
  );
  if (orders.length === 0) return;
  const stored = orders.map(({ row, order: { number, ...body } }) => ({
    match_id: row.matchId,
    number,
    body,
  }));
  await tx.$executeRaw`
    INSERT INTO balance_order (match_id, number, ordered_at, body)
    SELECT match_id, number, ${new Date(now)}, body
    FROM jsonb_to_recordset(${JSON.stringify(stored)}::jsonb) AS row(match_id text, number int, body jsonb)`;
  await enqueueAfterCommit(
    tx,
    'assignment',
    orders.map(({ row, order }) => ({
      queue: jobQueues.balanceSession,
      jobId: `balance-${row.sessionId}-${order.number}`,
      payload: { sessionId: row.sessionId, order },
    })),
  );
}

/** An order with its messages as text, in the form that every release reads. */
const sentOrder = ({ moves, why, ...rest }: LiveOrder): SentOrder => ({
  ...rest,
  ...whyOf(why),
  moves: moves.map((move) => ({ ...move, ...whyOf(move.why) })),
});
