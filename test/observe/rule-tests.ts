import { stringify } from 'yaml';
import { alertCases, quietNight, restart, type AlertCase, type Series } from './alerts.js';

/** The figures of the alerts that fired at any time until a minute. */
const firedUntil = (minutes: number, alerts: readonly string[]) => ({
  expr: `count by (alertname) (last_over_time(ALERTS{alertstate="firing"}[${minutes}m]))`,
  eval_time: `${minutes}m`,
  exp_samples: alerts.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
});

const inputOf = (series: Series) =>
  Object.entries(series).map(([name, values]) => ({ series: name, values }));

/** The alert fires with its labels and words, and no other does. */
function fires({ alert, series, labels, summary, at = 20 }: AlertCase) {
  // Those of a single process have its namespace, if they have one at all.
  const namespace = alert === 'MusterNotScraped' ? {} : { namespace: 'games' };
  return {
    name: `${alert} fires`,
    interval: '1m',
    input_series: inputOf({ ...quietNight(), ...series }),
    alert_rule_test: [
      {
        eval_time: `${at}m`,
        alertname: alert,
        exp_alerts: [
          {
            exp_labels: { ...namespace, ...labels },
            exp_annotations: { summary, runbook_url: `docs/alerts.md#${alert.toLowerCase()}` },
          },
        ],
      },
    ],
    promql_expr_test: [firedUntil(at, [alert])],
  };
}

/** No alert fires. */
const silent = (name: string, series: Series, minutes: number) => ({
  name,
  interval: '1m',
  input_series: inputOf(series),
  promql_expr_test: [firedUntil(minutes, [])],
});

/**
 * What promtool tests of the rules: each alert fires when it should; all are silent in a quiet night and through a restart; and
 * without data only that is told.
 *
 * @param rules the path of the rules
 */
export function ruleTests(rules: string): string {
  return stringify({
    rule_files: [rules],
    evaluation_interval: '1m',
    tests: [
      ...alertCases.map(fires),
      silent('a quiet night', quietNight(), 540),
      silent('a restart', restart(), 120),
      {
        name: 'no data',
        interval: '1m',
        input_series: [],
        promql_expr_test: [
          { ...firedUntil(60, []), exp_samples: [{ labels: '{alertname="MusterNotScraped"}', value: 4 }] },
        ],
      },
    ],
  });
}
