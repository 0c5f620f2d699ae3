import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const repository = fileURLToPath(new URL('../../', import.meta.url));

/** oxlint's errors by file: rule code, message and help. A file without errors is absent. */
export type Verdicts = Map<string, string[]>;

export interface Planted {
  /** Relative to the repository, such as `libs/solver/src/planted.ts`. */
  path: string;
  code: string;
}

interface OxlintReport {
  diagnostics: { filename: string; severity: string; code: string; message: string; help?: string }[];
}

/**
 * Lints files of which several may have the same path, each as if it were alone: each run of oxlint takes one file per
 * path, so the number of runs is that of the most frequent path.
 *
 * @returns the errors of each file; none for a valid one
 */
export async function lintEach<P extends Planted>(planted: readonly P[]): Promise<Map<P, string[]>> {
  const runs: Map<string, P>[] = [];
  for (const each of planted) {
    const run = runs.find((other) => !other.has(each.path));
    if (run) run.set(each.path, each);
    else runs.push(new Map([[each.path, each]]));
  }
  const said = await Promise.all(
    runs.map(async (run) => {
      const verdicts = await lintPlanted([...run.values()]);
      return [...run.values()].map((each): [P, string[]] => [each, verdicts.get(each.path) ?? []]);
    }),
  );
  return new Map(said.flat());
}

/**
 * Lints files at their `path` with the real oxlint and the repository's `.oxlintrc.json`.
 *
 * The files are created in a copy of the layout in a temporary directory, never in the repository: a concurrent build
 * would compile them into `dist` (and Nx would cache that), and a killed test would leave them behind. The verdict is
 * the same, because oxlint matches `overrides` against the path relative to the configuration file. The caller checks
 * that the folders exist in the repository.
 *
 * @param planted one per path
 * @throws if exit code and report disagree, or a finding is less than an error: only a non-zero exit stops a build
 */
export async function lintPlanted(planted: readonly Planted[]): Promise<Verdicts> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'muster-planted-')));
  try {
    await copyFile(join(repository, '.oxlintrc.json'), join(root, '.oxlintrc.json'));
    for (const { path, code } of planted) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), code);
    }
    const { exitCode, report } = await oxlint(
      root,
      planted.map(({ path }) => path),
    );
    const stops = report.diagnostics.every(({ severity }) => severity === 'error');
    if (!stops || (exitCode === 0) !== (report.diagnostics.length === 0)) {
      throw new Error(`oxlint exits with ${exitCode} and reports ${JSON.stringify(report.diagnostics)}`);
    }
    return byFile(report);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

function byFile(report: OxlintReport): Verdicts {
  const verdicts: Verdicts = new Map();
  for (const { filename, code, message, help } of report.diagnostics) {
    const path = filename.replaceAll('\\', '/');
    verdicts.set(path, [...(verdicts.get(path) ?? []), `${code}: ${message} ${help ?? ''}`]);
  }
  return verdicts;
}

function oxlint(cwd: string, paths: string[]): Promise<{ exitCode: number; report: OxlintReport }> {
  const binary = join(repository, 'node_modules/oxlint/bin/oxlint');
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [binary, '--format=json', ...paths], { cwd }, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== 'number') return reject(error);
      if (!stdout.startsWith('{')) return reject(new Error(`oxlint did not report: ${stdout}${stderr}`));
      const exitCode = typeof error?.code === 'number' ? error.code : 0;
      resolve({ exitCode, report: JSON.parse(stdout) as OxlintReport });
    });
  });
}
