import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isBuilt, rememberBuilt, sourcesOf } from './built.mjs';
import { isInstalled, samePackages } from './install.mjs';
import { satisfies } from './node-version.mjs';
import { allPrograms, bundlesOf, hostedProgramsIn, programsIn } from './programs.mjs';

const onlyOneModule = new URL('./only-one.mjs', import.meta.url).href;

let root;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'muster-prepare-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe('the version of Node', () => {
  const range = '^20.19.0 || >=22.12.0';

  it.each(['20.19.0', '20.20.2', '22.12.0', '23.0.0', '24.1.3'])('%s passes', (version) => {
    expect(satisfies(version, range)).toBe(true);
  });

  it.each(['18.20.4', '20.18.9', '21.7.3', '22.11.99'])('%s is refused', (version) => {
    expect(satisfies(version, range)).toBe(false);
  });

  it('is not guessed from a range in another form', () => {
    expect(() => satisfies('20.19.0', '20.x')).toThrow("cannot read the range of Node versions '20.x'");
  });
});

describe('whether the dependencies are installed', () => {
  const one = { version: '1.0.0', integrity: 'sha512-one' };
  const lockfile = (packages) => ({ packages: { '': {}, 'libs/one': {}, ...packages } });

  it.each([
    ['the same', { 'node_modules/one': one }, true],
    ['another version', { 'node_modules/one': { ...one, version: '1.0.1' } }, false],
    ['one too few', {}, false],
    ['one too many', { 'node_modules/one': one, 'node_modules/two': one }, false],
  ])('by the packages: %s', (_, installed, same) => {
    const wanted = lockfile({
      'node_modules/one': one,
      'node_modules/for-another-machine': { optional: true },
    });
    expect(samePackages(wanted, { packages: installed })).toBe(same);
  });

  it('takes what `npm ci` installed without us, and notices a new lockfile', () => {
    const lock = (version) => JSON.stringify(lockfile({ 'node_modules/one': { ...one, version } }));
    expect(isInstalled(root)).toBe(false);

    mkdirSync(join(root, 'node_modules/nx'), { recursive: true });
    writeFileSync(join(root, 'node_modules/nx/package.json'), '{}');
    writeFileSync(join(root, 'package-lock.json'), lock('1.0.0'));
    writeFileSync(join(root, 'node_modules/.package-lock.json'), lock('1.0.0'));
    expect(isInstalled(root)).toBe(true);
    expect(readFileSync(join(root, 'node_modules/.muster-lock-sha256'), 'utf8')).toMatch(/^[0-9a-f]{64}$/);

    writeFileSync(join(root, 'package-lock.json'), lock('1.0.1'));
    expect(isInstalled(root)).toBe(false);
  });
});

