import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const repository = fileURLToPath(new URL('../../', import.meta.url));

/** What oxlint said, by file: the rule's code, its message, and the next step. A file that obeys is not in it. */
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
 * Lints files of which several may stand at one path, each as if it stood there alone: a run of oxlint takes one of each
 * path, so that there are as many runs as files at the most crowded path.
 *
 * @returns what oxlint said of each; nothing of one that obeys
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
 * Lints files that stand where their `path` says, by the real oxlint and the repository's own `.oxlintrc.json`.
 *
 * They are planted in a copy of the layout in a temporary directory, never in the repository: there a build that
 * runs at the same time would compile them into `dist` (and Nx would cache that), and a killed test would leave them
 * behind. The verdict is the same, because oxlint matches `overrides` against the path relative to the configuration
 * file; that the planted folders are folders of the repository is for the caller to check.
 *
 * @param planted one a path
 * @throws when the exit code and the report disagree, or the report has less than errors: a non-zero exit is what stops a
 *   build, not the text, and each finding must be enough for it
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
