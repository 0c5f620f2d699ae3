import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than their size says, the longest first: half a minute and more on two idle cores. */
export const longFiles = [
  'test/e2e/stories.spec.ts',
  'test/e2e/placement.spec.ts',
  'test/e2e/restart.spec.ts',
  'test/e2e/single.spec.ts',
  'test/e2e/compat/requests.spec.ts',
  'test/e2e/late-stores.spec.ts',
  'test/e2e/line-protocol.spec.ts',
  'test/stores/match-life.spec.ts',
  'test/stores/backup.spec.ts',
];

/** @returns the place in the order; files that are not listed come after those that are */
export function rankOf(path: string): number {
  const found = longFiles.findIndex((each) => path.endsWith(each));
  return found === -1 ? longFiles.length : found;
}

/**
 * Runs the longest files of a project first, so that no worker is left alone with one at the end. Vitest sorts by the
 * durations of the last run, and in a fresh clone by size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // The first project of the usual order has the long files; the sort is stable.
    return sorted.toSorted((a, b) => rankOf(a.moduleId) - rankOf(b.moduleId));
  }
}
