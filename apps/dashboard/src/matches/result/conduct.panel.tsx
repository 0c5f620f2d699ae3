import { Group, SimpleGrid } from '@mantine/core';
import type { ReactElement } from 'react';
import { useSession } from '../../session/session.js';
import { Action } from '../../ui/action.js';
import { PlayerLink } from '../../ui/links/links.js';
import { Panel } from '../../ui/panel.js';
import { DataTable, type Column } from '../../ui/table.js';
import { Ago } from '../../ui/values/time.js';
import { numberWords } from '../../ui/values/words.js';
import { Empty, Failed } from '../../ui/states.js';
import type { Match, Penalty, Report } from '../match.js';
import { penaltyWords, reportWords } from '../match-words.js';
import type { Conduct } from '../fairness/use-around.js';

/** How players behaved: penalties that rest on the match, and what players reported about one another. */
export function ConductPanel({
  match,
  conduct: { penalties, reports, isPending, error },
}: {
  readonly match: Match;
  readonly conduct: Conduct;
}): ReactElement {
  const names = new Map(match.players.map(({ playerId, name }) => [playerId, name]));
  const player = (id: string): ReactElement => <PlayerLink id={id} name={names.get(id)} />;
  if (isPending || error)
    return (
      <Panel title="Penalties and reports of players">
        {error ? <Failed error={error} /> : <Empty>They are being read …</Empty>}
      </Panel>
    );
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Panel title="Penalties">
        <DataTable
          caption="Penalties that rest on this match"
          rows={penalties}
          columns={penaltyColumns(player)}
          keyOf={({ penaltyId }) => penaltyId}
          empty="No player is penalised for this match. Those whom its server names as no-shows or leavers would stand here."
        />
      </Panel>
      <Panel title="Reports of players">
        <DataTable
          caption="What players reported about one another"
          rows={reports}
          columns={reportColumns(player)}
          keyOf={({ reporter, playerId, kind }) => `${reporter} ${playerId} ${kind}`}
          empty="No player reported or commended another after this match."
        />
      </Panel>
    </SimpleGrid>
  );
}

type PlayerCell = (id: string) => ReactElement;

const penaltyColumns = (player: PlayerCell): readonly Column<Penalty>[] => [
  { header: 'Player', cell: ({ playerId }) => player(playerId), by: ({ playerId }) => playerId },
  { header: 'For', cell: ({ kind }) => penaltyWords[kind], by: ({ kind }) => kind },
  { header: 'When', cell: ({ at }) => <Ago at={at} />, by: ({ at }) => at },
  { header: 'Counts', cell: (penalty) => <Standing penalty={penalty} /> },
  { header: 'Change', cell: (penalty) => <PenaltyActions penalty={penalty} /> },
];

function Standing({
  penalty: { forgivenAt, liftedAt, liftedReason },
}: {
  readonly penalty: Penalty;
}): ReactElement {
  if (forgivenAt !== null)
    return (
      <>
        no, forgiven <Ago at={forgivenAt} />
      </>
    );
  if (liftedAt)
    return (
      <span className="wraps">
        no, lifted <Ago at={liftedAt} />
        {liftedReason !== undefined && `: ${liftedReason}`}
      </span>
    );
  return <>yes</>;
}

function PenaltyActions({
  penalty: { playerId, penaltyId, kind, forgivenAt, liftedAt },
}: {
  readonly penalty: Penalty;
}): ReactElement {
  const { operator } = useSession();
  const params = { playerId, penaltyId };
  return (
    <Group gap={4} wrap="nowrap">
      {forgivenAt === null && (
        <Action
          call="forgivePenalty"
          label="Forgive"
          title={`Forgive the penalty of ${playerId}`}
          text={`${playerId} ${penaltyWords[kind]}. The penalty no longer counts: a cool-down that rests on it ends. It stays in the list, with the time.`}
          send={() => operator.calls.forgivePenalty({ params })}
          done={`The penalty of ${playerId} is forgiven.`}
        />
      )}
      {forgivenAt === null && liftedAt && (
        <Action
          call="imposePenalty"
          label="Impose"
          title={`Impose the penalty of ${playerId}`}
          text={`${playerId} ${penaltyWords[kind]}. The penalty was lifted; it counts again.`}
          isGrave
          send={() => operator.calls.imposePenalty({ params })}
          done={`The penalty of ${playerId} counts again.`}
        />
      )}
    </Group>
  );
}

const reportColumns = (player: PlayerCell): readonly Column<Report>[] => [
  { header: 'About', cell: ({ playerId }) => player(playerId), by: ({ playerId }) => playerId },
  { header: 'By', cell: ({ reporter }) => player(reporter), by: ({ reporter }) => reporter },
  { header: 'For', cell: ({ kind }) => reportWords[kind], by: ({ kind }) => kind },
  { header: 'Note', cell: ({ note }) => <span className="wraps">{note ?? '–'}</span> },
  { header: 'When', cell: ({ at }) => <Ago at={at} />, by: ({ at }) => at },
  {
    header: 'Weight, 0 to 1',
    isNumber: true,
    cell: ({ weight }) => numberWords(weight),
    by: ({ weight }) => weight,
  },
];
