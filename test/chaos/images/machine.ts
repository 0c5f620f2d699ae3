import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from './commands.js';

/** Folders outside of its own that a daemon writes. Inside, an empty one covers each. */
export const writtenByDaemons = ['/run', '/opt', '/etc/docker'] as const;

/** Makes those that are missing, so that they can be covered. @returns a function that removes them again */
export function makeCovers(): () => void {
  const made = writtenByDaemons.filter((path) => !existsSync(path));
  for (const path of made) mkdirSync(path);
  return () => {
    for (const path of made) rmdirSync(path);
  };
}

/** What a Docker daemon usually changes of a machine, as text by name. */
export type Machine = ReadonlyMap<string, string>;

/** Values that change by themselves. */
const volatile = /nf_conntrack_count|\/stat|min_adv_mss|tcp_mem|udp_mem/;

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else yield path;
  }
}

function content(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '(not readable)';
  }
}

function namesIn(folder: string): string {
  try {
    return readdirSync(folder).toSorted().join(' ');
  } catch {
    return '(none)';
  }
}

/** Firewall rules, links, routes, settings of the network and of keys, and folders that a daemon writes. */
export async function lookAtMachine(): Promise<Machine> {
  const seen = new Map<string, string>();
  for (const command of ['iptables-save', 'ip6tables-save']) {
    const { out } = await attempt(command, []);
    // Comments have times, and the counters of a chain grow.
    seen.set(command, out.replaceAll(/^#.*\n/gm, '').replaceAll(/\[\d+:\d+\]/g, ''));
  }
  for (const args of [['-o', 'link'], ['-4', 'route'], ['-6', 'route'], ['netns']])
    seen.set(`ip ${args.join(' ')}`, (await attempt('ip', args)).out.replaceAll(/expires \d+sec/g, ''));
  for (const folder of ['/proc/sys/net', '/proc/sys/kernel/keys'])
    for (const path of filesIn(folder)) if (!volatile.test(path)) seen.set(path, content(path));
  for (const folder of ['/etc/docker', '/opt', '/var/lib/docker', '/run/docker', '/run/containerd'])
    seen.set(folder, namesIn(folder));
  return seen;
}

/** What differs between two looks. */
export function differences(before: Machine, after: Machine): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
}

/** Processes whose command line names a text. */
export function processesNaming(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => content(`/proc/${name}/cmdline`).includes(text))
    .map(Number);
}

/** Control groups of a name, in every hierarchy. */
function controlGroups(name: string): string[] {
  const root = '/sys/fs/cgroup';
  const hierarchies = ['', ...readdirSync(root)];
  return hierarchies
    .map((hierarchy) => join(root, hierarchy, name))
    .filter((path) => namesIn(path) !== '(none)');
}

function removeGroup(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) removeGroup(join(path, entry.name));
  rmdirSync(path);
}

/** Removes the control groups of a name. Those of processes that still end are refused: try again. @returns whether none is left */
export function removeControlGroups(name: string): boolean {
  for (const path of controlGroups(name)) {
    try {
      removeGroup(path);
    } catch {
      return false;
    }
  }
  return true;
}
