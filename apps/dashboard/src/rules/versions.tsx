import { Badge, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import type { ReactElement } from 'react';
import { Panel } from '../ui/panel.js';
import { DataTable, type Column } from '../ui/table.js';
import { Ago } from '../ui/values/time.js';
import { useCall } from '../live/use-call.js';
import { useMay } from '../session/session.js';
import { Differences } from './differences.js';
import type { RulesVersion } from './use-draft.js';
import { authorsOf } from './authors.js';

/** The versions of a queue's rules: when, who and why, and what differs between two of them. */
export function Versions({
  queue,
  versions,
  compared,
  compare,
  restore,
}: {
  readonly queue: string;
  readonly versions: readonly RulesVersion[];
  /** The two versions whose differences are shown. */
  readonly compared: readonly [before: number, after: number];
  readonly compare: (before: number, after: number) => void;
  /** Makes a draft of an earlier version. */
  readonly restore: (version: RulesVersion) => void;
}): ReactElement {
  const may = useMay();
  const authors = useAuthors(queue);
  const newest = versions[0]?.version;
  const columns = columnsOf({ newest, authors: may('listAudit') ? authors : null, compare, restore });
  return (
    <>
      <Panel title="Versions">
        <DataTable
          caption={`Versions of the rules of ${queue}, newest first`}
          rows={versions}
          columns={columns}
          keyOf={({ version }) => String(version)}
          empty="There is no version. Rules that are applied become one."
        />
      </Panel>
      <Compared versions={versions} compared={compared} compare={compare} />
    </>
  );
}

function Compared({
  versions,
  compared: [before, after],
  compare,
}: {
  readonly versions: readonly RulesVersion[];
  readonly compared: readonly [before: number, after: number];
  readonly compare: (before: number, after: number) => void;
}): ReactElement {
  const numbers = versions.map(({ version }) => String(version));
  const old = versions.find(({ version }) => version === before);
  const fresh = versions.find(({ version }) => version === after);
  return (
    <Panel title="Differences between two versions">
      <Stack>
        <Group>
          <NativeSelect
            size="xs"
            label="Version"
            data={numbers}
            value={String(before)}
            onChange={(event) => compare(Number(event.currentTarget.value), after)}
          />
          <NativeSelect
            size="xs"
            label="and version"
            data={numbers}
            value={String(after)}
            onChange={(event) => compare(before, Number(event.currentTarget.value))}
          />
        </Group>
        {old && fresh ? (
          <Differences
            before={old.rules}
            after={fresh.rules}
            names={[`Version ${before}`, `Version ${after}`]}
            none="These versions do not differ."
          />
        ) : (
          'Choose two versions of the list.'
        )}
      </Stack>
    </Panel>
  );
}

/** Who applied the versions, as the audit log says. Only some roles may read it. */
function useAuthors(queue: string): ReadonlyMap<number, string> {
  const may = useMay();
  const audit = useCall(
    'listAudit',
    { query: { call: 'applyRules', target: queue, limit: 200 } },
    { enabled: may('listAudit') },
  );
  const entries: AnswerOf<'listAudit'>['entries'] = audit.data?.entries ?? [];
  return authorsOf(entries);
}

/** @param authors null: not to be known */
const columnsOf = ({
  newest,
  authors,
  compare,
  restore,
}: {
  readonly newest: number | undefined;
  readonly authors: ReadonlyMap<number, string> | null;
  readonly compare: (before: number, after: number) => void;
  readonly restore: (version: RulesVersion) => void;
}): readonly Column<RulesVersion>[] => [
  {
    header: 'Version',
    by: ({ version }) => version,
    cell: ({ version }) => (
      <Group gap={6} wrap="nowrap">
        {version}{' '}
        {version === newest && (
          <Badge variant="light" miw="max-content">
            in force
          </Badge>
        )}
      </Group>
    ),
  },
  { header: 'Since', by: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <Ago at={createdAt} /> },
  ...(authors ? [{ header: 'By', cell: ({ version }: RulesVersion) => authors.get(version) ?? '–' }] : []),
  {
    header: 'Why',
    cell: ({ why }) => (
      <Text size="sm" className="wraps" miw={180}>
        {why === '' ? '–' : why}
      </Text>
    ),
  },
  {
    header: 'Tickets that waited',
    cell: ({ appliesTo }) => (appliesTo === 'all' ? 'followed it' : 'kept their rules'),
  },
  {
    header: 'See',
    cell: (each) => (
      <Group gap="xs" wrap="nowrap">
        {each.version > 1 && (
          <Button size="compact-xs" variant="default" onClick={() => compare(each.version - 1, each.version)}>
            What it changed
          </Button>
        )}
        {each.version !== newest && (
          <Button size="compact-xs" variant="default" onClick={() => restore(each)}>
            Draft from it
          </Button>
        )}
      </Group>
    ),
  },
];