describe('whether everything is built', () => {
  const file = (path) => join(root, 'libs/one', path);
  beforeEach(() => {
    mkdirSync(file('src'), { recursive: true });
    mkdirSync(join(root, 'dist'));
    writeFileSync(file('src/index.ts'), 'export {};');
    writeFileSync(file('src/one.process.ts'), 'export {};');
    writeFileSync(join(root, 'dist/one.process.js'), '');
  });

  it('is known from the last build, until a source changes, comes or goes', () => {
    expect(isBuilt(root)).toBe(false);
    rememberBuilt(root, sourcesOf(root));
    expect(isBuilt(root)).toBe(true);
    writeFileSync(file('src/index.ts'), 'export const one = 1;');
    expect(isBuilt(root)).toBe(false);
    rememberBuilt(root, sourcesOf(root));
    writeFileSync(file('src/two.ts'), '');
    expect(isBuilt(root)).toBe(false);
    rmSync(file('src/two.ts'));
    expect(isBuilt(root)).toBe(true);
  });

  it('does not depend on specs and on what the build makes, as long as that is there', () => {
    rememberBuilt(root, sourcesOf(root));
    writeFileSync(file('src/index.spec.ts'), '');
    writeFileSync(join(root, 'dist/chunk.js'), '');
    expect(isBuilt(root)).toBe(true);
    rmSync(join(root, 'dist'), { recursive: true });
    expect(isBuilt(root)).toBe(false);
  });

  it('takes a bundle for each program: main.ts, workers and child processes, and files of benchmarks', () => {
    for (const path of [
      'apps/a/src/main.ts',
      'apps/a/src/deep/sum.worker.ts',
      'apps/a/src/deep/main.ts',
      'test/bench/b/main.ts',
      'test/bench/b/main.spec.ts',
      'test/bench/b/node_modules/other/main.ts',
      'test/e2e/c.spec.ts',
    ]) {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), '');
    }
    expect([...bundlesOf(root)]).toEqual([
      ['apps/a', ['main', 'sum.worker']],
      ['libs/one', ['one.process']],
    ]);
    expect(allPrograms(root)).toEqual({
      a: join(root, 'apps/a/src/main.ts'),
      'sum.worker': join(root, 'apps/a/src/deep/sum.worker.ts'),
      'one.process': join(root, 'libs/one/src/one.process.ts'),
    });
    expect(programsIn(root, 'test')).toEqual({ 'bench/b/main': join(root, 'test/bench/b/main.ts') });
  });

  it('brings the workers of the apps that an app runs in its process', () => {
    for (const path of ['apps/a/src/main.ts', 'apps/a/src/deep/sum.worker.ts', 'apps/host/src/main.ts']) {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), '');
    }
    const dependencies = { '@muster/a': '0.1.0', '@muster/library': '0.1.0', fastify: '5.0.0' };
    writeFileSync(join(root, 'apps/host/package.json'), JSON.stringify({ dependencies }));
    expect(hostedProgramsIn(root, 'apps/host')).toEqual({
      'sum.worker': join(root, 'apps/a/src/deep/sum.worker.ts'),
    });
    expect(hostedProgramsIn(root, 'apps/a')).toEqual({});
  });
});

describe('only one prepares', { timeout: 30_000 }, () => {
  const lock = () => join(root, 'prepare.lock');

  /** A process that takes the lock, and then does what `work` says. */
  const taker = (work) => [
    '--input-type=module',
    '-e',
    `import { appendFileSync } from 'node:fs';
     import { setTimeout as pause } from 'node:timers/promises';
     import { onlyOne } from '${onlyOneModule}';
     await onlyOne(${JSON.stringify(lock())}, async () => { ${work} });`,
  ];

  it('while others wait for their turn, a stale lock before them or not', async () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    writeFileSync(lock(), `${dead} 1`);
    const journal = join(root, 'journal');
    const note = (text) => `appendFileSync(${JSON.stringify(journal)}, '${text}');`;
    const work = `${note('(')} await pause(50); ${note(')')}`;

    const ends = Array.from({ length: 5 }, () => spawn(process.execPath, taker(work))).map(
      (child) => new Promise((resolve) => child.on('close', resolve)),
    );

    expect(await Promise.all(ends)).toEqual([0, 0, 0, 0, 0]);
    expect(readFileSync(journal, 'utf8')).toBe('()()()()()');
    expect(existsSync(lock())).toBe(false);
  });

  it.runIf(process.platform === 'linux')(
    'when the number of a dead holder belongs to another process',
    () => {
      writeFileSync(lock(), `${process.pid} 1`);
      expect(spawnSync(process.execPath, taker('')).status).toBe(0);
    },
  );

  it('when the holder was killed before it wrote its number', () => {
    writeFileSync(lock(), '');
    const longAgo = Date.now() / 1000 - 60;
    utimesSync(lock(), longAgo, longAgo);
    expect(spawnSync(process.execPath, taker('')).status).toBe(0);
  });

  it('and leaves no lock when its work fails', () => {
    expect(spawnSync(process.execPath, taker("throw new Error('failed');")).status).toBe(1);
    expect(existsSync(lock())).toBe(false);
  });
});
