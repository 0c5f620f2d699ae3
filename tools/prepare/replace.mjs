import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Chunks have a hash in their names, so those of two builds do not meet. */
const chunk = /-[\w-]{8}\.js(\.map)?$/;
/** A program that is older than this has loaded what it needs, in milliseconds. */
const dayMs = 86_400_000;

/**
 * Puts a folder of bundles in place of another one. Recent chunks of the other stay: a program that runs from it may load them
 * later.
 */
export function replaceBundles(dist, fresh) {
  const old = `${dist}.old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  if (!existsSync(old)) return;
  const present = new Set(readdirSync(dist));
  for (const name of readdirSync(old)) {
    const isRecent = Date.now() - statSync(join(old, name)).mtimeMs < dayMs;
    if (chunk.test(name) && !present.has(name) && isRecent) renameSync(join(old, name), join(dist, name));
  }
  rmSync(old, { recursive: true, force: true });
}
