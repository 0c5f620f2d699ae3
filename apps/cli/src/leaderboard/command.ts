import { operatorCommands } from '@muster/command-line/operator/define';
import { poolName } from '@muster/command-line/operator/options';
import { wholeNumber } from '@muster/command-line/options/values';
import type { Command } from 'commander';

const help = `
Ranked are players who see their own division: who finished the first matches of a pool and the placement matches of its season,
and played not too long ago. A leaderboard follows results within a second. Nothing is stored for a pool whose leaderboard
nobody asks for.

Examples: npm run -s muster -- leaderboard ladder
          npm run -s muster -- leaderboard ladder --around ann --limit 11
          npm run -s muster -- leaderboard ladder --region eu --from 101
          npm run -s muster -- leaderboard ladder --players ann,ben,cid`;

/** Defines the command `muster leaderboard`. @param defaultDataDir the data directory of a local system */
export function leaderboardCommand(leaderboard: Command, defaultDataDir: string): void {
  operatorCommands(defaultDataDir)(
    leaderboard
      .description('Show the ranks of a pool: the top, those around a player, or those of some players.')
      .argument('<pool>', 'the pool', poolName)
      .option('--region <region>', 'only players whose last match was played there')
      .option('--from <position>', 'positions from this one (default: 1)', wholeNumber(1, 1_000_000_000))
      .option('--limit <n>', 'players to show', wholeNumber(1, 100), 20)
      .option('--around <player>', 'this player with neighbours')
      .option('--players <ids>', 'only these players, separated by commas'),
    async () => (await import('./leaderboard.js')).showLeaderboard,
    help,
  );
}
