import { QueueName } from '@muster/contracts';
import { InvalidArgumentError, type Command } from 'commander';
import {
  jsonLine,
  numberWithin,
  operatorOptions,
  reason,
  type OperatorOptions,
} from '../operator/options.js';
import { wholeNumber } from '../up/options.js';
import type { ApplyOptions } from './apply.js';
import type { RecordOptions } from './record.js';
import type { ShowOptions } from './show.js';
import type { TryOptions } from './try.js';

const help = `
A queue's rules say what it plays and how it matches: teams, windows that widen with waiting, roles, maps, bots, and so on.
They are a document, in YAML or JSON: the rules of one queue, or "queues:" with a list of them. docs/rules.md tells of every
field; "muster rules schema" prints a JSON Schema, by which an editor completes and checks.

A change holds at once, without a restart, as a new version. All versions are kept. Tickets that wait keep the rules that
they were told, unless --to-waiting says otherwise.

Examples: npm run -s muster -- rules show 5v5 > 5v5.yaml
          npm run -s muster -- rules check 5v5.yaml
          npm run -s muster -- rules diff 5v5.yaml
          npm run -s muster -- rules try 5v5.yaml
          npm run -s muster -- rules apply 5v5.yaml --why "queues are short at night"`;

const checkHelp = `
It needs no Muster that runs. What makes no sense is said a line each, with the place in the file, the path and the reason:

  5v5.yaml:12:5 skillWindow[2].limit: a limit may not narrow with waiting (was 8, is 4)

Exit code: 0 it makes sense, 1 it makes none. FILE - is standard input.

Example: npm run -s muster -- rules check queues.yaml --json`;

const showHelp = `
Without a queue, all of them, as one document. What is printed can be changed and put in force again; an earlier version
comes back that way, too. --json prints the same document as JSON.

Examples: npm run -s muster -- rules show > queues.yaml
          npm run -s muster -- rules show 5v5 --at 2 | npm run -s muster -- rules apply - --why "back to version 2"`;

const diffHelp = `
A line for each value that differs, by its path: what is in force, and what the file says. Nothing is changed.

  5v5: 1 difference to version 3
    5v5.skillWindow[1].limit: 8 -> 6

Example: npm run -s muster -- rules diff queues.yaml`;

const tryHelp = `
The tickets of the last hour are replayed by the matcher itself, under the rules in force and under those of the file, beside
what was recorded: how many find a match, how long they wait, how fair it is. Nothing is changed.

  new.yaml, replayed: the same tickets come at the same times, and who cancelled leaves when they did.

--tickets takes a record that "muster rules record" saved, and asks no Muster. It knows the rules in force then; --against
puts others in their place: a file, FILE:NAME, or a built-in queue. With --queue the rules of a queue of another name are
tried over the tickets of this one.

Examples: npm run -s muster -- rules try 5v5.yaml
          npm run -s muster -- rules try new.yaml --tickets friday.jsonl --against old.yaml --json`;

const recordHelp = `
A line says what it is of and the rules in force; every other line is a ticket: who, with which ratings, when it came, how its
waiting ended and when. Tickets are known for an hour after their end. The file names players: keep it accordingly.

Example: npm run -s muster -- rules record friday.jsonl --queue 5v5`;

const applyHelp = `
Every queue of the file whose rules differ gets a new version; one that is not there is made. Queues that the file does not
name are left alone. Nothing is changed when anything in the file makes no sense. If somebody else changes a queue at the
same time, yours is refused: look at it with "diff", and apply it again.

With --to-waiting, tickets that wait follow the new rules as well. When they expire stays as they were told.

Examples: npm run -s muster -- rules apply 5v5.yaml --why "queues are short at night"
          npm run -s muster -- rules apply 5v5.yaml --to-waiting --why "nobody found a match"`;

const versionsHelp = `
Newest first, each with when it came, whether tickets that waited follow it, and why. "muster rules show QUEUE --at N"
prints one.

Example: npm run -s muster -- rules versions 5v5`;

const schemaHelp = `
The same as docs/queue-rules.schema.json and GET /v1/queue-rules.schema.json. For editors that know YAML, let this be the
first line of a file of rules:

  # yaml-language-server: $schema=http://127.0.0.1:8080/v1/queue-rules.schema.json

It knows fields and ranges; what contradicts itself is found by "muster rules check".

Example: npm run -s muster -- rules schema > queue-rules.schema.json`;

