import { KeyName, operatorRoles } from '@muster/contracts';
import { operatorCommands } from '@muster/command-line/operator/define';
import { fitting, givenId, reason } from '@muster/command-line/operator/options';
import { directory, wholeNumber } from '@muster/command-line/options/values';
import { Option, type Command } from 'commander';

const help = `
"make" makes the keys of an installation. The others give operators keys of their own, with a role: viewer reads, support helps
players, operator runs the system, admin gives keys. A key is shown once and stored hashed. To rotate one, create a second key of
the name, give it to its holder, and revoke the first when "list" shows that it is not used any more.

Examples: npm run -s muster -- keys make --data-dir DIR
          npm run -s muster -- keys create ann --role support --expires-in-days 90
          npm run -s muster -- keys list
          npm run -s muster -- keys revoke key_x7Yc0p2n --reason "Ann has a new laptop."`;

/** Defines the command `muster keys`. @param defaultDataDir the data directory of a local system */
export function keysCommand(command: Command, defaultDataDir: string): void {
  command
    .description('Make the keys of an installation, and give operators keys.')
    .addHelpText('after', help);
  makeCommand(command.command('make', { isDefault: true }), defaultDataDir);
  const define = operatorCommands(defaultDataDir);
  define(
    command
      .command('create')
      .description('Create a key for an operator or a tool. It is shown once.')
      .argument('<name>', 'who holds it', fitting(KeyName, 'The name of a key'))
      .addOption(new Option('--role <role>', 'what it may do').choices(operatorRoles).makeOptionMandatory())
      .option(
        '--expires-in-days <days>',
        'how long it is valid (default: until revoked)',
        wholeNumber(1, 3_650),
      )
      .option('--reason <text>', 'stored in the audit log', reason),
    async () => (await import('./operator-keys.js')).createKey,
  );
  define(
    command.command('list').description('List the keys of operators, newest first, and when they were used.'),
    async () => (await import('./operator-keys.js')).listKeys,
  );
  define(
    command
      .command('revoke')
      .description(
        'Revoke a key: within seconds no service accepts it. Repeating the command changes nothing.',
      )
      .argument(
        '<key>',
        'the id of the key',
        givenId('a key, such as key_x7Yc0p2n', '"muster keys list" lists keys'),
      )
      .option('--reason <text>', 'stored in the audit log', reason),
    async () => (await import('./operator-keys.js')).revokeKey,
  );
  define(
    command.command('me').description('Show whose key this command uses, and its role.'),
    async () => (await import('./operator-keys.js')).showMe,
  );
}

function makeCommand(command: Command, defaultDataDir: string): void {
  command
    .description('Make the keys that are missing in a data directory; existing ones stay.')
    .option('--data-dir <dir>', 'the data directory', directory, defaultDataDir)
    .addHelpText(
      'after',
      '\nServices read the files as settings, such as COORDINATOR_KEY=@/muster/keys/coordinator.jwk.\n' +
        'The login key signs players in trials. In production PLAYER_JWKS holds the public keys of your login.',
    )
    .action(async ({ dataDir }: { dataDir: string }) => {
      const { makeKeys } = await import('./keys.js');
      process.stdout.write(`${(await makeKeys(dataDir)).join('\n')}\n`);
    });
}
