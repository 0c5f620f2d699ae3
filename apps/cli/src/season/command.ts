import type { Command } from 'commander';
import { operatorCommands } from '@muster/command-line/operator/define';
import { poolName, reason } from '@muster/command-line/operator/options';
import { wholeNumber } from '@muster/command-line/options/values';
import { seasonNumber, seasonRules, seasonTime } from './options.js';

const help = `
A season resets the ratings of a pool softly: means move toward the start value, uncertainties rise, and divisions are hidden
until a player's placement matches are played. Ratings are reset when they are next read or rated, so a season begins at once
in a pool of any size. The final standings of the season before are archived.

A season that has begun cannot be undone: try "season preview" first. Repeating "season begin" with the same options changes
nothing, with others it is refused. To begin an announced season now, leave out --at; what was announced is kept.

--rules "keep=0.75, uncertainty=0.5, placement=10": a mean keeps 0.75 of its distance from the start value, the uncertainty
rises to at least half of a newcomer's, and a division is shown after 10 matches. The default is the pool's own rules:
"muster pool change NAME --season RULES".

Examples: npm run -s muster -- season preview ladder --rules "keep=0.75, uncertainty=0.5, placement=10"
          npm run -s muster -- season begin ladder 2 --name Spring --at 2027-03-01T06:00:00Z
          npm run -s muster -- season standings ladder 1 --limit 20`;

/** Defines the command `muster season`. @param defaultDataDir the data directory of a local system */
export function seasonCommand(season: Command, defaultDataDir: string): void {
  season
    .description('Announce, preview, begin and look up the seasons of a pool.')
    .addHelpText('after', help);
  const define = operatorCommands(defaultDataDir);
  define(
    season.command('list').description('List a pool’s seasons.').argument('<pool>', 'the pool', poolName),
    async () => (await import('./seasons.js')).listSeasons,
  );
  define(
    season
      .command('standings')
      .description('Show the final standings of an ended season.')
      .argument('<pool>', 'the pool', poolName)
      .argument('<number>', 'the season; 0 is the time before the first', seasonNumber(0))
      .option('--from <rank>', 'ranks from this one', wholeNumber(1, 1_000_000_000), 1)
      .option('--limit <n>', 'players to show', wholeNumber(1, 1_000), 20)
      .option('--players <ids>', 'only these players, separated by commas'),
    async () => (await import('./seasons.js')).seasonStandings,
  );
  define(
    season
      .command('preview')
      .description('Show what the next season would do to ratings and divisions. Nothing changes.')
      .argument('<pool>', 'the pool', poolName)
      .option(
        '--rules <rules>',
        'what it does (default: as announced, or the pool’s own rules)',
        seasonRules,
      ),
    async () => (await import('./seasons.js')).previewSeason,
  );
  define(
    season
      .command('begin')
      .description('Begin the next season, or announce it. A season that has begun cannot be undone.')
      .argument('<pool>', 'the pool', poolName)
      .argument('<number>', 'its number: one more than the last', seasonNumber(1))
      .option('--name <name>', 'its name (default: as announced, or "Season" and the number)')
      .option('--at <time>', 'announce it for this time, such as 2027-03-01T06:00:00Z', seasonTime)
      .option('--rules <rules>', 'what it does (default: as announced, or the pool’s own rules)', seasonRules)
      .option('--reason <text>', 'stored with the season', reason),
    async () => (await import('./seasons.js')).beginSeason,
  );
  define(
    season
      .command('withdraw')
      .description('Withdraw the announcement of a season.')
      .argument('<pool>', 'the pool', poolName)
      .argument('<number>', 'the announced season', seasonNumber(1)),
    async () => (await import('./seasons.js')).withdrawSeason,
  );
}
