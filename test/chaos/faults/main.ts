// `npm run test:faults`: one system for each fault, harmed under load; then the damage is read from its stores.
import { parseArgs } from 'node:util';
import { isGood, run, type Outcome } from './row.js';
import { rows, rowsNamed, shortRows } from './rows.js';
import { heading, line, nameWidth } from './table.js';

const help = `npm run test:faults -- [options]

Starts a system of two replicas of each service for every fault, harms it under load, and reads from its stores
what was lost, done twice, left without an end, or wrong. Prints a table, a line of JSON, and how many rows passed.

  --whole         all rows, as without options
  --short         ${shortRows.length} rows: ${shortRows.join(', ')}
  --only NAMES    these rows alone, with commas
  --list          the names of all rows, and what they do
  --players N     how many players queue (40)
  --help
`;
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const fail = (text: string): never => {
  process.stderr.write(`${text}\n`);
  process.exit(2);
};

const { values } = options();
if (values.help) {
  say(help);
  process.exit(0);
}
if (values.list) {
  for (const { name, what } of rows) say(`${name.padEnd(nameWidth)} ${what}`);
  process.exit(0);
}
const players = Number(values.players);
if (!Number.isInteger(players) || players < 10)
  fail(`--players takes a whole number, 10 or more: "${values.players}" is none.`);
const names = values.only === '' ? (values.short && !values.whole ? shortRows : []) : values.only.split(',');
const chosen = rowsNamed(names) ?? fail(`A name of ${names.join(', ')} is unknown: --list prints all names.`);

say(`${chosen.length} faults, two replicas of each service, ${players} players.\n`);
say(heading);
const outcomes: Outcome[] = [];
let failed = 0;
let skipped = 0;
for (const row of chosen) {
  const why = (await row.cannot?.()) ?? null;
  if (why !== null) {
    skipped++;
    say(`${row.name.padEnd(nameWidth)} skipped: ${why}`);
    continue;
  }
  try {
    const outcome = await run(row, players);
    outcomes.push(outcome);
    if (!isGood(outcome)) failed++;
    say(line(outcome, isGood(outcome)));
    for (const words of outcome.evidence) say(`    ${words}`);
  } catch (error) {
    failed++;
    say(`${row.name.padEnd(nameWidth)} FAILED: ${error instanceof Error ? error.message : String(error)}`);
  }
}
say(JSON.stringify({ rows: outcomes }));
const skips = skipped > 0 ? `, ${skipped} skipped` : '';
say(`${chosen.length - failed - skipped} passed, ${failed} failed${skips}`);
process.exit(failed === 0 ? 0 : 1);

function options() {
  try {
    return parseArgs({
      options: {
        whole: { type: 'boolean', default: false },
        short: { type: 'boolean', default: false },
        only: { type: 'string', default: '' },
        list: { type: 'boolean', default: false },
        players: { type: 'string', default: '40' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
  }
}
