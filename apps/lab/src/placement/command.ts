import type { Command } from 'commander';
import type { PlacementOptions } from './placement.js';

const help = `
FILE is CSV, one player of one match per line: match_id,date,player,side,won,pct_played and then any number of stats. Players
of one side of a match are a team. won is 1 or 0; a match without a winner is a draw. pct_played is the percentage of the
match that was played (0: unknown). A stat may be empty where a player has none, such as the saves of all but goalkeepers: what
counts are the stats in 90 % of the lines, and the lines that have all of these. A file that is not found is looked up in the
folder MUSTER_DATA.

The matches are rated oldest first. A ridge regression then predicts a player's final rating from the mean stats of some of
their matches, and is tested on other players. If it explains too little, the report says that a pool would not use it.

Exit code: 0 fitted, 1 error, 2 fitted but rows were refused (each is listed).

Example: npm run -s muster -- placement season-2024-stats.csv`;

/** Defines the command `muster placement`. */
export function placementCommand(command: Command): void {
  command
    .argument('<file>', 'player stats of recorded matches')
    .option('--json', 'one JSON object on standard output instead of text', false)
    .addHelpText('after', help)
    .action(async (file: string, options: PlacementOptions) => {
      const { placement } = await import('./placement.js');
      process.exitCode = await placement(file, options, process.env);
    });
}
