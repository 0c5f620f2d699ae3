import { rulesDocumentSchema } from '@muster/contracts';
import type { Command } from 'commander';
import { jsonLine, reason, queueName } from '@muster/command-line/operator/options';
import { numberWithin, wholeNumber } from '@muster/command-line/options/values';
import { operatorCommands, type Define } from '@muster/command-line/operator/define';

const help = `
The rules of a queue define its game and its matching: a document in YAML or JSON of one queue, or "queues:" with a list of them.
docs/rules.md describes every field; "muster rules schema" prints a JSON Schema for editors. A change takes effect at once, as a new
version; waiting tickets keep their rules unless you pass --to-waiting.

Examples: muster rules show 5v5 > 5v5.yaml
          muster rules check 5v5.yaml
          muster rules diff 5v5.yaml
          muster rules try 5v5.yaml
          muster rules apply 5v5.yaml --why "queues are short at night"`;

const checkHelp = `
It needs no running Muster. One line per error, with the position in the file, the path and the reason; FILE - is standard input.

  5v5.yaml:12:5 skillWindow[2].limit: a limit may not narrow with waiting (was 8, is 4)

Exit code: 0 valid, 1 invalid.

Example: muster rules check queues.yaml --json`;

const showHelp = `
Without a queue, all are printed as one document, which you can change and apply, also to restore an earlier version.

Example: muster rules show 5v5 --at 2 | muster rules apply - --why "back to version 2"`;

const diffHelp = `
One line per difference, by path: the value in force, and the value in the file. Nothing is changed.

Example: muster rules diff queues.yaml`;

const tryHelp = `
The matcher replays the tickets of the last hour under the rules in force and under those of the file, beside the recorded
outcome. Nothing is changed. --tickets reads a record of "muster rules record" and needs no running Muster; --against replaces the
rules in force with a file, FILE:NAME, or a built-in queue.

Examples: muster rules try 5v5.yaml
          muster rules try new.yaml --tickets friday.jsonl --against old.yaml --json`;

const recordHelp = `
The first line is a header with the rules in force, every other line a ticket. The file contains player ids: store it accordingly.

Example: muster rules record friday.jsonl --queue 5v5`;

const applyHelp = `
Every queue of the file whose rules differ gets a new version; a missing queue is created. If the file has an error, nothing is
changed. If another operator changes a queue meanwhile, the command is refused: check with "diff" and apply again.

Examples: muster rules apply 5v5.yaml --why "queues are short at night"
          muster rules apply 5v5.yaml --to-waiting --why "nobody found a match"`;

const schemaHelp = `
The same as docs/queue-rules.schema.json and GET /v1/queue-rules.schema.json. For editors with YAML support, begin a file with:

  # yaml-language-server: $schema=http://127.0.0.1:8080/v1/queue-rules.schema.json

Example: muster rules schema > queue-rules.schema.json`;

const file = 'rules in YAML or JSON; - for standard input';
const hours = ['--hours <n>', 'hours of history, at most 1', numberWithin(0.01, 1), 1] as const;

/** Defines the command `muster rules`. @param defaultDataDir the data directory of a local system */
export function rulesCommand(rules: Command, defaultDataDir: string): void {
  rules.addHelpText('after', help);
  const define = operatorCommands(defaultDataDir);
  fileCommands(rules, define);
  storedCommands(rules, define);
}

/** Commands about rules in a file. */
function fileCommands(rules: Command, define: Define): void {
  rules
    .command('check')
    .description('Validate a file of rules.')
    .argument('<file>', file)
    .option('--json', jsonLine, false)
    .addHelpText('after', checkHelp)
    .action(async (name: string, options: { readonly json: boolean }) => {
      const { checkRules } = await import('./check.js');
      process.exitCode = await checkRules(name, options);
    });
  define(
    rules
      .command('show')
      .description('Show the rules in force, as a document.')
      .argument('[queue]', 'this queue only', queueName)
      .option('--at <version>', 'as they were at this version', wholeNumber(1, 2_147_483_647)),
    async () => (await import('./show.js')).showRules,
    showHelp,
  );
  define(
    rules.command('diff').description('Show what a file would change.').argument('<file>', file),
    async () => (await import('./diff.js')).diffRules,
    diffHelp,
  );
  define(
    rules
      .command('try')
      .description('Replay the tickets of the last hour under the rules of a file.')
      .argument('<file>', file)
      .option('--queue <name>', 'the queue of the tickets (default: the queue of the file)', queueName)
      .option('--tickets <file>', 'a record of "rules record" (default: read from Muster)')
      .option(...hours)
      .option('--against <rules>', 'compare with these rules instead of those in force')
      .option('--tick-ms <n>', 'time between two ticks of the matcher', wholeNumber(10, 60_000), 150),
    async () => (await import('./try.js')).tryRulesFile,
    tryHelp,
  );
}

/** Commands that store something, or tell what is stored. */
function storedCommands(rules: Command, define: Define): void {
  define(
    rules
      .command('record')
      .description('Save the tickets of the last hour, to try rules on.')
      .argument('<file>', 'the file to write, JSON lines')
      .requiredOption('--queue <name>', 'the queue of the tickets', queueName)
      .option(...hours),
    async () => (await import('./record.js')).recordTickets,
    recordHelp,
  );
  define(
    rules
      .command('apply')
      .description('Apply the rules of a file.')
      .argument('<file>', file)
      .option('--why <text>', 'the reason, stored with the version', reason)
      .option('--to-waiting', 'apply them to waiting tickets as well', false),
    async () => (await import('./apply.js')).applyRules,
    applyHelp,
  );
  rules
    .command('schema')
    .description('Print the JSON Schema of a file of rules.')
    .option('--json', 'on one line', false)
    .addHelpText('after', schemaHelp)
    .action(({ json }: { readonly json: boolean }) => {
      process.stdout.write(`${JSON.stringify(rulesDocumentSchema(), null, json ? 0 : 2)}\n`);
    });
}
