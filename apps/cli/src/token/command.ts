import { InvalidArgumentError, type Command } from 'commander';
import { personId } from '@muster/command-line/operator/options';
import { directory } from '@muster/command-line/options/values';
import { makeDataDirectory } from '../directory.js';

export function tokenCommand(command: Command, dataDir: string): void {
  command
    .description('Print a player token, as the game’s login would sign it (embedded run only).')
    .argument('<player>', 'the player’s id', personId)
    .option('--data-dir <dir>', 'directory for keys, logs and embedded stores', directory, dataDir)
    .option('--lifetime <time>', 'lifetime of the token, such as 12h or 5m', lifetime, '12h')
    .addHelpText('after', '\nExample: muster token alice --lifetime 5m')
    .action(async (player: string, options: { dataDir: string; lifetime: string }) => {
      const { playerToken, readKeys } = await import('@muster/embedded');
      await makeDataDirectory(options.dataDir);
      const { login } = await readKeys(options.dataDir);
      process.stdout.write(`${await playerToken(login, player, options.lifetime)}\n`);
    });
}

/** A time in the words of the library that signs. @throws InvalidArgumentError with what would be right */
function lifetime(text: string): string {
  if (!/^\d+(\.\d+)? ?(s|sec|second|m|min|minute|h|hr|hour|d|day|w|week|y|yr|year)s?$/i.test(text))
    throw new InvalidArgumentError('Give a time such as 12h, 5m or 7d.');
  return text;
}
