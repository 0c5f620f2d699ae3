import { operatorCommands } from '@muster/command-line/operator/define';
import { givenId, reason } from '@muster/command-line/operator/options';
import { wholeNumber } from '@muster/command-line/options/values';
import { Option, type Command } from 'commander';

const help = `
A result that contradicts the one that counted is stored. "kept" leaves the result that counted; "other" voids the match and counts
the other report as a match of its own; "void" removes the match from the ratings. A match that was voided stays void.

Examples: npm run -s muster -- conflict list
          npm run -s muster -- conflict decide mat_x7Yc0p2n --as void --reason "the server was tampered with"`;

const matchId = givenId('a match, such as mat_x7Yc0p2n', '"muster conflict list" lists them');

/** Defines the command `muster conflict`. @param defaultDataDir the data directory of a local system */
export function conflictCommand(command: Command, defaultDataDir: string): void {
  command.description('List results that contradict each other, and decide.').addHelpText('after', help);
  const define = operatorCommands(defaultDataDir);
  define(
    command.command('list').description('List conflicts, newest first.'),
    async () => (await import('./conflicts.js')).listConflicts,
  );
  define(
    command
      .command('decide')
      .description('Decide which result counts: the one that counted, or none.')
      .argument('<match>', 'the id of the match', matchId)
      .addOption(
        new Option('--as <decision>', 'what counts').choices(['kept', 'other', 'void']).makeOptionMandatory(),
      )
      .option(
        '--conflict-id <n>',
        'with other: the report that is to count, of several',
        wholeNumber(1, 2_147_483_647),
      )
      .requiredOption('--reason <text>', 'the reason, which players of a void match read', reason),
    async () => (await import('./conflicts.js')).decideConflict,
    help,
  );
}
