import { Alert, Button, List, Progress, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import type { QueueRules } from '@muster/contracts';
import { useMemo, type ReactElement } from 'react';
import { Chart } from '../ui/charts/chart.js';
import { Panel } from '../ui/panel.js';
import { At } from '../ui/values/time.js';
import { numberWords, percentWords } from '../ui/values/words.js';
import type { Shares, ShownStudy } from './replay/shown-study.js';
import { useTrial } from './use-trial.js';

/** Tries a draft on the tickets of the last hour. @param rules null: the draft is invalid */
export function Trial({
  queue,
  rules,
}: {
  readonly queue: string;
  readonly rules: QueueRules | null;
}): ReactElement {
  const { state, start, stop } = useTrial(queue);
  const isBusy = state.is === 'reading' || state.is === 'replaying';
  return (
    <Panel
      title="Try the draft on the last hour"
      actions={
        isBusy ? (
          <Button size="xs" variant="default" onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button size="xs" disabled={rules === null} onClick={() => rules && start(rules)}>
            {state.is === 'done' ? 'Try again' : 'Try'}
          </Button>
        )
      }
    >
      <Stack>
        <Text size="sm" c="dimmed">
          The matcher replays the tickets of the last hour in this browser, under the rules in force and under
          the draft. Nothing is changed.
        </Text>
        <div role="status" aria-live="polite">
          {state.is === 'reading' && <Text size="sm">Reading the tickets of the last hour…</Text>}
          {state.is === 'replaying' && (
            <Text size="sm">Replaying: {percentWords(state.progress)} of both replays are done.</Text>
          )}
        </div>
        {isBusy && (
          <Progress
            value={state.is === 'replaying' ? 100 * state.progress : 0}
            animated
            aria-label="Progress of the trial"
          />
        )}
        {state.is === 'failed' && (
          <Alert color="red" role="alert">
            {state.why}
          </Alert>
        )}
        {state.is === 'done' && <Result study={state.study} isOld={state.rules !== rules} />}
      </Stack>
    </Panel>
  );
}

function Result({ study, isOld }: { readonly study: ShownStudy; readonly isOld: boolean }): ReactElement {
  return (
    <Stack>
      {isOld && (
        <Alert color="yellow" role="status">
          The draft changed since. Try again to see what it does now.
        </Alert>
      )}
      <Text size="sm" component="div">
        {numberWords(study.tickets)} tickets that waited from <At at={study.from} /> to{' '}
        <At at={study.until} />.
      </Text>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Figures rows={study.rows} />
        <Stack gap="sm">
          <Compared title="Compared with the rules in force, replayed" lines={study.comparedToInForce} />
          <Compared title="Compared with what was recorded" lines={study.comparedToRecord} />
          {study.notes.length > 0 && (
            <Alert color="yellow" title="Limits of this trial">
              <List size="sm">
                {study.notes.map((note) => (
                  <List.Item key={note}>{note}</List.Item>
                ))}
              </List>
            </Alert>
          )}
        </Stack>
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Curves
          title="Matched within"
          unit="Share of all tickets that are matched, by seconds waited. Higher is quicker."
          xUnit="s waited"
          shares={study.waits}
        />
        <Curves
          title="Favourite’s lead"
          unit="Share of matched tickets, by the most their match’s favourite leads, in percentage points (pp). Higher is fairer."
          xUnit="pp"
          shares={study.leads}
        />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {study.legend}
      </Text>
    </Stack>
  );
}

function Figures({ rows }: { readonly rows: ShownStudy['rows'] }): ReactElement {
  return (
    <div role="region" tabIndex={0} aria-label="Figures of the trial" style={{ overflow: 'auto' }}>
      <Table verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Figure</Table.Th>
            <Table.Th className="number">As recorded</Table.Th>
            <Table.Th className="number">In force, replayed</Table.Th>
            <Table.Th className="number">Draft, replayed</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([name = '', ...cells]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400} pl={name.startsWith(' ') ? 'xl' : undefined}>
                {name.trim()}
              </Table.Th>
              {cells.map((cell, i) => (
                <Table.Td key={i} className="number" fw={i === 2 ? 600 : undefined}>
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Compared({
  title,
  lines,
}: {
  readonly title: string;
  readonly lines: readonly string[];
}): ReactElement {
  return (
    <div>
      <Title order={3}>{title}</Title>
      {lines.map((line) => (
        <Text key={line} size="sm" pl={line.startsWith(' ') ? 'md' : undefined}>
          {line.trim()}
        </Text>
      ))}
    </div>
  );
}

function Curves({
  title,
  unit,
  xUnit,
  shares,
}: {
  readonly title: string;
  readonly unit: string;
  readonly xUnit: string;
  readonly shares: Shares;
}): ReactElement {
  const series = useMemo(
    () => [
      { label: 'as recorded', values: shares.recorded },
      { label: 'in force', values: shares.inForce },
      { label: 'draft', values: shares.tried },
    ],
    [shares],
  );
  return (
    <div>
      <Title order={3}>{title}</Title>
      <Chart
        label={title}
        unit={unit}
        x={shares.x}
        xUnit={xUnit}
        series={series}
        words={percentWords}
        height={220}
      />
    </div>
  );
}
