import { Connection } from '@muster/command-line/operator/connection';
import { operatorOptions, type OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';
import { inkFor } from '@muster/command-line/terminal/ink';
import type { Command } from 'commander';

/** Defines `muster status` and `muster top`. @param defaultDataDir the data directory of a local system */
export function topCommands(status: Command, top: Command, defaultDataDir: string): void {
  operatorOptions(status, defaultDataDir)
    .description('Show how services, queues, waiting tickets, slots, jobs and conflicts are doing.')
    .addHelpText(
      'after',
      '\nExit code: 0 well, 1 a service is not ready or jobs are dead.\n\nExample: muster status',
    )
    .action(async (options: OperatorOptions) => {
      process.exitCode = (await show(options)) ? 0 : 1;
    });
  operatorOptions(top, defaultDataDir)
    .description('The same as a live view in the terminal; q quits.')
    .addHelpText('after', '\nWhere the output is no terminal, it is printed once.\n\nExample: muster top')
    .action(async (options: OperatorOptions) => {
      if (options.json || !process.stdout.isTTY || !process.stdin.isTTY) return void (await show(options));
      const { top: live } = await import('./top.js');
      await live(await Connection.open(options, process.env), process);
      // Connections may still be open.
      process.exit();
    });
}

/** @returns whether all is well */
async function show(options: OperatorOptions): Promise<boolean> {
  const { readSnapshot, snapshotText } = await import('./snapshot.js');
  const now = await readSnapshot(await Connection.open(options, process.env));
  print(options.json, now, () => snapshotText(now, inkFor(process.stdout, process.env)));
  return now.isWell;
}
