import type { Command } from 'commander';
import { personId } from '@muster/command-line/operator/options';
import { directory } from '@muster/command-line/options/values';

export function tokenCommand(command: Command, dataDir: string): void {
  command
    .description('Print a player token, as the game’s login would sign it (embedded run only).')
    .argument('<player>', 'the player’s id', personId)
    .option('--data-dir <dir>', 'directory for keys, logs and embedded stores', directory, dataDir)
    .option('--lifetime <time>', 'lifetime of the token, such as 12h or 5m', '12h')
    .action(async (player: string, options: { dataDir: string; lifetime: string }) => {
      const { playerToken, readKeys } = await import('@muster/embedded');
      const { login } = await readKeys(options.dataDir);
      process.stdout.write(`${await playerToken(login, player, options.lifetime)}\n`);
    });
}
