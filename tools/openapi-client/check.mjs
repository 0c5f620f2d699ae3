#!/usr/bin/env node
// Checks the OpenAPI document with its users' tools: Redocly's recommended rules report nothing, and a program
// type-checks against the TypeScript client that openapi-typescript generates by default. Both tools need another
// TypeScript version than the checkout, so they are installed here on first use.
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

/** Runs a command in this folder and collects its output. */
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

/** Ends the check with the command's output if it failed. */
function requireSuccess({ code, stdout, stderr }, what) {
  if (code === 0) return;
  process.stderr.write(`${stdout}${stderr}\n${what} failed\n`);
  process.exit(1);
}

const tool = (name) => join(folder, 'node_modules/.bin', name);

/** Installs the tools, unless the lockfile's versions are installed. */
async function install() {
  const stamp = join(folder, 'node_modules/.muster-lock-sha256');
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  process.stdout.write(`installing the checkers of the OpenAPI document in ${folder} …\n`);
  requireSuccess(
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']),
    'npm ci',
  );
  writeFileSync(stamp, wanted);
}

/** Redocly succeeds with warnings; here a warning fails the check. */
async function lint() {
  const args = ['lint', '--extends', 'recommended', '--format', 'json', '--max-problems', '1000', document];
  const { stdout, stderr } = await run(tool('redocly'), args);
  const report = readReport(stdout);
  if (!report) requireSuccess({ code: 1, stdout, stderr }, 'redocly lint');
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

/** The document of the sources; earlier builds are not used. */
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
requireSuccess(
  await run(tool('openapi-typescript'), [document, '-o', join(generated, 'muster.ts')]),
  'openapi-typescript',
);
requireSuccess(await run(tool('tsc'), ['-p', 'tsconfig.json']), 'the program that uses the generated client');
process.stdout.write(
  'The OpenAPI document: Redocly reports nothing, and the program type-checks with the generated client.\n',
);
