import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { attempt } from './commands.js';

/** Programs that the test needs, and the Debian packages that have them. */
const wanted: readonly (readonly [program: string, packageName: string])[] = [
  ['dockerd', 'docker.io'],
  ['docker', 'docker.io'],
  ['docker-compose', 'docker-compose'],
  ['iptables-save', 'iptables'],
  ['crun', 'crun'],
  ['mmdebstrap', 'mmdebstrap'],
  ['ip', 'iproute2'],
  ['unshare', 'util-linux'],
  ['setpriv', 'util-linux'],
];
const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];

function isThere(program: string): boolean {
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Packages of programs that are missing. */
const missing = (): string[] => [
  ...new Set(wanted.filter(([program]) => !isThere(program)).map(([, packageName]) => packageName)),
];

/** Installs what is missing. @returns why the test cannot run here; undefined if it can */
export async function obstacle(say: (text: string) => void): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.getuid?.() !== 0) return 'it needs root, for a Docker daemon of its own';
  if (missing().length > 0 && existsSync('/usr/bin/apt-get')) {
    say(`Installing ${missing().join(', ')} …`);
    // Run level 1: the packages start no daemon.
    const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    await attempt('apt-get', ['update', '-qq'], { env, limitMs: 180_000 });
    const args = ['install', '-y', '-qq', '--no-install-recommends', ...missing()];
    const { code, all } = await attempt('apt-get', args, { env, limitMs: 600_000 });
    if (code !== 0) return `${missing().join(', ')} could not be installed: ${all.trim().split('\n').at(-1)}`;
  }
  if (missing().length > 0) return `${missing().join(', ')} is not installed, and there is no apt-get`;
  const probe = await attempt('unshare', ['--mount', '--net', '--pid', '--fork', 'ip', 'link']);
  if (probe.code !== 0) return `this machine allows no namespaces: ${probe.all.trim()}`;
  return undefined;
}
