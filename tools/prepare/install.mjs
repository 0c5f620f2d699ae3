import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say, Unprepared } from './checkout.mjs';
import { step } from './step.mjs';

/** The sum of the package-lock.json that node_modules was installed from. */
const stampIn = (root) => join(root, 'node_modules/.muster-lock-sha256');

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** What an installation is made from: the lockfile, or where a checkout has none, the manifest. */
function fingerprint(root) {
  const source = read(join(root, 'package-lock.json')) ?? readFileSync(join(root, 'package.json'), 'utf8');
  return createHash('sha256').update(source).digest('hex');
}

/**
 * Whether two lockfiles name the same packages: the one of the checkout, and the one that npm leaves in node_modules.
 * Packages for other machines are absent from the second.
 */
export function samePackages(wanted, installed) {
  const places = Object.keys(wanted.packages).filter((place) => /(^|\/)node_modules\//.test(place));
  const all = places.every((place) => {
    const [want, have] = [wanted.packages[place], installed.packages[place]];
    if (have === undefined) return want.optional === true;
    return (
      want.version === have.version && want.integrity === have.integrity && want.resolved === have.resolved
    );
  });
  return all && Object.keys(installed.packages).every((place) => place in wanted.packages);
}

/** Whether node_modules is what package-lock.json asks for. */
export function isInstalled(root) {
  if (!existsSync(join(root, 'node_modules/nx/package.json'))) return false;
  if (read(stampIn(root)) === fingerprint(root)) return true;

  // No stamp of ours does not mean nothing to use: most people type `npm ci` first.
  const [wanted, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map((name) =>
    read(join(root, name)),
  );
  if (wanted === null || installed === null || !samePackages(JSON.parse(wanted), JSON.parse(installed)))
    return false;
  writeFileSync(stampIn(root), fingerprint(root));
  return true;
}

/** Installs the dependencies, unless they are. npm's own progress goes to stderr. */
export async function install(root) {
  if (isInstalled(root)) return;
  const command = existsSync(join(root, 'package-lock.json')) ? 'ci' : 'install';
  say(`installing the dependencies (npm ${command}), about half a minute …`);
  const startedAt = Date.now();
  // An installation cut short must not look finished.
  rmSync(stampIn(root), { force: true });
  const { code } = await npm(root, [command, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0) {
    throw new Unprepared(
      `npm ${command} failed with exit code ${code}; its reasons stand above. Once they are mended, start again.`,
    );
  }
  writeFileSync(stampIn(root), fingerprint(root));
  say(`installed in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

async function npm(root, args) {
  const stdio = ['ignore', process.stderr, process.stderr];
  // The npm that started us, if one did: PATH may hold another, or none.
  const own = process.env.npm_execpath;
  if (own !== undefined && /npm-cli\.[cm]?js$/.test(own)) {
    return step(process.execPath, [own, ...args], { cwd: root, stdio });
  }
  const onWindows = process.platform === 'win32';
  const [command, ...rest] = onWindows ? ['cmd.exe', '/d', '/c', 'npm', ...args] : ['npm', ...args];
  return step(command, rest, { cwd: root, stdio }).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Unprepared('npm is not on the PATH; it comes with Node from https://nodejs.org.');
  });
}
