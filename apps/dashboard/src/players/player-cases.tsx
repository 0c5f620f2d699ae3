import type { AnswerOf } from '@muster/contracts';
import type { ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { PoolLink } from '../ui/links/links.js';
import { CaseLink } from '../ui/links/id-link.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { Ago } from '../ui/values/time.js';
import { numberWords } from '../ui/values/words.js';
import { kindWords } from '../cases/case-words.js';

type Case = AnswerOf<'listCases'>['cases'][number];

/** Integrity cases about a player, the open ones first. */
export function PlayerCases({
  playerId,
  open,
}: {
  readonly playerId: string;
  readonly open: readonly Case[];
}): ReactElement {
  const closed = useCall('listCases', { query: { player: playerId, state: 'closed' } });
  return (
    <Panel title="Integrity cases">
      <Shown of={closed}>
        {({ cases }) => (
          <DataTable
            caption="Integrity cases about the player, open ones first"
            rows={[...open, ...cases]}
            columns={columns}
            keyOf={({ caseId }) => caseId}
            empty="None. A pool with the rule “integrity” opens a case when results look like a cheat; it bans nobody."
          />
        )}
      </Shown>
    </Panel>
  );
}

const columns: readonly Column<Case>[] = [
  {
    header: 'Case',
    cell: ({ caseId }) => <CaseLink id={caseId} />,
  },
  { header: 'Signal', cell: ({ kind }) => kindWords[kind], by: ({ kind }) => kindWords[kind] },
  { header: 'Pool', cell: ({ pool }) => <PoolLink id={pool} />, by: ({ pool }) => pool },
  {
    header: 'Evidence',
    cell: ({ evidence }) => `${numberWords(evidence)} times`,
    by: ({ evidence }) => evidence,
    isNumber: true,
  },
  { header: 'Opened', cell: ({ openedAt }) => <Ago at={openedAt} />, by: ({ openedAt }) => openedAt },
  { header: 'State', cell: ({ state, verdict }) => verdict ?? state, by: ({ state }) => state },
];
