import { type Db, transact, sqlPart } from '@muster/db';
import {
  type AllocationChange,
  type DueAllocation,
  errorCodes,
  type HostingNeed,
  type HostingRoom,
  serversToAsk,
} from '@muster/domain';

/** An arbitrary key that all allocators share: one counts and writes requests at a time. */
const openingLock = 7_267_003;
/** The SQLSTATE of a second row for a unique key. */
const uniqueViolation = '23505';
/** A server that another allocation has is asked for again after this time, in milliseconds. */
const takenPauseMs = 1_000;
/** What a provider refused is not asked for there again for this time, in milliseconds. */
const refusedMs = 60_000;

/** A key of the regions that does not depend on their order, as in `scale_out`. */
const needOf = (regions: readonly string[]): string => regions.toSorted().join(',');

/** Why servers are asked for, in words. */
function reasonOf({ waitingMatches }: HostingNeed): string {
  if (waitingMatches === 0) return 'spare slots are missing';
  return waitingMatches === 1 ? '1 match waits' : `${waitingMatches} matches wait`;
}

const awaited = sqlPart`state IN ('asked', 'pending', 'allocated')`;

/** Servers that providers were asked for. Each method is one transaction, and any number of replicas may call it. */
export class PostgresAllocationStore {
  constructor(private readonly db: Db) {}

