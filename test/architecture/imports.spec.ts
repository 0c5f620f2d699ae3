import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { lintEach, lintPlanted, repository } from './plant.js';
import { obedient, violations } from './violations.js';

/** oxlint takes 0.1 s on an idle machine, longer beside a build. */
const patient = { timeout: 60_000 };

/** Folders that the rule covers before they exist. */
const toCome = ['libs/not-yet-written'];

/** The dependencies that a library loaded by clients or pure code may have. */
const allowed: Record<string, string[]> = {
  domain: ['zod'],
  solver: ['@muster/domain'],
  skill: [
    '@muster/domain',
    '@stdlib/math-base-special-erfc',
    '@stdlib/math-base-special-erfcx',
    'ml-matrix',
    'openskill',
  ],
  plot: ['d3-scale', 'd3-shape'],
  matchmaking: ['@muster/domain', '@muster/solver'],
  'lab/simulation': [
    '@muster/domain',
    '@muster/live-balance',
    '@muster/matchmaking',
    '@muster/skill',
    '@muster/solver',
  ],
  'lab/baselines': ['@muster/domain'],
  'live-balance': ['@muster/domain', '@muster/solver'],
  contracts: ['@muster/domain', 'zod'],
  sdk: ['@muster/contracts', '@muster/domain', 'eventsource-parser', 'jose'],
};
const pure = [
  'domain',
  'solver',
  'skill',
  'plot',
  'matchmaking',
  'live-balance',
  'lab/simulation',
  'lab/baselines',
];

const packages = ['libs', 'libs/lab', 'apps'].flatMap((kind) =>
  readdirSync(join(repository, kind))
    .map((name) => `${kind}/${name}`)
    .filter((folder) => existsSync(join(repository, folder, 'package.json'))),
);

const places = packages.flatMap((folder) => {
  const kinds = ['', 'store.', 'controller.', 'module.', 'spec.'];
  return ['', ...(folder.startsWith('apps/') ? ['feature/'] : [])].flatMap((layer) =>
    kinds.map((kind) => `${folder}/src/${layer}planted.${kind}ts`),
  );
});

function json(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(repository, path), 'utf8')) as Record<string, unknown>;
}

function sources(folder: string): string[] {
  return readdirSync(join(repository, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.[cm]?tsx?$/.test(path) && !/(^|[\\/])generated[\\/]/.test(path))
    .map((path) => join(folder, 'src', path));
}

describe('the rule of imports', () => {
  let said: Awaited<ReturnType<typeof lintEach>>;
  beforeAll(async () => {
    said = await lintEach(violations);
  }, patient.timeout);

  it.each(violations)('$breaks ($path)', (planted) => {
    expect(said.get(planted)?.join('\n')).toContain(planted.says);
  });

  // An override replaces the whole list, so rules that hold everywhere are tested in every override.
  it.each([
    ['an app', "export * from '@muster/cli';\n", "'@muster/cli' import is restricted"],
    ['a path out of the package', "export * from '../../../libs/db/src/index.js';\n", 'stays in its package'],
  ])('on %s, in every layer of every package', patient, async (_, code, says) => {
    const verdicts = await lintPlanted(places.map((path) => ({ path, code })));

    expect(places.filter((path) => !verdicts.get(path)?.join('\n').includes(says))).toEqual([]);
  });
});

describe('the rule of imports allows', () => {
  let said: Awaited<ReturnType<typeof lintEach>>;
  beforeAll(async () => {
    said = await lintEach(obedient);
  }, patient.timeout);

  it.each(obedient)('$breaks ($path)', (planted) => {
    expect(said.get(planted)).toEqual([]);
  });
});

describe('the rule of imports cannot be bypassed', () => {
  it('is proved on folders that exist', () => {
    const planted = [...violations, ...obedient].map(({ path }) => path.split('/src/')[0] ?? '');

    expect(
      [...new Set(planted)].filter((folder) => !toCome.includes(folder) && !packages.includes(folder)),
    ).toEqual([]);
  });

  it('is not disabled in a source', () => {
    const switchedOff = packages
      .flatMap(sources)
      .filter((path) =>
        /(oxlint|eslint)-disable(-next-line|-line)?[ \t]*(\*\/|--|$|.*no-restricted-)/m.test(
          readFileSync(join(repository, path), 'utf8'),
        ),
      );

    expect(switchedOff).toEqual([]);
  });

  it('the command line loads the laboratory when asked, never with itself', () => {
    const loads = sources('apps/cli').flatMap((path) =>
      readFileSync(join(repository, path), 'utf8')
        .split('\n')
        .filter((line) => line.includes("'@muster/lab")),
    );

    expect(loads.map((line) => line.trim())).toEqual([
      expect.stringMatching(/^import type /),
      expect.stringMatching(/= await import\('@muster\/lab\/commands'\);$/),
    ]);
  });

  it.each(Object.keys(allowed).filter((name) => packages.includes(`libs/${name}`)))(
    'libs/%s installs no more than it may import',
    (name) => {
      const manifest = json(`libs/${name}/package.json`);
      const asked = ['dependencies', 'peerDependencies', 'optionalDependencies'].flatMap((kind) =>
        Object.keys(manifest[kind] ?? {}),
      );

      expect(asked.filter((dependency) => !allowed[name]?.includes(dependency))).toEqual([]);
    },
  );

  it.each(pure.filter((name) => packages.includes(`libs/${name}`)))(
    'libs/%s compiles without the types of node',
    (name) => {
      const own = json(`libs/${name}/tsconfig.json`)['compilerOptions'] as
        { types?: string[]; lib?: string[] } | undefined;
      const base = json('tsconfig.base.json')['compilerOptions'] as { types?: string[] };

      expect(own?.types ?? base.types).toEqual([]);
      // `npm run types` checks them in a program of their own.
      expect(json('tsconfig.pure.json')['include']).toContain(`libs/${name}/src/**/*.ts`);
      expect(own?.lib).toBeUndefined();
    },
  );
});
