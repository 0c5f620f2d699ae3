import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { manifestFile, readManifest, type BackedUpTable, type Manifest } from './manifest.js';

/** Passes bytes on, and counts and hashes them. */
class Seal extends Transform {
  bytes = 0;
  private readonly hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.bytes += chunk.length;
    this.hash.update(chunk);
    done(null, chunk);
  }

  /** Once, at the end. */
  sha256(): string {
    return this.hash.digest('hex');
  }
}

/** What was written of a file. */
export type Written = Pick<BackedUpTable, 'file' | 'bytes' | 'sha256'>;

/** Writes a stream compressed. Resolves when the file is on the disk. */
export async function writeCompressed(directory: string, file: string, rows: Readable): Promise<Written> {
  const seal = new Seal();
  const path = join(directory, file);
  await pipeline(rows, createGzip(), seal, createWriteStream(path, { mode: 0o600 }));
  await flush(path);
  return { file, bytes: seal.bytes, sha256: seal.sha256() };
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Creates a directory of files completely or not at all: they are written beside it, and it is renamed at the end.
 *
 * @throws Error with a user-facing message if it exists and is not empty, or the disk is full
 */
export async function wholeDirectory<T>(path: string, fill: (unfinished: string) => Promise<T>): Promise<T> {
  const there = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new Error(`${path} cannot be used for a backup: ${error.message}.`);
  });
  if (there.length > 0) throw new Error(`${path} is not empty: give a new directory.`);
  return whole(path, async (unfinished) => {
    await mkdir(unfinished, { mode: 0o700 });
    const filled = await fill(unfinished);
    await flush(unfinished);
    return filled;
  });
}

/** Creates a file completely or not at all. @throws Error with a user-facing message if it exists, or the disk is full */
export async function wholeFile<T>(path: string, fill: (unfinished: string) => Promise<T>): Promise<T> {
  const there = await stat(path).catch(() => null);
  if (there) throw new Error(`${path} exists: give a new file.`);
  return whole(path, fill);
}

async function whole<T>(path: string, fill: (unfinished: string) => Promise<T>): Promise<T> {
  const unfinished = `${path}.unfinished`;
  try {
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(dirname(path), { recursive: true });
    const filled = await fill(unfinished);
    await rename(unfinished, path);
    await flush(dirname(path));
    return filled;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
    throw writingProblem(path, error);
  }
}

/** A user-facing message for a disk that is full or may not be written; other errors are returned as they are. */
function writingProblem(path: string, error: unknown): unknown {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new Error(`There is no space for ${path}: the unfinished one was deleted.`, { cause: error });
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
    return new Error(`${path} cannot be written: give a place that this user may write.`, { cause: error });
  return error;
}

export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const path = join(directory, manifestFile);
  await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  await flush(path);
}

/** @throws Error with a user-facing message if there is no backup */
export async function manifestOf(directory: string): Promise<Manifest> {
  const path = join(directory, manifestFile);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`There is no backup in ${directory}: ${manifestFile} is missing.`);
  });
  return readManifest(text, path);
}

/**
 * Reads every file of a backup and compares it with the manifest.
 *
 * @throws Error with a user-facing message for one that is missing, shorter, longer or changed
 */
export async function checkFiles(directory: string, { tables }: Manifest): Promise<void> {
  for (const { file, bytes, sha256 } of tables) {
    const path = join(directory, file);
    const found = await stat(path).catch(() => {
      throw new Error(`The backup is incomplete: ${path} is missing.`);
    });
    if (found.size !== bytes)
      throw new Error(`The backup is damaged: ${path} has ${found.size} bytes instead of ${bytes}.`);
    const seal = new Seal();
    await pipeline(createReadStream(path), seal.resume());
    if (seal.sha256() !== sha256)
      throw new Error(`The backup is damaged: the SHA-256 of ${path} is not that of the manifest.`);
  }
}

/** The content of a compressed file. An error of reading it ends the stream. */
export function readCompressed(directory: string, file: string): Readable {
  const text = createGunzip();
  pipeline(createReadStream(join(directory, file)), text).catch((error: unknown) =>
    text.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return text;
}