  /** Writes requests for the servers that are missing. One replica at a time counts and writes. @returns how many */
  openAllocations(need: HostingNeed, makeId: () => string, now: number): Promise<number> {
    const { build, choices, slots } = need;
    const key = needOf(need.regions);
    const at = new Date(now);
    const since = new Date(now - refusedMs);
    const reason = reasonOf(need);
    return transact(this.db, async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${openingLock})`;
      const rooms: HostingRoom[] = [];
      const dueAt: Date[] = [];
      for (const choice of choices) {
        const { provider, region } = choice;
        const [row] = await tx.$queryRaw<
          { open: number; ours: number; failing: number; refused: number; paused: Date | null }[]
        >`
          SELECT count(*)::int AS open, count(ours)::int AS ours, count(last_error) FILTER (WHERE ours)::int AS failing,
            max(paused_until) AS paused,
            (SELECT count(*)::int FROM allocation WHERE provider = ${provider} AND build = ${build} AND need = ${key}
              AND region IS NOT DISTINCT FROM ${region} AND state = 'failed' AND closed_at > ${since}) AS refused
          FROM (
            SELECT last_error, paused_until,
              nullif(build = ${build} AND need = ${key} AND region IS NOT DISTINCT FROM ${region}, false) AS ours
            FROM allocation WHERE provider = ${provider} AND ${awaited}) AS each`;
        const { open = 0, ours = 0, failing = 0, refused = 0, paused = null } = row ?? {};
        rooms.push({ ...choice, open, awaited: ours - failing, failing, refused });
        dueAt.push(new Date(Math.max(now, paused?.getTime() ?? now)));
      }
      let opened = 0;
      for (const [i, count] of serversToAsk(rooms, slots).entries()) {
        const choice = choices[i];
        if (!choice || count === 0) continue;
        const ids = Array.from({ length: count }, makeId);
        opened += await tx.$executeRaw`
          INSERT INTO allocation (id, provider, build, region, need, reason, state, next_at, give_up_at, asked_at)
          SELECT id, ${choice.provider}, ${build}, ${choice.region}, ${key}, ${reason}, 'asked', ${dueAt[i] ?? at},
            ${new Date(now + choice.claimMs)}, ${at} FROM unnest(${ids}::text[]) AS id`;
      }
      return opened;
    });
  }

  /**
   * Counts the open requests of a need.
   *
   * @returns `error`: why the last request about one of them failed; null if one of them had no error. Without any: what was
   * refused
   */
  async openRequests({ build, regions, choices }: HostingNeed, now: number) {
    const providers = choices.map(({ provider }) => provider);
    const ours = sqlPart`
      provider = ANY(${providers}::text[]) AND build = ${build} AND need = ${needOf(regions)}`;
    const [row] = await this.db.$sql.$queryRaw<
      { open: number; failing: number; error: string | null; refused: string | null }[]
    >`
      SELECT count(*)::int AS open, count(last_error)::int AS failing, max(last_error) AS error,
        (SELECT max(last_error) FROM allocation
          WHERE ${ours} AND state = 'failed' AND closed_at > ${new Date(now - refusedMs)}) AS refused
      FROM allocation WHERE ${ours} AND ${awaited}`;
    const { open = 0, failing = 0, error = null, refused = null } = row ?? {};
    return { open, error: open === 0 ? refused : failing === open ? error : null };
  }

  /** Servers among these that are registered, or that an allocation has. */
  async takenServers(serverIds: readonly string[]): Promise<string[]> {
    const rows = await this.db.$sql.$queryRaw<{ id: string }[]>`
      SELECT id FROM server WHERE id = ANY(${[...serverIds]}::text[]) AND state IN ('ready', 'draining')
      UNION SELECT server_id FROM allocation
      WHERE server_id = ANY(${[...serverIds]}::text[]) AND state IN ('allocated', 'claimed')`;
    return rows.map(({ id }) => id);
  }

  /**
   * Takes due allocations of a provider. No other replica takes them within `leaseMs`; after that, this replica counts
   * as dead.
   */
  takeDue(provider: string, leaseMs: number, now: number, limit: number): Promise<DueAllocation[]> {
    return this.db.$sql.$queryRaw<DueAllocation[]>`
      UPDATE allocation SET attempts = attempts + 1, next_at = ${new Date(now + leaseMs)}
      WHERE id = ANY(ARRAY(
        SELECT id FROM allocation WHERE provider = ${provider} AND next_at <= ${new Date(now)}
        ORDER BY next_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))
      RETURNING id, build, region, reason, state, attempts AS attempt, (extract(epoch FROM give_up_at) * 1000)::float8 AS "giveUpAt"`;
  }

  /** Stores what an answer changes, unless the allocation has moved on. */
  async settleAllocation(due: DueAllocation, change: AllocationChange, now: number): Promise<void> {
    const { id, attempt, state } = due;
    const { $sql: sql } = this.db;
    const at = new Date(now);
    switch (change.to) {
      case 'allocated':
        return this.allocated(due, change.server, at);
      case 'pending':
        await sql.$executeRaw`
          UPDATE allocation SET state = 'pending', last_error = NULL, next_at = ${new Date(change.nextAt)}
          WHERE id = ${id} AND state IN ('asked', 'pending') AND attempts = ${attempt}`;
        return;
      case 'failed':
        await sql.$executeRaw`
          UPDATE allocation SET state = 'failed', last_error = ${change.error}, next_at = NULL, closed_at = ${at}
          WHERE id = ${id} AND state IN ('asked', 'pending') AND attempts = ${attempt}`;
        return;
      case 'released':
        await sql.$executeRaw`
          UPDATE allocation SET state = 'released', next_at = NULL, closed_at = ${at}
          WHERE id = ${id} AND state = 'releasing' AND attempts = ${attempt}`;
        return;
      case 'waits':
        await sql.$executeRaw`
          UPDATE allocation SET last_error = ${change.error}, next_at = ${new Date(change.nextAt)}
          WHERE id = ${id} AND state = ${state} AND attempts = ${attempt}`;
    }
  }

  /**
   * A reply that names a server counts whenever it arrives, because every attempt names the same server. The server may
   * have registered before; and an allocation that was given up meanwhile is released again.
   */
  private async allocated(
    { id, giveUpAt }: DueAllocation,
    { serverId, host, port }: { serverId: string | null; host: string | null; port: number | null },
    at: Date,
  ): Promise<void> {
    try {
      await this.db.$sql.$executeRaw`
        UPDATE allocation SET
          host = ${host}, port = ${port}, allocated_at = coalesce(allocated_at, ${at}), last_error = NULL,
          server_id = CASE WHEN state IN ('asked', 'pending') THEN ${serverId} ELSE server_id END,
          closed_at = NULL,
          attempts = CASE WHEN state IN ('released', 'failed') THEN 0 ELSE attempts END,
          next_at = CASE
            WHEN state IN ('asked', 'pending') THEN ${new Date(giveUpAt)}
            WHEN state IN ('released', 'failed') THEN ${at} ELSE next_at END,
          state = CASE
            WHEN state IN ('asked', 'pending') THEN 'allocated'
            WHEN state IN ('released', 'failed') THEN 'releasing' ELSE state END
        WHERE id = ${id}`;
    } catch (error) {
      if (!errorCodes(error).includes(uniqueViolation)) throw error;
      await this.db.$sql.$executeRaw`
        UPDATE allocation SET last_error = ${`another allocation has server ${serverId ?? ''}`},
          next_at = ${new Date(at.getTime() + takenPauseMs)} WHERE id = ${id} AND state IN ('asked', 'pending')`;
    }
  }

  /** Moves the next requests to a provider behind the time until which it wants none. */
  async pauseProvider(provider: string, until: number): Promise<void> {
    await this.db.$sql.$executeRaw`
      UPDATE allocation SET next_at = ${new Date(until)}, paused_until = ${new Date(until)}
      WHERE provider = ${provider} AND next_at <= ${new Date(until)} AND state IN ('asked', 'pending', 'releasing')`;
  }

  /** Gives up an allocation that no server has claimed: it is released next. */
  async giveUpAllocation(id: string, now: number): Promise<void> {
    await this.db.$sql.$executeRaw`
      UPDATE allocation SET state = 'releasing', attempts = 0, next_at = ${new Date(now)},
        last_error = coalesce(last_error, 'no server registered with it in time')
      WHERE id = ${id} AND ${awaited}`;
  }

  /** Ends an allocation that was never sent. */
  async dropAllocation(id: string, now: number): Promise<void> {
    const at = new Date(now);
    await this.db.$sql.$executeRaw`
      UPDATE allocation SET state = 'failed', next_at = NULL, closed_at = ${at},
        last_error = coalesce(last_error, 'the request was not sent in time')
      WHERE id = ${id} AND state = 'asked'`;
  }

  /** Releases the allocations among a page of claimed ones whose server has left or is lost. @returns the next cursor */
  async releaseDeserted(afterServerId: string, limit: number, now: number): Promise<string | null> {
    const page = await this.db.$sql.$queryRaw<{ server_id: string }[]>`
      SELECT server_id FROM allocation WHERE state IN ('allocated', 'claimed') AND server_id > ${afterServerId}
      ORDER BY server_id LIMIT ${limit}`;
    const ids = page.map(({ server_id: id }) => id);
    await this.db.$sql.$executeRaw`
      UPDATE allocation SET state = 'releasing', attempts = 0, next_at = ${new Date(now)}
      WHERE server_id = ANY(${ids}::text[]) AND state IN ('allocated', 'claimed') AND state = 'claimed' AND NOT EXISTS (
        SELECT 1 FROM server WHERE server.id = allocation.server_id AND server.state IN ('ready', 'draining'))`;
    return page.length === limit ? (ids.at(-1) ?? null) : null;
  }

  /**
   * Compares ids that a provider holds: those that are over are released again.
   *
   * @returns ids that are not known
   */
  async releaseHeld(provider: string, ids: readonly string[], now: number): Promise<string[]> {
    const held = [...ids];
    await this.db.$sql.$executeRaw`
      UPDATE allocation SET state = 'releasing', attempts = 0, closed_at = NULL, next_at = ${new Date(now)},
        last_error = 'the provider still held the server'
      WHERE id = ANY(${held}::text[]) AND provider = ${provider} AND state IN ('released', 'failed')`;
    const known = await this.db.$sql.$queryRaw<{ id: string }[]>`
      SELECT id FROM allocation WHERE id = ANY(${held}::text[])`;
    return held.filter((id) => !known.some((each) => each.id === id));
  }
}
