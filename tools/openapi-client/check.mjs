#!/usr/bin/env node
// Checks the OpenAPI document as those who use it do: Redocly's recommended rules find nothing, and a TypeScript client that
// openapi-typescript generates by its defaults fits a program. Both tools want another TypeScript than the checkout has, so
// they are installed here, when they are first needed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { resolveSources } from '../bundle.mjs';

const folder = import.meta.dirname;
const generated = join(folder, 'generated');
const document = join(generated, 'openapi.json');

/** Runs a command in this folder and collects what it says. */
function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: folder,
      env: {
        ...process.env,
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
        NO_COLOR: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text) => (stdout += text));
    child.stderr.on('data', (text) => (stderr += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Ends the check with what a command said, when it failed. */
function demand({ code, stdout, stderr }, what) {
  if (code === 0) return;
  process.stderr.write(`${stdout}${stderr}\n${what} failed\n`);
  process.exit(1);
}

const tool = (name) => join(folder, 'node_modules/.bin', name);

/** Installs the tools, unless those of the lockfile are there. */
async function install() {
  const stamp = join(folder, 'node_modules/.muster-lock-sha256');
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  process.stdout.write(`installing the checkers of the OpenAPI document in ${folder} …\n`);
  demand(
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']),
    'npm ci',
  );
  writeFileSync(stamp, wanted);
}

/** Redocly ends well when it has only warnings; here one is too many. */
async function lint() {
  const args = ['lint', '--extends', 'recommended', '--format', 'json', '--max-problems', '1000', document];
  const { stdout, stderr } = await run(tool('redocly'), args);
  const report = readReport(stdout);
  if (!report) demand({ code: 1, stdout, stderr }, 'redocly lint');
  for (const { severity, ruleId, message, location } of report.problems)
    process.stderr.write(`${severity} ${ruleId} at ${location?.[0]?.pointer ?? '#'}: ${message}\n`);
  if (report.problems.length > 0) process.exit(1);
}

function readReport(stdout) {
  try {
    return JSON.parse(stdout.slice(stdout.indexOf('{')));
  } catch {
    return null;
  }
}

/** The document as the sources say it: nothing that was built before takes part. */
async function documentOf(version) {
  const contracts = join(generated, 'contracts.mjs');
  const made = await rolldown({
    input: join(folder, '../../libs/contracts/src/index.ts'),
    platform: 'node',
    resolve: resolveSources,
    tsconfig: false,
  });
  await made.write({ file: contracts });
  await made.close();
  const { openApiDocument } = await import(pathToFileURL(contracts).href);
  return openApiDocument(version);
}

const { version } = JSON.parse(readFileSync(join(folder, '../../package.json'), 'utf8'));
await install();
mkdirSync(generated, { recursive: true });
writeFileSync(document, `${JSON.stringify(await documentOf(version), null, 2)}\n`);
await lint();
demand(
  await run(tool('openapi-typescript'), [document, '-o', join(generated, 'muster.ts')]),
  'openapi-typescript',
);
demand(await run(tool('tsc'), ['-p', 'tsconfig.json']), 'the program that uses the generated client');
process.stdout.write(
  'The OpenAPI document: Redocly finds nothing, and the generated client fits its program.\n',
);
