import type { BodyOf, PenaltyList } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import { moment } from '@muster/command-line/terminal/moment';
import { counted, tableLines } from '@muster/command-line/terminal/table';

export async function listPenalties(ask: Ask, playerId: string): Promise<Answer> {
  const list = await ask((operator) => operator.penalties(playerId));
  return { json: list, text: () => penaltyText(list) };
}

/** When a player may queue again, and their penalties. */
export function penaltyText({ playerId, mayQueueAt, reason, ban, penalties }: PenaltyList): string[] {
  const rows = penalties.map(({ at, kind, queue, matchId, forgivenAt, liftedReason }) => [
    moment(at),
    kind,
    queue,
    matchId,
    liftedReason ?? (forgivenAt === null ? 'counts' : 'forgiven'),
  ]);
  return [
    ...(ban ? [`${playerId} is banned until ${moment(ban.until)}: ${ban.reason}`] : []),
    ...(mayQueueAt === null ? [] : [`${playerId} may queue again at ${moment(mayQueueAt)}: ${reason ?? ''}`]),
    ...(rows.length === 0
      ? [`${playerId} has no penalties.`]
      : tableLines(['time (UTC)', 'kind', 'queue', 'match', 'state'], rows)),
  ];
}

export async function forgivePenalties(ask: Ask, options: BodyOf<'forgivePenalties'>): Promise<Answer> {
  const { from, to, queue, region, reason } = options;
  const answer = await ask((operator) => operator.forgiveAll({ from, to, queue, region, reason }));
  return { json: answer, text: () => [`Forgave ${counted(answer.forgiven, 'penalty', 'penalties')}.`] };
}
