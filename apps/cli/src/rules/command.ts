import { rulesDocumentSchema } from '@muster/contracts';
import type { Command } from 'commander';
import { jsonLine, reason, queueName } from '@muster/command-line/operator/options';
import { numberWithin, wholeNumber } from '@muster/command-line/options/values';
import { operatorCommands, type Define } from '@muster/command-line/operator/define';

const help = `
The rules of a queue define its game and its matching: teams, windows that widen with waiting, roles, maps, bots and more.
They are a document in YAML or JSON: the rules of one queue, or "queues:" with a list of them. docs/rules.md describes every
field; "muster rules schema" prints a JSON Schema for editors.

A change takes effect at once, without a restart, as a new version. All versions are kept. Waiting tickets keep their rules
unless you pass --to-waiting.

Examples: npm run -s muster -- rules show 5v5 > 5v5.yaml
          npm run -s muster -- rules check 5v5.yaml
          npm run -s muster -- rules diff 5v5.yaml
          npm run -s muster -- rules try 5v5.yaml
          npm run -s muster -- rules apply 5v5.yaml --why "queues are short at night"`;

const checkHelp = `
This command needs no running Muster. It prints one line per error, with the position in the file, the path and the reason:

  5v5.yaml:12:5 skillWindow[2].limit: a limit may not narrow with waiting (was 8, is 4)

Exit code: 0 valid, 1 invalid. FILE - is standard input.

Example: npm run -s muster -- rules check queues.yaml --json`;

const showHelp = `
Without a queue, all queues are printed as one document. You can change the document and apply it, also to restore an earlier
version. --json prints the same document as JSON.

Examples: npm run -s muster -- rules show > queues.yaml
          npm run -s muster -- rules show 5v5 --at 2 | npm run -s muster -- rules apply - --why "back to version 2"`;

const diffHelp = `
Prints one line per difference, by path: the value in force, and the value in the file. Nothing is changed.

  5v5: 1 difference to version 3
    5v5.skillWindow[1].limit: 8 -> 6

Example: npm run -s muster -- rules diff queues.yaml`;

const tryHelp = `
The matcher replays the tickets of the last hour under the rules in force and under those of the file, beside the recorded
outcome: how many tickets find a match, how long they wait, how fair matches are. Nothing is changed.

  new.yaml, replayed: the same tickets arrive at the same times; cancelled tickets leave at their recorded times.

--tickets reads a record of "muster rules record" and needs no running Muster. The record contains the rules in force at the
time; --against replaces them with a file, FILE:NAME, or a built-in queue. --queue tries the rules on the tickets of another
queue.

Examples: npm run -s muster -- rules try 5v5.yaml
          npm run -s muster -- rules try new.yaml --tickets friday.jsonl --against old.yaml --json`;

const recordHelp = `
The first line is a header with the rules in force. Every other line is a ticket: players, ratings, arrival, outcome and end.
Tickets are kept for an hour after their end. The file contains player ids: store it accordingly.

Example: npm run -s muster -- rules record friday.jsonl --queue 5v5`;

const applyHelp = `
Every queue of the file whose rules differ gets a new version; a missing queue is created. Other queues are unchanged. If the
file has an error, nothing is changed. If another operator changes a queue meanwhile, the command is refused: check with
"diff" and apply again.

With --to-waiting, waiting tickets follow the new rules as well. Their expiry time does not change.

Examples: npm run -s muster -- rules apply 5v5.yaml --why "queues are short at night"
          npm run -s muster -- rules apply 5v5.yaml --to-waiting --why "nobody found a match"`;

const versionsHelp = `
Newest first, each with its time, whether it applied to waiting tickets, and the reason. "muster rules show QUEUE --at N"
prints one.

Example: npm run -s muster -- rules versions 5v5`;

const schemaHelp = `
The same as docs/queue-rules.schema.json and GET /v1/queue-rules.schema.json. For editors with YAML support, begin a rules
file with this line:

  # yaml-language-server: $schema=http://127.0.0.1:8080/v1/queue-rules.schema.json

The schema covers fields and ranges; "muster rules check" also finds contradictions.

Example: npm run -s muster -- rules schema > queue-rules.schema.json`;

const file = 'rules in YAML or JSON; - for standard input';
const hours = ['--hours <n>', 'hours of history, at most 1', numberWithin(0.01, 1), 1] as const;

/** Defines the command `muster rules`. @param defaultDataDir the data directory of a local system */
export function rulesCommand(rules: Command, defaultDataDir: string): void {
  rules.description('Validate, show, try and apply the rules of queues.').addHelpText('after', help);
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
  define(
    rules
      .command('versions')
      .description('List the versions of a queue’s rules.')
      .argument('<queue>', 'the queue', queueName)
      .option('--limit <n>', 'maximum number, newest first', wholeNumber(1, 200), 50),
    async () => (await import('./versions.js')).listVersions,
    versionsHelp,
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
