import { own } from '@muster/domain';
import type { Command } from 'commander';
import type { Row } from '../calls/call.js';
import { matchRows } from './matches.js';
import { poolRows } from './pools.js';
import { queueRows } from './queues.js';
import { ratingRows } from './ratings.js';
import { systemRows } from './system.js';

/** What a group of commands is about; its rows are in the tables beside. */
const groups: Readonly<Record<string, string>> = {
  queues: 'List, pause and resume queues, and see why tickets wait.',
  maintenance: 'Announce, begin and end maintenance of all queues.',
  tickets: 'List, show and cancel tickets.',
  matches: 'List and show matches, end one, or remove it from the ratings.',
  sessions: 'List the sessions that are played on servers.',
  servers: 'List, drain, undrain and remove dedicated servers.',
  players: 'Show players, set their ratings; export or erase their data.',
  bans: 'Keep players from queues for a time.',
  penalties: 'List penalties, and forgive one or many at once.',
  conflicts: 'List results that contradict each other, and decide.',
  cases: 'List, show and close cases of integrity.',
  pools: 'Create, show, change, tune and rebuild rating pools.',
  seasons: 'Announce, preview, begin and look up the seasons of a pool.',
  boosters: 'Let players play some matches in another division.',
  rules: 'Validate, show, try and apply the rules of queues.',
  logins: 'Check tokens of players against the logins of the game.',
  keys: 'Make the keys of an installation, and give operators keys.',
  'fleet-keys': 'Give fleets keys with which their servers register, with caps.',
  audit: 'Show or export the changes that operators made.',
  webhooks: 'Send events to other systems, and see what they got.',
  jobs: 'Count jobs between services, and handle dead letters.',
};

/** Every command over an endpoint. */
export const rows: readonly Row[] = [...queueRows, ...matchRows, ...ratingRows, ...poolRows, ...systemRows];

/** Defines the commands of the tables. @returns the group of a name, for commands that are more than a call */
export function defineRows(program: Command, defaultDataDir: string): (name: string) => Command {
  const group = (name: string): Command =>
    program.commands.find((command) => command.name() === name) ??
    program
      .command(name)
      .description(own(groups, name) ?? '')
      .addHelpText('after', examplesOf(name));
  for (const row of rows) {
    const [first = '', name] = row.words.split(' ');
    const above = name === undefined ? program : group(first);
    // The first command of a group, if it needs no argument, is what the group does by itself.
    const isDefault = above !== program && above.commands.length === 0 && /^(--|$)/.test(row.example);
    row.define(above.command(name ?? first, { isDefault }), defaultDataDir);
  }
  return group;
}

function examplesOf(group: string): string {
  const examples = rows.filter(({ words }) => words.startsWith(`${group} `));
  const lines = examples.map(({ words, example }) => `  muster ${words} ${example}`.trimEnd());
  return lines.length === 0 ? '' : `\nExamples:\n${lines.join('\n')}`;
}
