import { Badge, Button, Stack, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { useSession } from '../session/session.js';
import { Download } from '../ui/download.js';
import { FilterBar, Pager, TextFilter } from '../ui/filters.js';
import { IdLink } from '../ui/links/id-link.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { TimeFilter } from '../ui/values/time-filter.js';
import { At } from '../ui/values/time.js';
import { auditedCalls, callWords, outcomeWords, targetOf, type AuditEntry } from './audit-words.js';
import { Details } from '../ui/details.js';
import { differences } from './differences.js';

const pageSize = 50;
/** Of more lines the first are shown. */
const shownLines = 2;

/** What operators changed: newest first, by who, what, whom and when. */
export function Audit(): ReactElement {
  const { operator } = useSession();
  const { who, call, target, from, to, cursor } = useSearch({ from: '/access' });
  const which = { who, call, target, from, to };
  const audit = useCall('listAudit', { query: { ...which, cursor, limit: pageSize } }, { everyMs: 30_000 });
  const isFiltered = Object.values(which).some((value) => value !== undefined);
  return (
    <Panel
      title="Audit log"
      actions={
        <Download
          call="exportAudit"
          label={isFiltered ? 'Export the filtered entries' : 'Export all'}
          fileName="audit.jsonl"
          read={async () => (await operator.calls.exportAudit({ query: which })).blob()}
        />
      }
    >
      <Stack gap="sm">
        <FilterBar>
          <TextFilter name="who" label="Who" />
          <TextFilter name="call" label="Call" suggestions={auditedCalls} />
          <TextFilter name="target" label="Target" />
          <TimeFilter name="from" label="From" />
          <TimeFilter name="to" label="To" />
        </FilterBar>
        <Shown of={audit}>
          {({ entries, next }) => (
            <Stack gap="sm">
              <DataTable
                caption="Changes by operators, newest first"
                rows={entries}
                columns={columns}
                keyOf={({ auditId }) => auditId}
                empty={
                  isFiltered
                    ? 'No entries match the filters.'
                    : 'No entries yet. Every call by which an operator changes something is listed here, with its author and reason.'
                }
              />
              <Pager next={next} />
            </Stack>
          )}
        </Shown>
      </Stack>
    </Panel>
  );
}

const columns: readonly Column<AuditEntry>[] = [
  { header: 'When', cell: ({ at }) => <At at={at} /> },
  {
    header: 'Who',
    cell: ({ who, role, signIn }) => (
      <>
        {who}
        <Text size="xs" c="dimmed">
          {role}, by {signIn}
        </Text>
      </>
    ),
  },
  {
    header: 'Call',
    cell: ({ call }) => (
      <>
        {call}
        <Text size="xs" c="dimmed" maw={260}>
          {callWords(call)}
        </Text>
      </>
    ),
  },
  { header: 'Target', cell: (entry) => <Targets entry={entry} /> },
  {
    header: 'Reason',
    cell: ({ reason }) => (
      <Text size="sm" maw={260} className="wraps">
        {reason ?? '–'}
      </Text>
    ),
  },
  {
    header: 'Outcome',
    cell: ({ outcome }) => (
      <Badge color={outcome === 'done' ? 'green' : 'orange'} variant="light" tt="none">
        {outcomeWords(outcome)}
      </Badge>
    ),
  },
  { header: 'Changes', cell: (entry) => <Changes entry={entry} /> },
  {
    header: 'Details',
    cell: (entry) => (
      <Details label="Entry" title={`Entry ${entry.auditId} of the audit log`} document={entry} />
    ),
  },
];

function Targets({ entry: { targets, asked } }: { readonly entry: AuditEntry }): ReactElement {
  return (
    <>
      {targets.map((target, i) => {
        const of = targetOf(target, asked);
        return (
          <span key={target}>
            {i > 0 && ', '}
            {of ? (
              <>
                {of} <IdLink of={of} id={target} />
              </>
            ) : (
              target
            )}
          </span>
        );
      })}
    </>
  );
}

function Changes({ entry: { before, after } }: { readonly entry: AuditEntry }): ReactElement {
  const [isAll, setAll] = useState(false);
  const changes = differences(before, after);
  const lines = changes.flatMap(({ what, fields }) => [what, ...fields]);
  if (lines.length === 0) return <>none</>;
  const shown = isAll ? lines : lines.slice(0, shownLines);
  return (
    <Text size="xs" component="div" maw={420} className="wraps" style={{ whiteSpace: 'pre-wrap' }}>
      {shown.join('\n')}{' '}
      {lines.length > shownLines && (
        <Button size="compact-xs" variant="subtle" onClick={() => setAll(!isAll)}>
          {isAll ? 'Show less' : `Show ${lines.length - shownLines} more`}
        </Button>
      )}
    </Text>
  );
}
