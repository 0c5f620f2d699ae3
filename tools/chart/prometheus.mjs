import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

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
    const { status, stdout, stderr } = spawnSync(promtool, ['test', 'rules', file], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${stdout}${stderr}`.trim());
  } finally {
    rmSync(folder, { recursive: true });
  }
}
