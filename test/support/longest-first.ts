import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than their size says, the longest first: half a minute and more on two idle cores. */
export const longFiles = [
  'test/e2e/stories.spec.ts',
  'test/e2e/placement.spec.ts',
  'test/e2e/restart.spec.ts',
  'test/e2e/single.spec.ts',
  'test/stores/match-life.spec.ts',
  'test/stores/backup.spec.ts',
  'test/stores/flat-cost.spec.ts',
  'test/stores/hearing.spec.ts',
  'test/e2e/compat/requests.spec.ts',
  'test/e2e/late-stores.spec.ts',
  'test/e2e/line-protocol.spec.ts',
];

/** @returns the place in the order; files that are not listed come after those that are */
export function rankOf(path: string): number {
  const found = longFiles.findIndex((each) => path.endsWith(each));
  return found === -1 ? longFiles.length : found;
}

/** The kind of a test by its path: those of `test/stores` and `test/e2e` mostly wait for processes. */
export function kindOf(path: string): 'stores' | 'e2e' | 'unit' {
  const [, kind] = /(?:^|\/)test\/(stores|e2e)\//.exec(path) ?? [];
  return kind === 'stores' || kind === 'e2e' ? kind : 'unit';
}

/**
 * The order of files by path: first the long ones, so that no worker is left alone with one at the end; then the
 * kinds in turns, in proportion to their numbers: some wait and some compute, so that the processors are in use throughout.
 */
export function mixed<T>(files: readonly T[], pathOf: (file: T) => string): T[] {
  const isLong = (file: T): boolean => rankOf(pathOf(file)) < longFiles.length;
  const first = files.filter(isLong).toSorted((a, b) => rankOf(pathOf(a)) - rankOf(pathOf(b)));
  const rest = files.filter((file) => !isLong(file));
  const placed = ['e2e', 'stores', 'unit']
    .map((kind) => rest.filter((file) => kindOf(pathOf(file)) === kind))
    .flatMap((kind) => kind.map((file, at) => ({ file, share: (at + 0.5) / kind.length })));
  return [...first, ...placed.toSorted((a, b) => a.share - b.share).map(({ file }) => file)];
}

/** Vitest sorts by the durations of the last run, and in a fresh clone by size; {@link mixed} keeps that order otherwise. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // Of several projects, the files of one stay together.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((each) =>
      mixed(
        sorted.filter(({ project }) => project === each),
        ({ moduleId }) => moduleId,
      ),
    );
  }
}
