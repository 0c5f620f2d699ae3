import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** Runs promtool. @throws Error with its output */
function run(promtool, args, options = {}) {
  const { status, stdout, stderr } = spawnSync(promtool, args, { encoding: 'utf8', ...options });
  // `check metrics` succeeds with remarks about names.
  const remarks = args[1] === 'metrics' ? stderr : '';
  if (status !== 0 || remarks !== '') throw new Error(`${stdout}${stderr}`.trim());
}

export const checkMetrics = (promtool, text) => run(promtool, ['check', 'metrics'], { input: text });

/** @param file a file of rules */
export const checkRules = (promtool, file) => run(promtool, ['check', 'rules', file]);

/** @param file a file of tests of rules */
export const testRules = (promtool, file) => run(promtool, ['test', 'rules', file]);

/**
 * Evaluates a query over series.
 *
 * @param series the values of each series, as promtool reads them
 * @param value the expected result; null: none
 */
export function expectQuery(promtool, query, series, value) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-promtool-'));
  try {
    const input = Object.entries(series).map(([name, values]) => ({ series: name, values }));
    const file = join(folder, 'test.yaml');
    const expected = {
      expr: query,
      eval_time: '2m',
      exp_samples: value === null ? [] : [{ labels: '{}', value }],
    };
    writeFileSync(
      file,
      stringify({ tests: [{ interval: '1m', input_series: input, promql_expr_test: [expected] }] }),
    );
    testRules(promtool, file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
