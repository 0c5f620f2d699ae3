import type { Command } from 'commander';
import { operatorOptions } from '@muster/command-line/operator/options';
import { take } from '../calls/take.js';
import type { RebuildOptions } from './rebuild.js';
import { ruleHelp, ruleTakes } from './takes.js';

const help = `
${ruleHelp}

The current ratings stay in force until the new ones are complete. With a model or rules, the whole history is rated under these, and
under the pool's current rules for the rest. Without any, each match is rated under its own version again, without voided matches.
Ctrl-C stops waiting (exit code 130), and the rebuild continues: "muster pools rebuilds NAME" shows it.

Examples: muster pools rebuild ladder
          muster pools rebuild ladder --model glicko2 --set tau=0.5 --reason "it predicts better"
          muster pools rebuild ladder --model hive --refit --no-wait`;

/** Defines `muster pools rebuild`, which waits for what it started. */
export function rebuildCommand(command: Command, defaultDataDir: string): void {
  command.description('Rate a pool’s whole history again, under the same or other rules.');
  const given = take(command, 'rebuildPool', ruleTakes);
  operatorOptions(command.option('--no-wait', 'start it and do not wait'), defaultDataDir)
    .addHelpText('after', help)
    .action(async (_pool: string) => {
      const { rebuildPool } = await import('./rebuild.js');
      const { pool, ...rules } = given();
      process.exitCode = await rebuildPool(String(pool), rules, command.opts<RebuildOptions>(), process.env);
    });
}
