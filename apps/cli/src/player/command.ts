import { InvalidArgumentError, type Command } from 'commander';
import { givenId, playerId, poolName, reason } from '@muster/command-line/operator/options';
import { number, wholeNumber } from '@muster/command-line/options/values';
import { operatorCommands } from '@muster/command-line/operator/define';
import { dataCommands } from '../player-data/command.js';

const help = `
A player's rating in a pool is a mean (mu) and an uncertainty (sigma), in the units of the pool's model. Players see only a
division. Setting or resetting a rating is an event of the ledger, stored with your reason, and part of every rebuild.

Examples: npm run -s muster -- player get alice --pool ctf
          npm run -s muster -- player set alice 32 --sigma 3 --reason "plays in the league" --pool ctf
          npm run -s muster -- player reset alice --reason "the account changed hands" --pool ctf`;

const setHelp = `
Without --sigma the uncertainty stays the same. With a larger one the next matches change the rating faster; "muster pool
models" shows the initial one. A value out of the pool's range, such as 1e308, is refused with the range.

Example: npm run -s muster -- player set alice 32 --sigma 3 --reason "plays in the league" --pool ctf`;

const voidHelp = `
MATCH is an id such as mat_x7Yc0p2n; "muster player get" lists those of a player. A rated match has affected all players who
later met its players, so the pool is rebuilt without it in the background. A match without a result is ended: its players are
free, and its server is told. Penalties of the match are lifted, unless you keep them.

Example: npm run -s muster -- match void mat_x7Yc0p2n --reason "a player cheated"`;

/** Defines the command `muster player`. @param defaultDataDir the data directory of a local system */
export function playerCommand(player: Command, defaultDataDir: string): void {
  player
    .description('Show, set or reset one player’s rating; export or erase their data.')
    .addHelpText('after', help);
  dataCommands(player, defaultDataDir);
  const define = operatorCommands(defaultDataDir);
  const ofPool = (each: Command): Command =>
    each.option('--pool <name>', 'the rating pool', poolName, 'default');

  define(
    player
      .command('show')
      .description('Show a player’s ticket, party, matches, ratings, penalties, behaviour and cases.')
      .argument('<player>', 'the player’s id', playerId)
      .option('--matches <n>', 'maximum number of matches, newest first', wholeNumber(1, 100), 5),
    async () => (await import('./show.js')).showPlayer,
    '\nExample: npm run -s muster -- player show alice',
  );

  define(
    ofPool(
      player
        .command('get')
        .description('Show a player’s rating and its latest changes.')
        .argument('<player>', 'the player’s id', playerId)
        .option('--history <n>', 'maximum number of changes, newest first', wholeNumber(0, 1_000), 10),
    ),
    async () => (await import('./get.js')).getPlayer,
    '\nExample: npm run -s muster -- player get alice --pool ctf --history 50',
  );

  define(
    ofPool(
      player
        .command('set')
        .description('Set a player’s rating.')
        .argument('<player>', 'the player’s id', playerId)
        .argument('<mu>', 'the new mean, in the units of the pool’s model', number)
        .option('--sigma <n>', 'the uncertainty (default: unchanged)', sigma)
        .requiredOption('--reason <text>', 'the reason, which is stored', reason),
    ),
    async () => (await import('./change.js')).setPlayer,
    setHelp,
  );

  define(
    ofPool(
      player
        .command('reset')
        .description('Reset a player to the start value.')
        .argument('<player>', 'the player’s id', playerId)
        .requiredOption('--reason <text>', 'the reason, which is stored', reason),
    ),
    async () => (await import('./change.js')).resetPlayer,
    '\nExample: npm run -s muster -- player reset alice --reason "the account changed hands" --pool ctf',
  );
}

const keepPenalties = 'leave no-shows and leavers of the match penalised';

/** Defines the command `muster match`. @param defaultDataDir the data directory of a local system */
export function matchCommand(match: Command, defaultDataDir: string): void {
  match.description('End a match, or remove it from the ratings.').addHelpText('after', voidHelp);
  const define = operatorCommands(defaultDataDir);
  define(
    match
      .command('end')
      .description('End a match that has no result yet: its players are free and nobody is rated.')
      .argument('<match>', 'the match’s id', matchId)
      .requiredOption('--reason <text>', 'the reason, which its players read', reason)
      .option('--as-void', 'end it as void instead of abandoned')
      .option('--keep-penalties', keepPenalties),
    async () => (await import('./match.js')).endMatch,
  );
  define(
    match
      .command('void')
      .description('Void a match in any state: nobody is rated for it, or nobody is any more.')
      .argument('<match>', 'the match’s id', matchId)
      .requiredOption('--reason <text>', 'the reason, which its players read', reason)
      .option('--keep-penalties', keepPenalties),
    async () => (await import('./match.js')).voidMatch,
    voidHelp,
  );
}

function sigma(text: string): number {
  const value = number(text);
  if (value <= 0) throw new InvalidArgumentError('Give a number above 0.');
  return value;
}

const matchId = givenId(
  'a match, such as mat_x7Yc0p2n',
  '"muster player get PLAYER" lists a player’s matches',
);
