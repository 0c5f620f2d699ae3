import type { AnswerOf } from '@muster/contracts';
import { useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCall } from '../../live/use-call.js';
import { useMay } from '../../session/session.js';
import { PlayerLink } from '../../ui/links/links.js';
import { Pager } from '../../ui/filters.js';
import { Panel } from '../../ui/panel.js';
import { Shown } from '../../ui/states.js';
import { DataTable, type Column } from '../../ui/table.js';
import { Ago } from '../../ui/values/time.js';
import { BanAction, LiftBan } from '../player-actions.js';

type Banned = AnswerOf<'listBans'>['bans'][number];
const onOnePage = 200;

/** Bans in force. */
export function BansPanel(): ReactElement {
  const { cursor } = useSearch({ from: '/players' });
  const mayLift = useMay()('liftBan');
  const bans = useCall(
    'listBans',
    { query: { limit: onOnePage, ...(cursor === undefined ? {} : { cursor }) } },
    { everyMs: 30_000 },
  );
  return (
    <Panel title="Bans in force" actions={<BanAction />}>
      <Shown of={bans}>
        {(page) => (
          <>
            <DataTable
              caption="Bans in force, in the order of players"
              rows={page.bans}
              columns={mayLift ? withChange : columns}
              keyOf={({ playerId }) => playerId}
              empty="No player is banned. A ban keeps a player from every queue until its time."
            />
            <Pager next={page.next} />
          </>
        )}
      </Shown>
    </Panel>
  );
}

const columns: readonly Column<Banned>[] = [
  {
    header: 'Player',
    cell: ({ playerId }) => <PlayerLink id={playerId} />,
    by: ({ playerId }) => playerId,
  },
  { header: 'Until', cell: ({ ban }) => <Ago at={ban?.until} />, by: ({ ban }) => ban?.until ?? 0 },
  { header: 'Since', cell: ({ ban }) => <Ago at={ban?.since} />, by: ({ ban }) => ban?.since ?? 0 },
  { header: 'By', cell: ({ ban }) => ban?.by ?? '–', by: ({ ban }) => ban?.by ?? '' },
  { header: 'Reason', cell: ({ ban }) => <span className="wraps">{ban?.reason ?? '–'}</span> },
];
const withChange: readonly Column<Banned>[] = [
  ...columns,
  { header: 'Change', cell: ({ playerId }) => <LiftBan playerId={playerId} /> },
];
