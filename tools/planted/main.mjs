#!/usr/bin/env node
// Plants one fault after the other in a copy of the checkout, and runs the specs that should notice it: those listed, then
// all unit and store specs related to the file, then the listed end-to-end specs. Prints a table of which spec noticed what,
// then one line of JSON. Fails when a fault is not noticed, or does not fit its file any more.
//
//   node tools/planted/main.mjs [--at COMMIT] [--only TEXT]    faults whose name holds the text; at another commit
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { checkout } from '../prepare/checkout.mjs';
import { faults } from './faults.mjs';

const { values: options } = parseArgs({ options: { at: { type: 'string' }, only: { type: 'string' } } });

/** A run that takes longer hangs, which is noticed too. */
const longestMs = 240_000;

/** The sources of a commit, or of the working tree, with the installed dependencies. */
function copyOf(commit) {
  const copy = mkdtempSync(join(tmpdir(), 'muster-planted-'));
  const git = (...args) => execFileSync('git', args, { cwd: checkout, maxBuffer: 2 ** 29 });
  if (commit) execFileSync('tar', ['-x', '-C', copy], { input: git('archive', commit) });
  else
    for (const path of git('ls-files', '-co', '--exclude-standard', '-z')
      .toString()
      .split('\0')
      .filter(Boolean)) {
      if (!existsSync(join(checkout, path))) continue;
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      cpSync(join(checkout, path), join(copy, path), { verbatimSymlinks: true });
    }
  // Packages of the checkout are relative links in it: they lead to the copy.
  const modules = [join(checkout, 'node_modules'), join(copy, 'node_modules')];
  try {
    execFileSync('cp', ['-al', ...modules], { stdio: 'ignore' });
  } catch {
    // Another file system has no hard links to this one.
    execFileSync('cp', ['-a', ...modules]);
  }
  return copy;
}

/** Runs a command in the copy. @returns whether it succeeded in time */
function run(copy, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: copy,
      env: { ...process.env, ...env },
      stdio: 'ignore',
      detached: true,
    });
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), longestMs);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

/** The first failed test of a run of Vitest; null when all passed. */
async function failure(copy, args) {
  const report = join(copy, 'planted.json');
  rmSync(report, { force: true });
  const passed = await run(copy, [
    'node_modules/vitest/vitest.mjs',
    ...args,
    '--bail=1',
    '--passWithNoTests',
    '--reporter=json',
    `--outputFile=${report}`,
  ]);
  if (passed) return null;
  if (!existsSync(report)) return { spec: '(no answer)', test: 'the run did not end' };
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  for (const { name, assertionResults, status } of testResults) {
    const failed = assertionResults.find((each) => each.status === 'failed');
    if (failed || status === 'failed')
      return { spec: relative(copy, name), test: failed?.fullName ?? '(the file)' };
  }
  return { spec: '(the run)', test: 'an error outside of tests' };
}

const projectsOf = (specs) => [
  ...new Set(specs.map((spec) => `--project=${spec.startsWith('test/stores') ? 'stores' : 'unit'}`)),
];

async function noticedBy(copy, { file, specs, endToEnd = [] }) {
  // Scripts are generated into TypeScript.
  if (file.endsWith('.lua') && !(await run(copy, ['tools/generate-scripts.mjs'])))
    return { spec: '(the generator of scripts)', test: 'refuses it' };
  const listed = await failure(copy, ['run', ...projectsOf(specs), ...specs]);
  if (listed) return listed;
  if (!file.endsWith('.lua')) {
    const related = await failure(copy, ['related', file, '--run', '--project=unit', '--project=stores']);
    if (related) return related;
  }
  if (endToEnd.length === 0) return null;
  if (!(await run(copy, ['tools/prepare.mjs']))) return { spec: '(the build)', test: 'fails' };
  return failure(copy, ['run', '--project=e2e', ...endToEnd]);
}

async function tryOut(copy, fault) {
  const path = join(copy, fault.file);
  const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (source.split(fault.find).length !== 2) return { outcome: 'stale', spec: '', test: '' };
  writeFileSync(
    path,
    source.replace(fault.find, () => fault.put),
  );
  try {
    const by = await noticedBy(copy, fault);
    return by ? { outcome: 'caught', ...by } : { outcome: 'missed', spec: '', test: '' };
  } finally {
    writeFileSync(path, source);
    if (fault.file.endsWith('.lua')) await run(copy, ['tools/generate-scripts.mjs']);
  }
}

const chosen = faults.filter(({ name }) => name.includes(options.only ?? ''));
const copy = copyOf(options.at);
const rows = [];
try {
  if (!(await run(copy, ['tools/prepare.mjs']))) throw new Error('the copy could not be prepared');
  for (const fault of chosen) {
    const startedAt = performance.now();
    const found = await tryOut(copy, fault);
    const seconds = (performance.now() - startedAt) / 1000;
    rows.push({ name: fault.name, ...found });
    console.log(
      `${found.outcome.padEnd(7)} ${fault.name.padEnd(50)} ${seconds.toFixed(0).padStart(4)} s  ${found.spec}${found.test && `: ${found.test}`}`,
    );
    if (found.outcome === 'missed') console.log(`        unnoticed: ${fault.breaks}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
const count = (outcome) => rows.filter((row) => row.outcome === outcome).length;
const summary = {
  faults: rows.length,
  caught: count('caught'),
  missed: count('missed'),
  stale: count('stale'),
  rows,
};
console.log(JSON.stringify(summary));
if (summary.caught < summary.faults) process.exitCode = 1;
