import type { Sql } from '@muster/db';
import { AllocationOver, AllocationTaken, type ServerRegistration } from '@muster/domain';

/** The provider of a server that has left is asked after this time whether it is gone, in milliseconds. */
export const leftGraceMs = 5_000;
/** A server that is lost may come back with its allocation for this time, in milliseconds. */
export const lostGraceMs = 60_000;

/**
 * Claims the allocation of a server that registers, in the transaction of its registration. A server that names none
 * claims the one whose provider named this server.
 *
 * @throws AllocationTaken if another server has it @throws AllocationOver if it was given up or is not known
 */
export async function claimAllocation(
  tx: Sql,
  { serverId, allocation }: Pick<ServerRegistration, 'serverId' | 'allocation'>,
  now: number,
): Promise<void> {
  const at = new Date(now);
  if (allocation === undefined) {
    await tx.$executeRaw`
      UPDATE allocation SET state = 'claimed', claimed_at = ${at}, next_at = NULL, last_error = NULL
      WHERE server_id = ${serverId} AND state = 'allocated'`;
    return;
  }
  // A restarted process may have another allocation than the one before it.
  await tx.$executeRaw`
    UPDATE allocation SET state = 'releasing', attempts = 0, next_at = ${at}, last_error = 'its server has another one'
    WHERE server_id = ${serverId} AND state IN ('allocated', 'claimed') AND id <> ${allocation}`;
  const claimed = await tx.$executeRaw`
    UPDATE allocation SET state = 'claimed', server_id = ${serverId}, claimed_at = coalesce(claimed_at, ${at}),
      next_at = NULL, last_error = NULL
    WHERE id = ${allocation} AND (
      state IN ('asked', 'pending', 'allocated')
      OR (state = 'claimed' AND server_id = ${serverId})
      OR (state = 'releasing' AND server_id = ${serverId} AND attempts = 0))`;
  if (claimed === 1) return;
  const [row] = await tx.$queryRaw<{ state: string; server_id: string | null }[]>`
    SELECT state, server_id FROM allocation WHERE id = ${allocation}`;
  if (row?.state === 'claimed')
    throw new AllocationTaken(
      `Server ${row.server_id ?? ''} has allocation ${allocation}. This server is surplus: shut it down.`,
      { allocation, serverId: row.server_id },
    );
  throw new AllocationOver(
    row
      ? `Allocation ${allocation} was given up. Shut this server down.`
      : `There is no allocation ${allocation}. Shut this server down, or register it without an allocation.`,
    { allocation },
  );
}

/** Releases the allocation of a server that has left or is lost. @param at when its provider is told */
export async function endAllocation(tx: Sql, serverId: string, at: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE allocation SET state = 'releasing', attempts = 0, next_at = ${new Date(at)}
    WHERE server_id = ${serverId} AND state IN ('allocated', 'claimed') AND state = 'claimed'`;
}

/** Deletes allocations that ended before a time. @returns how many */
export function deleteAllocations(sql: Sql, before: Date, limit: number): Promise<number> {
  return sql.$executeRaw`
    DELETE FROM allocation WHERE id = ANY(ARRAY(
      SELECT id FROM allocation WHERE closed_at < ${before} ORDER BY closed_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
}
