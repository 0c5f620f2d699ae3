import type { BodyOf } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import { moment } from '@muster/command-line/terminal/moment';
import { tableLines } from '@muster/command-line/terminal/table';

export async function listConflicts(ask: Ask): Promise<Answer> {
  const list = await ask((operator) => operator.conflicts());
  const rows = list.conflicts.map(({ conflictId, matchId, reportedBy, receivedAt, reason, decision }) => [
    String(conflictId),
    matchId,
    moment(receivedAt),
    reportedBy,
    decision ? `${decision.as}: ${decision.reason}` : 'open',
    reason,
  ]);
  const columns = ['conflict', 'match', 'received (UTC)', 'by', 'decision', 'why it did not count'];
  return {
    json: list,
    text: () => (rows.length === 0 ? ['There are no conflicts.'] : tableLines(columns, rows)),
  };
}

export async function decideConflict(
  ask: Ask,
  matchId: string,
  { as, reason, conflictId }: BodyOf<'decideConflict'>,
): Promise<Answer> {
  const answer = await ask((operator) => operator.decideConflict(matchId, { as, reason, conflictId }));
  const what = {
    kept: 'keeps the result that counted',
    other: `is void; the other report counts as ${answer.countsAs}`,
    void: 'is void',
  }[answer.decision];
  return { json: answer, text: () => [`The match ${matchId} ${what}.`] };
}
