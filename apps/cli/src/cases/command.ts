import { signalKinds } from '@muster/domain';
import { Option, type Command } from 'commander';
import { operatorCommands } from '@muster/command-line/operator/define';
import { givenId, playerId, poolName } from '@muster/command-line/operator/options';
import { wholeNumber } from '@muster/command-line/options/values';

const help = `
A pool that watches for signs of cheating (muster pool change NAME --integrity watch) opens a case when results are explained far
better by a cheat than by the predicted chances: a new account far above newcomers, matches lost on purpose, two opponents who
agree on outcomes, or a server whose results do not fit; or when a new account has the habits of an older one. Each case says what
speaks for it and what against.

Nobody is banned. Closing a case stores the verdict, and the evidence starts anew.

Examples: npm run -s muster -- case list --pool ladder
          npm run -s muster -- case show cas_4fb6a88a01
          npm run -s muster -- case close cas_4fb6a88a01 --verdict cleared --note "A known player of the old ladder."`;

const caseId = givenId('a case, such as cas_4fb6a88a01', '"muster case list" lists cases');

/** Defines the command `muster case`. @param defaultDataDir the data directory of a local system */
export function caseCommand(command: Command, defaultDataDir: string): void {
  command.description('List, show and close cases of integrity.').addHelpText('after', help);
  const define = operatorCommands(defaultDataDir);
  define(
    command
      .command('list')
      .description('List cases, newest first.')
      .option('--closed', 'closed cases instead of open ones', false)
      .option('--pool <pool>', 'only cases of this pool', poolName)
      .addOption(new Option('--kind <kind>', 'only cases of this kind').choices(signalKinds))
      .option('--player <player>', 'only cases about this player', playerId)
      .option('--after <case>', 'cases after this one', caseId)
      .option('--limit <n>', 'cases to show', wholeNumber(1, 1_000), 20),
    async () => (await import('./cases.js')).listCases,
  );
  define(
    command
      .command('show')
      .description('Show what speaks for a case, and what against.')
      .argument('<case>', 'the id of the case', caseId),
    async () => (await import('./cases.js')).showCase,
  );
  define(
    command
      .command('close')
      .description('Close a case with a verdict. Repeating the command changes nothing.')
      .argument('<case>', 'the id of the case', caseId)
      .addOption(
        new Option('--verdict <verdict>', 'what you found')
          .choices(['confirmed', 'cleared', 'unclear'])
          .makeOptionMandatory(),
      )
      .option('--note <text>', 'stored with the case'),
    async () => (await import('./cases.js')).closeCase,
  );
}
