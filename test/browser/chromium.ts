import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const packageName = 'chromium';

/** Where Chromium is: CHROMIUM_PATH, or the one on the PATH. */
function found(): string | null {
  const { CHROMIUM_PATH: named = '' } = process.env;
  if (named !== '') return existsSync(named) ? named : null;
  const { stdout, status } = spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** Whether this is Debian, and this process may install. */
const mayInstall = (): boolean =>
  process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get');

function install(): void {
  process.stderr.write(`Installs ${packageName}, once …\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', packageName],
  ])
    spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Chromium, installed where that can be done. Without it the process ends with a sentence that says what to install. */
function pathOfChromium(): string {
  const before = found();
  if (before !== null) return before;
  if (process.env['CHROMIUM_PATH'] === undefined && mayInstall()) install();
  const after = found();
  if (after !== null) return after;
  process.stderr.write(
    'There is no Chromium. Install it (Debian: apt-get install chromium), or name it in CHROMIUM_PATH.\n',
  );
  process.exit(1);
}

/** Starts a Chromium that speaks to nobody but those whom its pages name. */
export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: pathOfChromium(),
    // The sandbox does not work for root.
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', ...args],
  });
}