/** Makes a command `muster rules`. @param defaultDataDir where a system on this machine keeps its data */
export function rulesCommand(rules: Command, defaultDataDir: string): void {
  rules
    .description('The rules of queues: check them, look at them, put them in force.')
    .addHelpText('after', help);
  const command = (name: string, description: string): Command =>
    rules.command(name).description(description);
  const finish = (each: Command, more: string): Command =>
    operatorOptions(each, defaultDataDir).addHelpText('after', more);
  const file = 'rules in YAML or JSON; - for standard input';

  command('check', 'Whether a file of rules makes sense.')
    .argument('<file>', file)
    .option('--json', jsonLine, false)
    .addHelpText('after', checkHelp)
    .action(async (name: string, options: { readonly json: boolean }) => {
      const { checkRules } = await import('./check.js');
      process.exitCode = await checkRules(name, options);
    });

  finish(
    command('show', 'The rules in force, as a document.')
      .argument('[queue]', 'this queue only', queueName)
      .option('--at <version>', 'as they were at this version', wholeNumber(1, 2_147_483_647)),
    showHelp,
  ).action(async (queue: string | undefined, options: ShowOptions) => {
    const { showRules } = await import('./show.js');
    await showRules(queue, options, process.env);
  });

  finish(command('diff', 'What a file would change.').argument('<file>', file), diffHelp).action(
    async (name: string, options: OperatorOptions) => {
      const { diffRules } = await import('./diff.js');
      await diffRules(name, options, process.env);
    },
  );

  const hours = ['--hours <n>', 'how far back, 1 at most', numberWithin(0.01, 1), 1] as const;
  finish(
    command('try', 'What a file would have changed for the tickets of the last hour.')
      .argument('<file>', file)
      .option('--queue <name>', 'whose tickets (default: the queue of the file)', queueName)
      .option('--tickets <file>', 'a record that "rules record" saved (default: asks Muster)')
      .option(...hours)
      .option('--against <rules>', 'these rules in the place of those in force')
      .option('--tick-ms <n>', 'between two ticks of the matcher', wholeNumber(10, 60_000), 150),
    tryHelp,
  ).action(async (name: string, options: TryOptions) => {
    const { tryRulesFile } = await import('./try.js');
    await tryRulesFile(name, options, process.env);
  });

  finish(
    command('record', 'Save the tickets of the last hour, to try rules over.')
      .argument('<file>', 'the file to write, JSON lines')
      .requiredOption('--queue <name>', 'whose tickets', queueName)
      .option(...hours),
    recordHelp,
  ).action(async (name: string, options: RecordOptions) => {
    const { recordTickets } = await import('./record.js');
    await recordTickets(name, options, process.env);
  });

  finish(
    command('apply', 'Put the rules of a file in force.')
      .argument('<file>', file)
      .option('--why <text>', 'why; it is kept with the version', reason)
      .option('--to-waiting', 'let tickets that wait follow them, too', false),
    applyHelp,
  ).action(async (name: string, options: ApplyOptions) => {
    const { applyRules } = await import('./apply.js');
    await applyRules(name, options, process.env);
  });

  finish(
    command('versions', 'The versions of a queue’s rules: when, for whom and why.')
      .argument('<queue>', 'the queue', queueName)
      .option('--limit <n>', 'so many, the newest first', wholeNumber(1, 200), 50),
    versionsHelp,
  ).action(async (queue: string, options: OperatorOptions & { readonly limit: number }) => {
    const { listVersions } = await import('./versions.js');
    await listVersions(queue, options, process.env);
  });

  command('schema', 'The JSON Schema of a file of rules.')
    .option('--json', 'on one line', false)
    .addHelpText('after', schemaHelp)
    .action(async (options: { readonly json: boolean }) => {
      const { printSchema } = await import('./schema.js');
      printSchema(options.json);
    });
}

/** The name of a queue, as an argument. @throws InvalidArgumentError with what would be right */
function queueName(text: string): string {
  const [issue] = QueueName.safeParse(text).error?.issues ?? [];
  if (issue) throw new InvalidArgumentError(`The name of a queue ${issue.message}.`);
  return text;
}
