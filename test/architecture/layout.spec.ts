import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Tracked and new files below some folders. */
function sources(...folders: string[]): string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...folders], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path));
}

const linesOf = (path: string): number => readFileSync(path, 'utf8').trimEnd().split('\n').length;

describe('libs/db', () => {
  it('has no domain terms: each table is read and written in the service that owns it', () => {
    const words = /\b(match(es)?|sessions?|backfills?|pools?|part(y|ies)|tickets?)\b/i;
    const naming = sources('libs/db').flatMap((path) =>
      readFileSync(path, 'utf8')
        .split('\n')
        // A PostgreSQL setting, and the driver's name for its connections.
        .filter((line) =>
          words.test(line.replace(/idle_in_transaction_session_timeout|Pool: Connections/, '')),
        )
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(naming).toEqual([]);
  });
});

describe('the composition of a service', () => {
  it('fits on a screen: a module is under 80 lines, main.ts under 20', () => {
    const services = ['queue', 'assignment', 'allocator', 'rating'].map((name) => `apps/${name}/src`);
    const long = sources(...services).filter(
      (path) =>
        (path.endsWith('.module.ts') && linesOf(path) >= 80) ||
        (path.endsWith('/main.ts') && linesOf(path) >= 20),
    );
    expect(long).toEqual([]);
  });
});

describe('Lua', () => {
  it('is in .lua files: a source has none, but the one word that asks a Cluster for its time', () => {
    const withLua = sources('apps', 'libs').filter(
      (path) => !path.endsWith('.spec.ts') && /redis\.call\('/.test(readFileSync(path, 'utf8')),
    );
    expect(withLua).toEqual(['libs/redis/src/connect.ts']);
  });
});

/** Folders of 16 and more files, specs apart, and why. */
const large = new Map([
  ['libs/domain/src/match-life', 'one file for the decision on each request in the life of a match'],
]);

describe('a folder of sources', () => {
  it('has fewer than 16 files, or a reason', () => {
    const files = new Map<string, number>();
    for (const path of sources('apps', 'libs')) {
      if (/\.spec\.m?ts$/.test(path)) continue;
      const folder = dirname(path);
      files.set(folder, (files.get(folder) ?? 0) + 1);
    }
    const found = [...files].flatMap(([folder, count]) => (count >= 16 ? [folder] : []));
    expect(found.toSorted()).toEqual([...large.keys()].toSorted());
  });
});
