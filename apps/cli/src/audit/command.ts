import type { QueryOf } from '@muster/contracts';
import { operatorCommands } from '@muster/command-line/operator/define';
import { operatorOptions, type OperatorOptions } from '@muster/command-line/operator/options';
import { asking } from '@muster/command-line/operator/connection';
import { wholeNumber } from '@muster/command-line/options/values';
import type { Command } from 'commander';

const help = `
Every change that an operator makes by a call is a row: who, with which role, what, about what, why, from where, and how it ended.
Times are by ISO 8601 or in milliseconds since the epoch.

Examples: npm run -s muster -- audit
          npm run -s muster -- audit list --target ann --from 2027-03-01T00:00:00Z
          npm run -s muster -- audit list --who bob --call voidMatch
          npm run -s muster -- audit export --from 2027-01-01T00:00:00Z > audit.jsonl`;

/** Defines the command `muster audit`. @param defaultDataDir the data directory of a local system */
export function auditCommand(command: Command, defaultDataDir: string): void {
  command.description('Show or export the changes that operators made.').addHelpText('after', help);
  const define = operatorCommands(defaultDataDir);
  define(
    selecting(
      command.command('list', { isDefault: true }).description('List changes by operators, newest first.'),
    )
      .option('--limit <n>', 'rows to show', wholeNumber(1, 500), 20)
      .option('--cursor <next>', 'the `next` of an earlier page (--json)'),
    async () => (await import('./audit.js')).listAudit,
  );
  const lines = 'no effect: the export is JSON lines';
  const exporting = selecting(
    command.command('export').description('Write changes by operators as JSON lines, newest first.'),
  );
  operatorOptions(exporting, defaultDataDir, lines).action(async () => {
    const { exportAudit } = await import('./audit.js');
    const options = exporting.opts<OperatorOptions & QueryOf<'exportAudit'>>();
    await exportAudit(asking(options, process.env), options, process.stdout);
  });
}

function selecting(command: Command): Command {
  return command
    .option('--who <name>', 'only by this operator')
    .option('--call <name>', 'only this call, such as voidMatch')
    .option('--target <id>', 'only about this player, pool, match or server')
    .option('--from <time>', 'not before this time')
    .option('--to <time>', 'before this time');
}
