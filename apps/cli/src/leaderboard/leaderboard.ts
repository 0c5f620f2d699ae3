import type { LeaderboardView, QueryOf } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import type { Ink } from '@muster/command-line/terminal/ink';
import { counted, indented, plain, right, tableLines } from '@muster/command-line/terminal/table';

export async function showLeaderboard(
  ask: Ask,
  pool: string,
  { region, from, limit, around, players }: QueryOf<'readLeaderboard'>,
): Promise<Answer> {
  const board = await ask((operator) => operator.leaderboard(pool, { region, from, limit, around, players }));
  return { json: board, text: (ink) => leaderboardText(board, around ?? null, ink) };
}

/** A leaderboard for people. @param around the player to make bold */
export function leaderboardText(board: LeaderboardView, around: string | null, ink: Ink): string[] {
  const { pool, region, season, players, rows, notRanked } = board;
  const where = [season === null ? null : `season ${season}`, region].filter((part) => part !== null);
  const title = ink.bold([pool, ...where].join(', '));
  const lines = tableLines(
    [...right('rank'), 'player', 'name', 'division', ...right('rating', 'matches')],
    rows.map(({ rank, playerId, name, division, mu, matches }) => [
      rank.toLocaleString('en'),
      playerId,
      name ?? '',
      division,
      mu === undefined ? '' : plain(mu),
      matches.toLocaleString('en'),
    ]),
  );
  const own = rows.findIndex(({ playerId }) => playerId === around);
  return [
    `${title}: ${counted(players, 'ranked player')}`,
    ...(rows.length === 0
      ? []
      : ['', ...indented(lines.map((line, i) => (i === own + 1 && own >= 0 ? ink.bold(line) : line)))]),
    ...(notRanked === null ? [] : ['', notRanked]),
  ];
}
