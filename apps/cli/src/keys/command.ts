import type { Command } from 'commander';
import { directory } from '@muster/command-line/options/values';

/** `muster keys make`, which `muster keys` does by itself: makes the keys of an installation. */
export function makeKeysCommand(keys: Command, defaultDataDir: string): void {
  keys
    .command('make', { isDefault: true })
    .description('Make the keys that are missing in a data directory; existing ones stay.')
    .option('--data-dir <dir>', 'the data directory', directory, defaultDataDir)
    .addHelpText(
      'after',
      '\nServices read the files as settings, such as COORDINATOR_KEY=@/muster/keys/coordinator.jwk.\n' +
        'The login key signs players in trials. In production PLAYER_JWKS holds the public keys of your login.\n\n' +
        'Example: muster keys make --data-dir /muster',
    )
    .action(async ({ dataDir }: { dataDir: string }) => {
      const { makeKeys } = await import('./keys.js');
      process.stdout.write(`${(await makeKeys(dataDir)).join('\n')}\n`);
    });
}
