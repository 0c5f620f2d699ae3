import { Button, Stack, Tabs } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { Page } from '../ui/page.js';
import { Panel } from '../ui/panel.js';
import { Empty, Shown } from '../ui/states.js';
import { useTell } from '../ui/tell.js';
import { ChangeRules } from './change.js';
import { textOf } from './draft.js';
import { RulesTable } from './rules-table.js';
import { useDraft, type RulesVersion } from './use-draft.js';
import { Versions } from './versions.js';

/** The rules of a queue: as they are, a draft of other ones, and their versions. */
export function RulesPage(): ReactElement {
  const { queue } = useParams({ from: '/queues/$queue/rules' });
  const rules = useCall('listRules', { params: { queue }, query: { limit: 200 } });
  return (
    <Page
      title={`Rules of ${queue}`}
      actions={
        <Button size="xs" variant="default" component={Link} to={`/queues/${queue}`}>
          Queue {queue}
        </Button>
      }
    >
      <Shown of={rules}>
        {({ versions }) => {
          const [newest] = versions;
          return newest ? (
            <Rules key={queue} queue={queue} newest={newest} versions={versions} />
          ) : (
            <Empty>This queue has no rules.</Empty>
          );
        }}
      </Shown>
    </Page>
  );
}

const views = ['now', 'change', 'versions'];

function Rules({
  queue,
  newest,
  versions,
}: {
  readonly queue: string;
  readonly newest: RulesVersion;
  readonly versions: readonly RulesVersion[];
}): ReactElement {
  const search = useSearch({ from: '/queues/$queue/rules' });
  const navigate = useNavigate({ from: '/queues/$queue/rules' });
  const tell = useTell();
  const state = useDraft(queue, newest);
  const view = views.find((each) => each === search['view']) ?? 'now';
  const show = (next: string | null): void =>
    void navigate({ search: (before) => ({ ...before, view: next ?? undefined }) });
  const to = Number(search['to'] ?? newest.version);
  const from = Number(search['from'] ?? Math.max(1, to - 1));
  return (
    <Tabs value={view} onChange={show} keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="now">In force</Tabs.Tab>
        <Tabs.Tab value="change">{state.isBegun ? 'Change and try (draft)' : 'Change and try'}</Tabs.Tab>
        <Tabs.Tab value="versions">Versions</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="now">
        <Panel title={`Version ${newest.version}`}>
          <RulesTable rules={newest.rules} />
        </Panel>
      </Tabs.Panel>
      <Tabs.Panel value="change">
        <Stack>
          <ChangeRules queue={queue} newest={newest} state={state} />
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="versions">
        <Stack>
          <Versions
            queue={queue}
            versions={versions}
            compared={[from, to]}
            compare={(before, after) =>
              void navigate({
                search: { view: 'versions', from: String(before), to: String(after) },
              })
            }
            restore={({ version, rules }) => {
              state.write(textOf(rules));
              tell(`The draft is as version ${version} was.`);
              show('change');
            }}
          />
        </Stack>
      </Tabs.Panel>
    </Tabs>
  );
}
