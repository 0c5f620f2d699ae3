import type { Command } from 'commander';
import { operatorCommands } from '@muster/command-line/operator/define';
import { givenId, personId, playerId, poolName, reason } from '@muster/command-line/operator/options';
import { wholeNumber } from '@muster/command-line/options/values';

const help = `
With a booster a player plays a limited number of matches among players of another division. Teams count the player's own rating,
others see the booster, and a result moves the player's rating further. A match is counted when it is rated; one that is
declared void is given back. The pool's rules must allow boosters:
"muster pool change NAME --boosters 'matches=5, factor=2, divisions=1'".

Examples: npm run -s muster -- booster grant ladder ann Gold --reason "bought in the shop" --event-id order-17
          npm run -s muster -- booster list ladder ann
          npm run -s muster -- booster revoke ladder bst_4fQ2c0de --reason "refunded"`;

const boosterId = givenId(
  'a booster, such as bst_4fQ2c0de',
  '"muster booster list POOL PLAYER" lists those of a player',
);

/** Defines the command `muster booster`. @param defaultDataDir the data directory of a local system */
export function boosterCommand(booster: Command, defaultDataDir: string): void {
  booster.description('Grant, list and revoke boosters of players.').addHelpText('after', help);
  const define = operatorCommands(defaultDataDir);
  define(
    booster
      .command('grant')
      .description('Grant a player a booster.')
      .argument('<pool>', 'the pool', poolName)
      .argument('<player>', 'the player', personId)
      .argument('<division>', 'the division in which the player will play')
      .option('--matches <n>', 'matches; by default those of the pool’s rules', wholeNumber(1, 1_000))
      .option('--event-id <id>', 'a repeat with the same id changes nothing')
      .requiredOption('--reason <text>', 'stored with the booster', reason),
    async () => (await import('./boosters.js')).grantBooster,
  );
  define(
    booster
      .command('list')
      .description('List a player’s boosters, newest first.')
      .argument('<pool>', 'the pool', poolName)
      .argument('<player>', 'the player', playerId),
    async () => (await import('./boosters.js')).listBoosters,
  );
  define(
    booster
      .command('revoke')
      .description('Revoke a booster. No match is rated with it from then on.')
      .argument('<pool>', 'the pool', poolName)
      .argument('<booster>', 'its id', boosterId)
      .option('--reason <text>', 'stored with the booster', reason),
    async () => (await import('./boosters.js')).revokeBooster,
  );
}
