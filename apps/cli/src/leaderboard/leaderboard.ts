import type { LeaderboardView } from '@muster/contracts';
import { callMuster } from '@muster/command-line/operator/connection';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';
import { inkFor, type Ink } from '@muster/command-line/terminal/ink';
import { counted, indented, plain, tableLines } from '@muster/command-line/terminal/table';

/** Options of `muster leaderboard`. */
export interface LeaderboardOptions extends OperatorOptions {
  readonly region?: string;
  readonly from?: number;
  readonly limit: number;
  readonly around?: string;
  readonly players?: string;
}

/** @throws Error with a user-facing message */
export async function showLeaderboard(
  pool: string,
  { region, from, limit, around, players, ...options }: LeaderboardOptions,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const query = Object.fromEntries(
    Object.entries({ region, from, limit, around, players }).filter(([, value]) => value !== undefined),
  );
  const board = await callMuster(options, env, (operator) => operator.leaderboard(pool, query));
  print(options.json, board, () => leaderboardText(board, around ?? null, inkFor(process.stdout, env)));
}

/** A leaderboard for people. @param around the player to make bold */
export function leaderboardText(board: LeaderboardView, around: string | null, ink: Ink): string[] {
  const { pool, region, season, players, rows, notRanked } = board;
  const where = [season === null ? null : `season ${season}`, region].filter((part) => part !== null);
  const title = ink.bold([pool, ...where].join(', '));
  const lines = tableLines(
    [
      { head: 'rank', right: true },
      { head: 'player' },
      { head: 'name' },
      { head: 'division' },
      { head: 'rating', right: true },
      { head: 'matches', right: true },
    ],
    rows.map(({ rank, playerId, name, division, mu, matches }) => [
      rank.toLocaleString('en'),
      playerId,
      name ?? '',
      division,
      mu === undefined ? '' : plain(Number(mu.toPrecision(6))),
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
