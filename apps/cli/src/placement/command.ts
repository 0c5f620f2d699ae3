import type { Command } from 'commander';
import type { PlacementOptions } from './placement.js';

const help = `
FILE is CSV, a player and match a line: match_id,date,player,side,won,pct_played and then the stats, any number of them.
Players of the same side of a match are a team; won is 1 or 0, and when nobody won it was a draw; pct_played is the percentage
of the match that was played (0 for not known). A name that is not found here is looked for in the folder MUSTER_DATA.

The matches are rated oldest first. A ridge regression then goes from the mean stats of some of a player's matches to the
rating that the player has at the end, and is judged on players that it has not seen. Where it explains too little of the
differences between them, it says that a pool would not place newcomers by it.

Exit code: 0 fitted, 1 it could not, 2 fitted but rows were refused (each is named).

Example: npm run -s muster -- placement season-2024-stats.csv`;

/** Makes a command `muster placement`. */
export function placementCommand(command: Command): void {
  command
    .description(
      'Say how well newcomers could be placed by what they do in a match: kills, damage, whatever is counted.',
    )
    .argument('<file>', 'what players did in recorded matches')
    .option('--json', 'one JSON object on standard output instead of text', false)
    .addHelpText('after', help)
    .action(async (file: string, options: PlacementOptions) => {
      const { placement } = await import('./placement.js');
      process.exitCode = await placement(file, options, process.env);
    });
}
