import { InvalidArgumentError, Option, type Command } from 'commander';
import { playerId, reason } from '@muster/command-line/operator/options';
import { directory, wholeNumber } from '@muster/command-line/options/values';
import { print } from '@muster/command-line/operator/output';
import { personHere } from '../database/audit.store.js';
import type { Carried } from './requests.js';
import type { DataOptions } from './stores.js';

const stores = `
It reads DATABASE_URL, as the owner of the tables, and REDIS_URL; without them those of the Muster on this machine.`;

const database = `
It reads DATABASE_URL, as the owner of the tables; without it the database of the Muster on this machine.

Example: muster players`;

const eraseHelp = `${stores}
A random pseudonym takes the place of the id in the ledger and in matches, so ratings of others stay the same. The player must not
be queued or in a match. Nothing can bring the id back. --requested erases the players who asked for it with DELETE /v1/me/data,
once they can no longer withdraw; one who cannot be erased now waits for the next run. docs/privacy.md has the details.

Examples: muster players erase alice --reason "asked by letter of 3 March"
          muster players erase --requested --after 72`;

const exportHelp = `${stores}
--requested writes a file for each player who asked for it with POST /v1/me/data. Hand it to the player alone, then delete it.

Examples: muster players export alice > alice.json
          muster players export --requested ./exports`;

/** How long a player can withdraw a request to be erased, in hours. */
const defaultAfterHours = 24;

/** Requests and holds are in the database alone, and players are the same in all realms that share one. */
function noRealm(): never {
  throw new InvalidArgumentError(
    'A realm is a part of Redis; requests and holds are in the database, for all realms. Leave --realm out.',
  );
}

/** Adds the commands about a player's data to `muster players`. @param defaultDataDir of a local system */
export function dataCommands(players: Command, defaultDataDir: string): void {
  const add = (name: string, about: string, realm: Option, help: string): Command =>
    players
      .command(name)
      .description(about)
      .addOption(realm)
      .option('--data-dir <dir>', 'data directory of the Muster on this machine', directory, defaultDataDir)
      .addOption(
        new Option('--by <name>', 'whom the audit log names').default(personHere(process.env), 'you'),
      )
      .option('--json', 'one JSON object on one line instead of text', false)
      .addHelpText('after', help);
  const inStores = new Option('--realm <name>', 'the realm of the services, as in REALM').default(
    process.env['REALM'] ?? 'default',
  );
  const inDatabase = new Option('--realm <name>').argParser(noRealm).hideHelp();
  add('export', 'Print everything that is stored of a player, as JSON.', inStores, exportHelp)
    .argument('[player]', 'the player’s id', playerId)
    .option('--requested <dir>', 'write a file for each player who asked for it', directory)
    .action(exportAction);
  add('erase', 'Erase a player from all stores.', inStores, eraseHelp)
    .argument('[player]', 'the player’s id', playerId)
    .option('--reason <text>', 'the reason, which is stored; required with a player', reason)
    .option('--requested', 'erase each player who asked for it', false)
    .option(
      '--after <hours>',
      'with --requested: only requests at least this old',
      wholeNumber(0, 8_760),
      defaultAfterHours,
    )
    .action(eraseAction);
  databaseCommands((name, about, help) => add(name, about, inDatabase, `${database} ${help}`));
}

type Add = (name: string, about: string, help: string) => Command;

/** Commands that read the database alone. */
function databaseCommands(add: Add): void {
  add('requests', 'List the players who asked for their data, or to be erased.', 'requests').action(
    async (options: DataOptions) => {
      const { requestsText, waitingRequests } = await import('./requests.js');
      const requests = await waitingRequests(options, process.env);
      print(options.json, { requests }, () => requestsText(requests));
    },
  );
  add(
    'hold',
    'Put a legal hold on a player’s data: it cannot be erased.',
    'hold alice --reason "court order 12/2027"',
  )
    .argument('<player>', 'the player’s id', playerId)
    .requiredOption('--reason <text>', 'the reason, which is stored', reason)
    .action(async (id: string, options: DataOptions & { readonly reason: string }) => {
      const { holdPlayer } = await import('./hold.js');
      await holdPlayer(id, options, process.env, Date.now());
      print(options.json, { playerId: id, held: true }, () => [
        `${id} cannot be erased until "muster players release ${id}".`,
      ]);
    });
  add('release', 'End the legal hold on a player’s data.', 'release alice')
    .argument('<player>', 'the player’s id', playerId)
    .action(async (id: string, options: DataOptions) => {
      const { releasePlayer } = await import('./hold.js');
      const released = await releasePlayer(id, options, process.env);
      print(options.json, { playerId: id, released }, () => [
        released ? `The hold on ${id} is over.` : `There was no hold on ${id}.`,
      ]);
    });
}

interface StoreOptions extends DataOptions {
  readonly realm: string;
}
async function exportAction(
  id: string | undefined,
  options: StoreOptions & { readonly requested?: string },
): Promise<void> {
  if (options.requested === undefined) {
    const { exportPlayer } = await import('./export.js');
    const data = await exportPlayer(named(id, '--requested DIR'), options, process.env, Date.now());
    return print(options.json, data, () => [JSON.stringify(data, null, 2)]);
  }
  refuseBoth(id);
  const { exportRequested } = await import('./requests.js');
  await tell('exported', options, await exportRequested(options.requested, options, process.env, Date.now()));
}

interface EraseArguments extends StoreOptions {
  readonly reason?: string;
  readonly requested: boolean;
  readonly after: number;
}

async function eraseAction(id: string | undefined, options: EraseArguments): Promise<void> {
  if (!options.requested) {
    if (options.reason === undefined) throw new Error('Name the reason with --reason; it is stored.');
    const { erase, erasedText } = await import('./erase.js');
    const player = named(id, '--requested');
    const erased = await erase(player, { ...options, reason: options.reason }, process.env, Date.now());
    return print(options.json, erased, () => erasedText(player, erased));
  }
  refuseBoth(id);
  const { eraseRequested } = await import('./requests.js');
  const given = { ...options, reason: options.reason ?? 'requested by the player' };
  await tell('erased', options, await eraseRequested(options.after, given, process.env, Date.now()));
}

/** Prints what came of requests; the exit code says whether some of them wait for another run. */
async function tell(what: string, options: DataOptions, carried: Carried): Promise<void> {
  const { carriedText } = await import('./requests.js');
  print(options.json, carried, () => carriedText(what, carried));
  if (carried.failed.length > 0) process.exitCode = 1;
}

/** @throws Error with a user-facing message when no player is named */
function named(id: string | undefined, instead: string): string {
  if (id === undefined) throw new Error(`Name a player, or give ${instead}.`);
  return id;
}

function refuseBoth(id: string | undefined): void {
  if (id !== undefined) throw new Error('Name a player or give --requested, not both.');
}
