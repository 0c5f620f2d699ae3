import { Stack, Text } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import { useMemo, type ReactElement } from 'react';
import { useMay, useSession } from '../../session/session.js';
import { Action } from '../../ui/action.js';
import { MatchLink, QueueLink } from '../../ui/links/links.js';
import { Panel } from '../../ui/panel.js';
import { DataTable, type Column } from '../../ui/table.js';
import { Ago } from '../../ui/values/time.js';

type Penalties = AnswerOf<'readPenalties'>;
type Penalty = Penalties['penalties'][number];

const kindWords: Readonly<Record<Penalty['kind'], string>> = {
  declined: 'declined a match, or did not answer',
  'no-show': 'never connected',
  left: 'left for good',
};

/** A player's penalties, with what can be done about each. */
export function PenaltiesPanel({
  playerId,
  penalties: { penalties, mayQueueAt, reason },
}: {
  readonly playerId: string;
  readonly penalties: Penalties;
}): ReactElement {
  const mayChange = useMay()('forgivePenalty');
  const columns = useMemo(() => columnsFor(playerId, mayChange), [playerId, mayChange]);
  return (
    <Panel title="Penalties">
      <Stack gap="xs">
        {mayQueueAt !== null && (
          <Text size="sm">
            Cooling down: may queue again <Ago at={mayQueueAt} />. {reason}
          </Text>
        )}
        <DataTable
          caption="Penalties of the player, newest first"
          rows={penalties}
          columns={columns}
          keyOf={({ penaltyId }) => penaltyId}
          empty="None. Declining a match, never connecting to one and leaving one for good are penalised, as the queue’s rules say."
        />
      </Stack>
    </Panel>
  );
}

const columnsFor = (playerId: string, mayChange: boolean): readonly Column<Penalty>[] => [
  { header: 'When', cell: ({ at }) => <Ago at={at} />, by: ({ at }) => at },
  { header: 'What', cell: ({ kind }) => kindWords[kind], by: ({ kind }) => kind },
  { header: 'Queue', cell: ({ queue }) => <QueueLink id={queue} />, by: ({ queue }) => queue },
  {
    header: 'Match',
    cell: ({ kind, matchId }) => (kind === 'declined' ? matchId : <MatchLink id={matchId} />),
  },
  { header: 'State', cell: (penalty) => <State {...penalty} /> },
  ...(mayChange
    ? [{ header: 'Change', cell: (penalty: Penalty) => <Change playerId={playerId} penalty={penalty} /> }]
    : []),
];

function State({ forgivenAt, liftedAt, liftedReason }: Penalty): ReactElement {
  if (forgivenAt !== null)
    return (
      <>
        forgiven <Ago at={forgivenAt} />
      </>
    );
  if (liftedAt === null || liftedAt === undefined) return <>counts</>;
  return (
    <>
      lifted <Ago at={liftedAt} />
      {liftedReason !== undefined && (
        <Text size="xs" c="dimmed" maw={360}>
          {liftedReason}
        </Text>
      )}
    </>
  );
}

function Change({
  playerId,
  penalty: { penaltyId, forgivenAt, liftedAt },
}: {
  readonly playerId: string;
  readonly penalty: Penalty;
}): ReactElement | null {
  const { operator } = useSession();
  if (forgivenAt !== null) return null;
  if (liftedAt !== null && liftedAt !== undefined)
    return (
      <Action
        call="imposePenalty"
        label="Impose"
        title="Impose a lifted penalty"
        text="The penalty counts again, and may keep the player from the queue."
        send={() => operator.impose(playerId, penaltyId)}
        done="The penalty counts again."
      />
    );
  return (
    <Action
      call="forgivePenalty"
      label="Forgive"
      title="Forgive a penalty"
      text="The penalty no longer counts; it stays in the list with the time. It cannot be imposed again."
      send={() => operator.forgive(playerId, penaltyId)}
      done="The penalty is forgiven."
    />
  );
}
