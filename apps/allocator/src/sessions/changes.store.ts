import { outboxJobsOf, sentenceOf, writeReason } from '@muster/contracts';
import { asJson, enqueueAfterCommit, type Prisma, type Tx } from '@muster/db';
import type { Changes, Decision, MatchChange, NewCommand, SessionChange } from '@muster/domain';
import { noteBlame } from './blame.store.js';
import { command, withdrawOrder } from './commands.store.js';

/**
 * Writes what was decided, with its jobs. Rows are taken in the order that every transaction keeps: command, session, match,
 * players, placement.
 *
 * @returns the outcome of the decision
 * @throws Error when a session or a match is no longer in the state that was decided on
 */
export async function carryOut<Outcome>(
  tx: Tx,
  { outcome, changes, jobs }: Decision<Outcome>,
): Promise<Outcome> {
  if (changes) await write(tx, changes);
  await enqueueAfterCommit(tx, 'allocator', outboxJobsOf(jobs));
  return outcome;
}

async function write(tx: Tx, changes: Changes): Promise<void> {
  const { matchId, answered, withdrawnOrderOf, session, blame, match, left, placement, conflict } = changes;
  if (answered)
    await tx.$executeRaw`
      UPDATE command SET state = ${answered.state} WHERE server_id = ${answered.serverId} AND seq = ${answered.seq}`;
  if (withdrawnOrderOf !== undefined) await withdrawOrder(tx, withdrawnOrderOf);
  if (session) await moveSession(tx, session);
  if (blame) await noteBlame(tx, matchId, blame);
  if (left)
    await tx.matchPlayer.updateMany({
      where: { matchId, ticketId: left.ticketId },
      data: { leftAt: new Date(left.at) },
    });
  if (match) await moveMatch(tx, matchId, match);
  if (changes.freesPlayers) await tx.livePlayer.deleteMany({ where: { matchId } });
  if (placement === 'over') await tx.placement.deleteMany({ where: { matchId } });
  else if (placement) {
    const { dueAt, attempts, shortage } = placement;
    await tx.placement.updateMany({
      where: { matchId },
      data: { nextAttemptAt: new Date(dueAt), attempts, shortage },
    });
  }
  if (conflict)
    await tx.resultConflict.createMany({
      data: [
        {
          matchId,
          reportedBy: conflict.reportedBy,
          reason: sentenceOf(conflict.reason),
          messages: asJson([conflict.reason]),
          digest: conflict.digest,
          body: asJson(conflict.body),
          receivedAt: new Date(conflict.receivedAt),
        },
      ],
      skipDuplicates: true,
    });
  if (changes.command) await order(tx, changes.command);
}

async function moveSession(tx: Tx, change: SessionChange): Promise<void> {
  const { sessionId: id, from } = change;
  const where = { id, state: { in: [...from] } };
  const { count } = await stepOf(tx, where, change);
  if (count === 0) throw new Error(`session ${id} is not ${from.join(' or ')}`);
}

function stepOf(
  tx: Tx,
  where: Prisma.SessionWhereInput,
  change: SessionChange,
): Promise<{ readonly count: number }> {
  const { to: state } = change;
  switch (change.to) {
    case 'live': {
      const { host, port, liveAt } = change;
      return tx.session.updateMany({ where, data: { state, host, port, liveAt: new Date(liveAt) } });
    }
    case 'ended':
      throw new Error('a session ends with its result');
    default: {
      const { reason, closedAt } = change;
      return tx.session.updateMany({
        where,
        data: { state, reason: sentenceOf(reason), closedAt: new Date(closedAt) },
      });
    }
  }
}

async function moveMatch(tx: Tx, id: string, change: MatchChange): Promise<void> {
  if (change.to !== 'abandoned') throw new Error(`a match is not made ${change.to} by this statement`);
  const { from, closedAt, reason } = change;
  const { count } = await tx.match.updateMany({
    where: { id, state: { in: [...from] } },
    data: {
      state: 'abandoned',
      closedAt: new Date(closedAt),
      closeReason: sentenceOf(reason),
      closeMessages: asJson([reason]),
    },
  });
  if (count === 0) throw new Error(`match ${id} is not ${from.join(' or ')}`);
}

async function order(tx: Tx, { serverId, kind, sessionId, payload, at }: NewCommand): Promise<void> {
  await command(tx, serverId, kind, sessionId, writeReason([payload.reason]), at);
}
