import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

it('the lock file of Colyseus names every package, those of other platforms too, so that no installation changes it', () => {
  const folder = 'test/bench/queue/colyseus';
  const { packages } = JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8')) as {
    packages: Readonly<Record<string, Locked>>;
  };
  const { dependencies } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Locked;
  expect(packages['']?.dependencies).toEqual(dependencies);
  const isLocked = (name: string, within: string): boolean =>
    `${within === '' ? '' : `${within}/`}node_modules/${name}` in packages ||
    (within !== '' && isLocked(name, within.slice(0, Math.max(0, within.lastIndexOf('/node_modules/')))));
  const missing = Object.entries(packages).flatMap(([path, locked]) =>
    Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }).filter(
      (name) => !isLocked(name, path),
    ),
  );
  expect(missing).toEqual([]);
});
