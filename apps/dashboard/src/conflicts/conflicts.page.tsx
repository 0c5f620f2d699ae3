import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { useMay } from '../session/session.js';
import { MatchLink, PlayerLinks, PoolLink, ServerLink } from '../ui/links/links.js';
import { Page } from '../ui/page.js';
import { Panel } from '../ui/panel.js';
import { Empty, Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { Ago } from '../ui/values/time.js';
import { numberWords } from '../ui/values/words.js';
import { byMatch, compare, decisionWords, type Compared, type Contested, type Said } from './conflict.js';
import { Decide } from './decide.js';

/** Each open one reads its match: more are shown at a press. */
const openAtOnce = 5;

/** Results that contradicted one that counted: those to decide, and what was decided. */
export function ConflictsPage(): ReactElement {
  const conflicts = useCall('listConflicts', {}, { everyMs: 30_000 });
  const may = useMay();
  const [most, setMost] = useState(openAtOnce);
  return (
    <Page title="Conflicts">
      <Shown of={conflicts}>
        {({ conflicts: all }) => {
          const contested = byMatch(all);
          const open = contested.filter(({ decision }) => !decision);
          return (
            <>
              {open.length === 0 && (
                <Panel title="Undecided">
                  <Empty>
                    No conflicts to decide. A report is listed here if it contradicts the result of its match,
                    or arrives after the match is over.
                  </Empty>
                </Panel>
              )}
              {open.slice(0, most).map((each) => (
                <Open key={each.matchId} contested={each} />
              ))}
              {open.length > most && (
                <Group>
                  <Button variant="default" onClick={() => setMost(most + openAtOnce)}>
                    Show more ({numberWords(open.length - most)} left)
                  </Button>
                </Group>
              )}
              <Panel title="Decided">
                <DataTable
                  caption="Decided conflicts"
                  rows={contested.filter(({ decision }) => decision)}
                  columns={decided(may('decideConflict'))}
                  keyOf={({ matchId }) => matchId}
                  empty="No decisions yet. Each decision is listed here with its author and reason."
                />
              </Panel>
            </>
          );
        }}
      </Shown>
    </Page>
  );
}

/** The results of a match side by side. */
function Open({ contested }: { readonly contested: Contested }): ReactElement {
  const { matchId, reports } = contested;
  const match = useCall('readMatch', { params: { matchId } });
  return (
    <Panel
      title={
        <>
          Match <MatchLink id={matchId} />
        </>
      }
      actions={<Decide contested={contested} />}
    >
      <Shown of={match}>
        {(answer) => (
          <Stack gap="sm">
            <Text size="sm">
              State: {answer.state}. Pool <PoolLink id={answer.pool} />
              {answer.serverId !== null && (
                <>
                  , server <ServerLink id={answer.serverId} />
                </>
              )}
              {answer.endedAt !== null && (
                <>
                  , ended <Ago at={answer.endedAt} />
                </>
              )}
              . {answer.ranks.length === 0 && 'It has no counted result. '}
            </Text>
            {reports.map(({ conflictId, reportedBy, reason, receivedAt }) => (
              <Text key={conflictId} size="sm">
                Report {conflictId} of {reportedBy}, received <Ago at={receivedAt} />: {reason}
              </Text>
            ))}
            <DataTable
              caption={`Results of match ${matchId} side by side`}
              rows={compare(answer, reports)}
              columns={columnsOf(contested)}
              keyOf={({ what }) => what}
              empty="The reports contain no ranks, scores or players."
            />
          </Stack>
        )}
      </Shown>
    </Panel>
  );
}

const SaidBy = ({ said }: { readonly said: Said }): ReactElement =>
  typeof said === 'string' ? <>{said}</> : said === null ? <>–</> : <PlayerLinks ids={said} />;

const columnsOf = ({ reports }: Contested): readonly Column<Compared>[] => [
  { header: 'Field', cell: ({ what }) => what },
  { header: 'Counted result', cell: ({ counted }) => <SaidBy said={counted} /> },
  ...reports.map(({ conflictId, reportedBy }, i) => ({
    header: `Report ${conflictId} of ${reportedBy}`,
    cell: ({ others }: Compared) => <SaidBy said={others[i] ?? null} />,
  })),
  {
    header: 'Difference',
    cell: ({ differs }) =>
      differs ? (
        <Badge color="orange" variant="light">
          differs
        </Badge>
      ) : (
        'same'
      ),
  },
];

const decided = (mayDecide: boolean): readonly Column<Contested>[] => [
  { header: 'Match', cell: ({ matchId }) => <MatchLink id={matchId} /> },
  {
    header: 'Decision',
    cell: ({ decision }) => decision && decisionWords[decision.as],
    by: ({ decision }) => decision?.as ?? '',
  },
  {
    header: 'When',
    cell: ({ decision }) => <Ago at={decision?.at} />,
    by: ({ decision }) => decision?.at ?? 0,
  },
  { header: 'By', cell: ({ decision }) => decision?.by, by: ({ decision }) => decision?.by ?? '' },
  { header: 'Reason', cell: ({ decision }) => <span className="wraps">{decision?.reason}</span> },
  ...(mayDecide
    ? [
        {
          header: 'Change the decision',
          cell: (contested: Contested) => (
            <Group gap={4} wrap="nowrap">
              <Decide contested={contested} />
            </Group>
          ),
        },
      ]
    : []),
];
