// Which packages of npm are in what is built: those whose modules are in a bundle. Manifests of workspaces do not tell: they
// name what may be used, such as the tools that build the dashboard, and a bundle holds less.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './prepare/checkout.mjs';

/** Beside the files of a build. */
export const shippedFile = '.packages.json';

/** The folder of the package that a module is in; undefined for a module of ours, and for one of no file. */
function folderOf(id) {
  const inside = '/node_modules/';
  const at = id.lastIndexOf(inside);
  if (at < 0 || id.startsWith('\0')) return undefined;
  const [scope, name] = id.slice(at + inside.length).split('/');
  return id.slice(0, at + inside.length) + (scope.startsWith('@') ? `${scope}/${name}` : scope);
}

/** A package in a folder of the checkout. */
export function packageIn(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { name, version, licence: license, path: folder.slice(checkout.length).replace(/^\//, '') };
}

/**
 * Writes which packages are in a build.
 *
 * @param output the files that rolldown or Vite wrote
 */
export function noteShipped(output, folder) {
  const ids = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const folders = new Set(ids.flatMap((id) => folderOf(id.split('?')[0]) ?? []));
  const packages = [...folders].toSorted().map(packageIn);
  writeFileSync(join(folder, shippedFile), `${JSON.stringify(packages, null, 1)}\n`);
}

/** The packages in the builds in these folders, and others, each once and by name. */
export function shippedIn(folders, others = []) {
  const built = folders.map((folder) => join(folder, shippedFile)).filter((file) => existsSync(file));
  const all = [...built.flatMap((file) => JSON.parse(readFileSync(file, 'utf8'))), ...others];
  const byPath = new Map(all.map((each) => [each.path, each]));
  return [...byPath.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** The licences and notices of packages, as their authors ask for beside copies. */
export function licenceTexts(packages) {
  return packages
    .map(({ name, version, licence, path }) => {
      const files = readdirSync(join(checkout, path)).filter((file) =>
        /^(licen[cs]e|copying|notice|copyright)([.-][\w.-]*)?$/i.test(file),
      );
      const texts = files.toSorted().map((file) => readFileSync(join(checkout, path, file), 'utf8').trim());
      return [`${name} ${version} (${licence})`, ...texts].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}

const purlOf = ({ name, version }) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

/** A list of packages in the form of CycloneDX 1.5, with the digests by which npm verified them. */
export function sbomOf({ name, version, licence }, packages) {
  const { packages: locked } = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8'));
  const root = `${name}@${version}`;
  const hashesOf = (path) => {
    const [algorithm, digest] = (locked[path]?.integrity ?? '').split('-');
    if (algorithm !== 'sha512') return {};
    return { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] };
  };
  const isExpression = (text) => / (OR|AND|WITH) /.test(text);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': root,
        name,
        version,
        licenses: [{ license: { id: licence } }],
      },
    },
    components: packages.map((each) => ({
      type: 'library',
      'bom-ref': purlOf(each),
      name: each.name,
      version: each.version,
      purl: purlOf(each),
      licenses: [
        isExpression(each.licence) ? { expression: each.licence } : { license: { id: each.licence } },
      ],
      ...hashesOf(each.path),
    })),
    dependencies: [{ ref: root, dependsOn: packages.map(purlOf) }],
  };
}
