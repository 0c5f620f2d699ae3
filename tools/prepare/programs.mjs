import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What is run by its own path: `main.ts`, and workers and child processes by their names. */
const isProgram = (path) => /^main\.ts$|\.(worker|process)\.ts$/.test(path);
/** Every file of these folders of `test` may start another of them by its path, so each keeps a file of its own. */
const isTestProgram = (path) =>
  /^((bench|browser|chaos|load|observe|upgrade)\/.*(?<!\.spec)|support\/compat\/record)\.ts$/.test(path);

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return (
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      // A benchmark installs the system beside it in a folder of its own.
      .filter((path) => !path.includes('node_modules/'))
  );
}

/** Apps and libraries, as paths below the checkout. */
export function packagesOf(root) {
  return ['apps', 'libs', 'libs/lab']
    .flatMap((kind) =>
      existsSync(join(root, kind)) ? readdirSync(join(root, kind)).map((name) => `${kind}/${name}`) : [],
    )
    .filter((folder) => folder !== 'libs/lab');
}

/**
 * The programs of a folder: names of their bundles in its `dist`, and their sources.
 *
 * @param folder a package such as `apps/queue`, or `test`
 */
export function programsIn(root, folder) {
  const isTest = folder === 'test';
  const sources = join(root, isTest ? folder : `${folder}/src`);
  const programs = filesIn(sources)
    .filter(isTest ? isTestProgram : isProgram)
    .map((path) => [isTest ? path.replace(/\.ts$/, '') : basename(path, '.ts'), join(sources, path)]);
  return Object.fromEntries(programs);
}

/** Workers and child processes of the apps that a package runs in its own process. */
export function hostedProgramsIn(root, folder) {
  const manifest = join(root, folder, 'package.json');
  if (!existsSync(manifest)) return {};
  const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
  const hosted = Object.keys(dependencies)
    .map((name) => name.replace(/^@muster\//, 'apps/'))
    .filter((app) => app.startsWith('apps/') && existsSync(join(root, app)));
  const programs = hosted.flatMap((app) => Object.entries(programsIn(root, app)));
  return Object.fromEntries(programs.filter(([name]) => name !== 'main'));
}

/** Programs of all packages by the names of their bundles in `dist`: an app's `main.ts` is named like the app. */
export function allPrograms(root) {
  const programs = packagesOf(root).flatMap((folder) =>
    Object.entries(programsIn(root, folder)).map(([name, source]) => [
      name === 'main' ? basename(folder) : name,
      source,
    ]),
  );
  return Object.fromEntries(programs);
}

/** Packages that have programs, with the names of their bundles. */
export function bundlesOf(root) {
  return new Map(
    packagesOf(root)
      .map((folder) => [folder, Object.keys(programsIn(root, folder))])
      .filter(([, names]) => names.length > 0),
  );
}
