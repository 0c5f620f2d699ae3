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
  --at-once N     how many systems run beside one another (1); recoveries take longer then
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
const atOnce = Number(values['at-once']);
if (!Number.isInteger(atOnce) || atOnce < 1)
  fail(`--at-once takes a whole number, 1 or more: "${values['at-once']}" is none.`);
const names = values.only === '' ? (values.short && !values.whole ? shortRows : []) : values.only.split(',');
const chosen = rowsNamed(names) ?? fail(`A name of ${names.join(', ')} is unknown: --list prints all names.`);

say(`${chosen.length} faults, two replicas of each service, ${players} players.\n`);
say(heading);
const outcomes: Outcome[] = [];
let failed = 0;
let skipped = 0;
const waiting = [...chosen];
await Promise.all(Array.from({ length: atOnce }, rowsInTurn));
say(JSON.stringify({ rows: outcomes }));
const skips = skipped > 0 ? `, ${skipped} skipped` : '';
say(`${chosen.length - failed - skipped} passed, ${failed} failed${skips}`);
process.exit(failed === 0 ? 0 : 1);

async function rowsInTurn(): Promise<void> {
  for (let row = waiting.shift(); row; row = waiting.shift()) {
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
      say([line(outcome, isGood(outcome)), ...outcome.evidence.map((words) => `    ${words}`)].join('\n'));
    } catch (error) {
      failed++;
      say(`${row.name.padEnd(nameWidth)} FAILED: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

function options() {
  try {
    return parseArgs({
      options: {
        whole: { type: 'boolean', default: false },
        short: { type: 'boolean', default: false },
        only: { type: 'string', default: '' },
        list: { type: 'boolean', default: false },
        players: { type: 'string', default: '40' },
        'at-once': { type: 'string', default: '1' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
  }
}
