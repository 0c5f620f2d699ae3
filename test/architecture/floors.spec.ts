import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from './plant.js';

/** Apps and libraries, and their sources by path in `src`. */
const circles: Record<string, Record<string, string>> = {
  'apps/pair': {
    'ledger/rater.ts': "import { openPool } from '../pools/open-pool.js';\n",
    'ledger/current.ts': '',
    'pools/pools.ts': "export { current } from '../ledger/current.js';\n",
  },
  'apps/types': {
    'ledger/rater.ts': "import type { Pool } from '../pools/open-pool.js';\n",
    'pools/pools.ts': "export type Rated = import('../ledger/rater.js').Rated;\n",
  },
  'libs/three-rooms': {
    'ledger/rows/rater.ts': "import '../../pools/open-pool.js';\n",
    'pools/open-pool.ts': "import {\n  season,\n} from '../seasons/season.js';\n",
    'seasons/season.ts': "const rater = () => import('../ledger/rows/rater.js');\n",
  },
  'libs/lab/composition': {
    'stores.module.ts': "import { Ledger } from './ledger/ledger.store.js';\n",
    'ledger/ledger.module.ts': "import { StoresModule } from '../stores.module.js';\n",
  },
};
const straight: Record<string, Record<string, string>> = {
  'libs/domain': {
    'tickets/ticket.ts': "import type { Match } from '../matches/match.js';\n",
    'matches/match.ts': "import type { Ticket } from '../tickets/ticket.js';\n",
  },
  'apps/one-way': {
    'main.ts': "import './rating.module.js';\n",
    'rating.module.ts': "import './ledger/rater.js';\nimport './pools/open-pool.js';\n",
    'settings.ts': "import { z } from 'zod';\n",
    'ledger/rater.ts': "import '../pools/open-pool.js';\nimport '../settings.js';\nimport './current.js';\n",
    'ledger/current.ts': "import './rater.js';\n",
    'pools/open-pool.ts': "import '../settings.js';\n",
    'pools/open-pool.spec.ts': "import '../ledger/rater.js';\n",
  },
};

// The real script, as in `npm run lint`, on a folder of its own.
describe('folders of an app or a library import in one direction', () => {
  let root: string;
  let said: { exitCode: number; text: string };
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'muster-floors-'));
    for (const [name, files] of Object.entries({ ...circles, ...straight }))
      for (const [path, code] of Object.entries(files)) {
        await mkdir(dirname(join(root, name, 'src', path)), { recursive: true });
        await writeFile(join(root, name, 'src', path), code);
      }
    said = await new Promise((resolve) => {
      const script = join(repository, 'tools/floors/main.mjs');
      execFile(process.execPath, [script, root], (error, _, stderr) =>
        resolve({ exitCode: Number(error?.code ?? 0), text: stderr }),
      );
    });
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('a planted cycle is refused, with what to do', () => {
    expect(said.exitCode).toBe(1);
    expect(said.text).toContain('move what both need to a folder under both');
  });

  it.each([
    ['apps/pair', 'ledger → pools → ledger', 'ledger/rater.ts imports pools/open-pool.ts'],
    ['apps/types', 'ledger → pools → ledger', 'pools/pools.ts imports ledger/rater.ts'],
    [
      'libs/three-rooms',
      'ledger → pools → seasons → ledger',
      'seasons/season.ts imports ledger/rows/rater.ts',
    ],
    [
      'libs/lab/composition',
      'ledger → stores.module.ts → ledger',
      'stores.module.ts imports ledger/ledger.store.ts',
    ],
  ])('it is named with its files: %s', (name, cycle, file) => {
    const lines = said.text.split('\n');
    const first = lines.indexOf(`${name}/src: ${cycle}`);

    expect(first).toBeGreaterThanOrEqual(0);
    expect(lines.slice(first + 1, first + 4)).toContain(`  ${file}`);
  });

  it('files of one feature may, and features may share a file that imports no feature', () => {
    expect(said.text).not.toContain('one-way');
  });

  it('the vocabulary may refer to itself both ways', () => {
    expect(said.text).not.toContain('domain');
  });
});
