import type { BanOfPlayer } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import { moment } from '@muster/command-line/terminal/moment';
import { tableLines } from '@muster/command-line/terminal/table';

export async function listBans(
  ask: Ask,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<Answer> {
  const page = await ask((operator) => operator.bans({ cursor: after, limit }));
  const rows = page.bans.flatMap(({ playerId, ban }) =>
    ban ? [[playerId, moment(ban.since), moment(ban.until), ban.by, ban.reason]] : [],
  );
  const columns = ['player', 'since (UTC)', 'until (UTC)', 'by', 'reason'];
  return {
    json: page,
    text: () => (rows.length === 0 ? ['Nobody is banned.'] : tableLines(columns, rows)),
  };
}

export async function setBan(
  ask: Ask,
  playerId: string,
  options: { readonly for?: number; readonly until?: number; readonly reason: string },
): Promise<Answer> {
  const { for: lasts, until = lasts === undefined ? undefined : Date.now() + lasts, reason } = options;
  if (until === undefined || (lasts !== undefined && options.until !== undefined))
    throw new Error('Give --for or --until: a ban ends at some time.');
  return answerOf(await ask((operator) => operator.ban(playerId, { until, reason })));
}

export async function liftBan(ask: Ask, playerId: string): Promise<Answer> {
  return answerOf(await ask((operator) => operator.liftBan(playerId)));
}

function answerOf(answer: BanOfPlayer): Answer {
  const { playerId, ban } = answer;
  const text = ban
    ? `${playerId} may not queue until ${moment(ban.until)}: ${ban.reason}`
    : `${playerId} is not banned.`;
  return { json: answer, text: () => [text] };
}
