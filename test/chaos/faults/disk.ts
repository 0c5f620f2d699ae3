import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Row } from './row.js';

const sizeMiB = 700;
/** Every account may traverse it, so that Postgres keeps its data on the small disk. */
const parent = '/var/tmp';

/** The disk of Postgres, Redis and all logs fills to the last byte, and is freed again. */
export const diskFills: Row = {
  name: 'disk-full',
  what: 'the disk of both stores and of all logs is full for 20 s',
  seconds: 20,
  cannot: () =>
    process.getuid?.() === 0 && process.platform === 'linux' ? null : 'only root mounts a small disk',
  surround: async () => {
    const disk = await mkdtemp(join(parent, 'muster-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m,mode=755`, 'tmpfs', disk]);
    await chmod(disk, 0o755);
    return {
      dataDir: disk,
      remove: async () => {
        execFileSync('umount', ['--lazy', disk]);
        await rm(disk, { recursive: true, force: true });
      },
    };
  },
  begin: async ({ stack }) => {
    const path = join(stack.dataDir, 'filler');
    const filler = await open(path, 'w');
    const block = Buffer.alloc(2 ** 20, 1);
    let stopped = false;
    const filling = (async () => {
      // What is freed meanwhile is taken too.
      for (let size = block.length; !stopped;) {
        try {
          await filler.write(block, 0, size);
          size = Math.min(block.length, size * 2);
        } catch {
          if (size > 1) size = Math.floor(size / 2);
          else await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    })();
    return async () => {
      stopped = true;
      await filling;
      await filler.close();
      await rm(path, { force: true });
    };
  },
};
