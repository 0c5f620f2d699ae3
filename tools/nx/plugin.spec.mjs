import { createProjectGraphAsync } from 'nx/src/devkit-exports.js';
import { expect, it } from 'vitest';

it('a published package is built after its dependencies, so that a cached build finds their output', async () => {
  process.env.NX_DAEMON = 'false';
  const { nodes } = await createProjectGraphAsync();
  const published = Object.values(nodes).filter(({ data }) =>
    data.targets?.build?.options?.command?.includes('tsconfig.build.json'),
  );
  expect(published.map(({ name }) => name).sort()).toEqual([
    '@muster/contracts',
    '@muster/domain',
    '@muster/sdk',
  ]);
  for (const { data } of published) expect(data.targets.build.dependsOn).toContain('^build');
});
