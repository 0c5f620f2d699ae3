import { CoordinatorId } from '@muster/contracts';
import { InvalidArgumentError, type Command } from 'commander';
import {
  number,
  operatorOptions,
  playerId,
  poolName,
  reason,
  type OperatorOptions,
} from '../operator/options.js';
import { wholeNumber } from '../up/options.js';
import type { PlayerOptions } from './change.js';

const help = `
A player's rating in a pool: a mean (mu) and how unsure it is (sigma), in the units of the pool's model. Players themselves
see a division only. What you set or reset is an event of the ledger, kept with your reason, and a rebuild keeps it.

Examples: npm run -s muster -- player get alice --pool ctf
          npm run -s muster -- player set alice 32 --sigma 3 --reason "plays in the league" --pool ctf
          npm run -s muster -- player reset alice --reason "the account changed hands" --pool ctf`;

const setHelp = `
Without --sigma the rating stays as unsure as it is. A larger one has the next matches move it fast; a stranger's is in
"muster pool models". What no player of the pool could have, such as 1e308, is refused with what would be right.

Example: npm run -s muster -- player set alice 32 --sigma 3 --reason "plays in the league" --pool ctf`;

const voidHelp = `
MATCH is an id of Muster's, such as mat_x7Yc0p2n; "muster player get" shows those of a player. A match that was rated left
its mark on everybody who met its players since, so its pool is rated anew without it, in the background.

Example: npm run -s muster -- match void mat_x7Yc0p2n --reason "a player cheated"`;

/** Makes a command `muster player`. @param defaultDataDir where a system on this machine keeps its data */
export function playerCommand(player: Command, defaultDataDir: string): void {
  player
    .description('One player’s rating: see it with its history, set it, reset it.')
    .addHelpText('after', help);
  const finish = (each: Command, more: string): Command =>
    operatorOptions(
      each.option('--pool <name>', 'the rating pool', poolName, 'default'),
      defaultDataDir,
    ).addHelpText('after', more);

  finish(
    player
      .command('get')
      .description('A player’s rating, and the latest changes of it.')
      .argument('<player>', 'the player’s id', playerId)
      .option('--history <n>', 'so many changes, the newest first', wholeNumber(0, 1_000), 10),
    '\nExample: npm run -s muster -- player get alice --pool ctf --history 50',
  ).action(async (id: string, options: PlayerOptions & { readonly history: number }) => {
    const { getPlayer } = await import('./get.js');
    await getPlayer(id, options, process.env);
  });

  finish(
    player
      .command('set')
      .description('Give a player a rating.')
      .argument('<player>', 'the player’s id', playerId)
      .argument('<mu>', 'the new mean, in the units of the pool’s model', number)
      .option('--sigma <n>', 'how unsure it is (default: as it is)', sigma)
      .requiredOption('--reason <text>', 'why; it is kept', reason),
    setHelp,
  ).action(
    async (
      id: string,
      mu: number,
      options: PlayerOptions & { readonly reason: string; readonly sigma?: number },
    ) => {
      const { setPlayer } = await import('./change.js');
      await setPlayer(id, mu, options, process.env);
    },
  );

  finish(
    player
      .command('reset')
      .description('Make a player a stranger again.')
      .argument('<player>', 'the player’s id', playerId)
      .requiredOption('--reason <text>', 'why; it is kept', reason),
    '\nExample: npm run -s muster -- player reset alice --reason "the account changed hands" --pool ctf',
  ).action(async (id: string, options: PlayerOptions & { readonly reason: string }) => {
    const { resetPlayer } = await import('./change.js');
    await resetPlayer(id, options, process.env);
  });
}

/** Makes a command `muster match`. @param defaultDataDir where a system on this machine keeps its data */
export function matchCommand(match: Command, defaultDataDir: string): void {
  match.description('One match: take it out of the ratings.').addHelpText('after', voidHelp);
  operatorOptions(
    match
      .command('void')
      .description('Take a match out of the ratings, as if it had not been played.')
      .argument('<match>', 'the match’s id', matchId)
      .requiredOption('--reason <text>', 'why; it is kept', reason),
    defaultDataDir,
  )
    .addHelpText('after', voidHelp)
    .action(async (id: string, options: OperatorOptions & { readonly reason: string }) => {
      const { voidMatch } = await import('./void-match.js');
      await voidMatch(id, options, process.env);
    });
}

function sigma(text: string): number {
  const value = number(text);
  if (value <= 0) throw new InvalidArgumentError('Give a number above 0.');
  return value;
}

function matchId(text: string): string {
  if (!CoordinatorId.safeParse(text).success)
    throw new InvalidArgumentError(
      'Give an id of Muster’s, such as mat_x7Yc0p2n; "muster player get PLAYER" shows those of a player.',
    );
  return text;
}
