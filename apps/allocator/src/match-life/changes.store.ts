import { outboxJobsOf, sentenceOf, writeReason } from '@muster/contracts';
import { enqueueAfterCommit, type Sql } from '@muster/db';
import type { Changes, Decision, MatchChange, MatchOffence, NewCommand, SessionChange } from '@muster/domain';
import { writeBackfill } from './seats.store.js';
import { command, withdrawOrder } from './queue-command.store.js';

/**
 * Writes a decision and its jobs. Rows are locked in the order of every transaction: command, session, match, players,
 * placement, backfill.
 *
 * @returns the outcome of the decision
 * @throws Error when a session or match has left the state that the decision assumed
 */
export async function carryOut<Outcome>(
  tx: Sql,
  { outcome, changes, jobs }: Decision<Outcome>,
): Promise<Outcome> {
  if (changes) await write(tx, changes);
  await enqueueAfterCommit(tx, 'allocator', outboxJobsOf(jobs));
  return outcome;
}

async function write(tx: Sql, changes: Changes): Promise<void> {
  const { matchId, answered, withdrawnOrderOf, session, blame, match, left, placement, conflict } = changes;
  if (answered)
    await tx.$executeRaw`
      UPDATE command SET state = ${answered.state} WHERE server_id = ${answered.serverId} AND seq = ${answered.seq}`;
  if (withdrawnOrderOf !== undefined) await withdrawOrder(tx, withdrawnOrderOf);
  if (session) await moveSession(tx, session);
  if (blame) await noteBlame(tx, matchId, blame);
  if (left)
    await tx.$executeRaw`
      UPDATE match_player SET left_at = ${new Date(left.at)} WHERE match_id = ${matchId} AND ticket_id = ${left.ticketId}`;
  if (match) await moveMatch(tx, matchId, match);
  if (changes.freesPlayers) await tx.$executeRaw`DELETE FROM live_player WHERE match_id = ${matchId}`;
  if (placement === 'over') await tx.$executeRaw`DELETE FROM placement WHERE match_id = ${matchId}`;
  else if (placement) {
    const { dueAt, attempts, shortage, told } = placement;
    await tx.$executeRaw`
      UPDATE placement SET next_attempt_at = ${new Date(dueAt)}, attempts = coalesce(${attempts}, attempts),
        shortage = coalesce(${shortage}, shortage), anywhere = coalesce(${told?.anywhere}, anywhere),
        open_regions = coalesce(${told ? [...told.regions] : null}::text[], open_regions)
      WHERE match_id = ${matchId}`;
  }
  if (conflict)
    await tx.$executeRaw`
      INSERT INTO result_conflict (match_id, reported_by, reason, messages, digest, body, received_at)
      VALUES (${matchId}, ${conflict.reportedBy}, ${sentenceOf(conflict.reason)}, ${JSON.stringify([conflict.reason])}::jsonb,
        ${conflict.digest}, ${JSON.stringify(conflict.body)}::jsonb, ${new Date(conflict.receivedAt)})
      ON CONFLICT DO NOTHING`;
  await writeBackfill(tx, changes);
  if (changes.command) await order(tx, changes.command);
}

/** Writes the offences of a match. Each later update that frees players of the match carries them. The caller holds the session. */
export async function noteBlame(tx: Sql, matchId: string, offences: readonly MatchOffence[]): Promise<void> {
  await tx.$executeRaw`UPDATE match SET blame = ${JSON.stringify(offences)}::jsonb WHERE id = ${matchId}`;
}

async function moveSession(tx: Sql, change: SessionChange): Promise<void> {
  if (change.to === 'live' || change.to === 'ended')
    throw new Error(`this statement cannot change a session to ${change.to}`);
  const { sessionId, from, to, reason, closedAt } = change;
  const count = await tx.$executeRaw`
    UPDATE session SET state = ${to}, reason = ${sentenceOf(reason)}, closed_at = ${new Date(closedAt)}
    WHERE id = ${sessionId} AND state = ANY(${[...from]}::text[])`;
  if (count === 0) throw new Error(`session ${sessionId} is not ${from.join(' or ')}`);
}

async function moveMatch(tx: Sql, id: string, change: MatchChange): Promise<void> {
  if (change.to !== 'abandoned' && change.to !== 'void')
    throw new Error(`this statement cannot change a match to ${change.to}`);
  const { from, closedAt, reason } = change;
  const count = await tx.$executeRaw`
    UPDATE match SET state = ${change.to}, closed_at = ${new Date(closedAt)}, close_reason = ${sentenceOf(reason)},
      close_messages = ${JSON.stringify([reason])}::jsonb
    WHERE id = ${id} AND state = ANY(${[...from]}::text[])`;
  if (count === 0) throw new Error(`match ${id} is not ${from.join(' or ')}`);
}

async function order(tx: Sql, ordered: NewCommand): Promise<void> {
  const { serverId, kind, sessionId, at } = ordered;
  const payload = ordered.kind === 'end-session' ? writeReason([ordered.payload.reason]) : ordered.payload;
  await command(tx, serverId, kind, sessionId, payload, at);
}
