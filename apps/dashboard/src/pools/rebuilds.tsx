import { Progress, Text } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import type { ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { useSession } from '../session/session.js';
import { Action, reason } from '../ui/action.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { Ago, Took } from '../ui/values/time.js';
import { textIn } from '../ui/values/values.js';
import { numberWords, percentWords } from '../ui/values/words.js';

type Rebuild = AnswerOf<'listRebuilds'>['rebuilds'][number];

/** A pool's rebuilds with their progress, and the way to start one. */
export function RebuildsPanel({
  pool,
  model,
}: {
  readonly pool: string;
  /** The one that rates now. */
  readonly model: string;
}): ReactElement {
  // No event tells of progress.
  const rebuilds = useCall('listRebuilds', { params: { pool } }, { everyMs: 3_000 });
  const running = rebuilds.data?.rebuilds.some(({ state }) => state === 'running') ?? false;
  return (
    <Panel title="Rebuilds" actions={<StartRebuild pool={pool} model={model} isDisabled={running} />}>
      <Text size="sm" c="dimmed" mb="xs">
        A rebuild rates the whole history of the pool again, in the background. Current ratings stay in force
        until it is done. Voiding a rated match starts one automatically.
      </Text>
      <Shown of={rebuilds}>
        {(answer) => (
          <DataTable
            caption="Rebuilds, newest first"
            rows={answer.rebuilds}
            columns={columns}
            keyOf={({ rebuildId }) => rebuildId}
            empty="None yet. Voiding a rated match starts one; operators start one to apply another model or other rules to the history."
          />
        )}
      </Shown>
    </Panel>
  );
}

const columns: readonly Column<Rebuild>[] = [
  { header: 'Started', cell: ({ startedAt }) => <Ago at={startedAt} />, by: ({ startedAt }) => startedAt },
  { header: 'State', cell: (rebuild) => <State {...rebuild} />, by: ({ state }) => state },
  { header: 'Model', cell: ({ model }) => model, by: ({ model }) => model },
  { header: 'Reason', cell: (rebuild) => <span className="wraps">{rebuild.reason}</span> },
  {
    header: 'Skipped',
    cell: ({ skipped }) => numberWords(skipped),
    by: ({ skipped }) => skipped,
    isNumber: true,
  },
  {
    header: 'Duration',
    cell: ({ startedAt, finishedAt }) => <Took ms={finishedAt === null ? null : finishedAt - startedAt} />,
    isNumber: true,
  },
];

function State({ state, done, total, error }: Rebuild): ReactElement {
  if (state === 'done') return <>done</>;
  if (state === 'failed')
    return (
      <Text size="sm" c="red">
        failed: {error ?? 'unknown cause'}
      </Text>
    );
  const share = total === 0 ? 0 : Math.min(1, done / total);
  return (
    <>
      <Progress value={100 * share} aria-label={`${percentWords(share)} done`} w={140} />
      <Text size="xs">
        {total === 0
          ? 'starting'
          : `${numberWords(done)} of ${numberWords(total)} events, ${percentWords(share)}`}
      </Text>
    </>
  );
}

function StartRebuild({
  pool,
  model,
  isDisabled,
}: {
  readonly pool: string;
  readonly model: string;
  readonly isDisabled: boolean;
}): ReactElement {
  const { operator } = useSession();
  const models = useCall('listModels', {});
  return (
    <Action
      call="rebuildPool"
      label="Rebuild"
      title={`Rebuild ${pool}`}
      text="Every match of the pool is rated again, in order. When it is done, all ratings, ranks and divisions change at once to the new ones; players may see another division. Under another model, its parameters begin with their defaults. It cannot be stopped; to go back, rebuild again under the previous rules."
      isGrave
      isDisabled={isDisabled}
      fields={[
        {
          name: 'model',
          label: 'Model',
          kind: 'choice',
          initial: model,
          choices: (models.data?.models ?? []).map(({ name, title }) => ({
            value: name,
            label: `${name}: ${title}${name === model ? ' (now)' : ''}`,
          })),
        },
        {
          name: 'refit',
          label: 'Fit all ratings at once',
          kind: 'yes',
          description: 'Model hive only: to the whole history, instead of match by match.',
        },
        reason('Shown in the list of rebuilds and in players’ histories.'),
      ]}
      send={(values) => {
        const chosen = textIn(values, 'model');
        return operator.rebuildPool(pool, {
          ...(chosen === model ? {} : { model: chosen }),
          refit: values['refit'] === true,
          reason: textIn(values, 'reason'),
        });
      }}
      done="The rebuild has started."
    />
  );
}
