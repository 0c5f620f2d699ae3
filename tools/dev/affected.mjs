import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesOf } from '../prepare/programs.mjs';

/** Packages by folder, and the folders of the local packages that each depends on. */
export function dependenciesOf(root) {
  const manifests = packagesOf(root)
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => [folder, JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))]);
  const folderOf = new Map(manifests.map(([folder, { name }]) => [name, folder]));
  return new Map(
    manifests.map(([folder, { dependencies = {} }]) => [
      folder,
      Object.keys(dependencies).flatMap((name) => folderOf.get(name) ?? []),
    ]),
  );
}

/** The packages among `wanted` that changed or depend on a changed one, directly or not. */
export function affected(dependencies, changed, wanted) {
  const isAffected = (folder) => changed.has(folder) || (dependencies.get(folder) ?? []).some(isAffected);
  return wanted.filter(isAffected);
}

/** The processes of an app: `queue`, or `queue-1`, `queue-2` of several replicas. */
export function processesOf(app, pids) {
  return Object.keys(pids).filter((name) => name === app || new RegExp(`^${app}-\\d+$`).test(name));
}
