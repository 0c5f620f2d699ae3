import type { AnswerOf } from '@muster/contracts';
import type { ReactElement } from 'react';
import { MatchLink, PlayerLink } from '../../ui/links/links.js';
import { Panel } from '../../ui/panel.js';
import { DataTable, type Column } from '../../ui/table.js';
import { Ago } from '../../ui/values/time.js';
import { numberWords, percentWords } from '../../ui/values/words.js';

type Behaviour = AnswerOf<'readBehaviour'>;
type Report = Behaviour['reports'][number];

/** What others reported of a player. */
export function BehaviourPanel({ behaviour }: { readonly behaviour: Behaviour }): ReactElement {
  return (
    <Panel title={`Behaviour: ${behaviour.word}, score ${numberWords(behaviour.score)}`}>
      <DataTable
        caption="Reports and commendations about the player, newest first"
        rows={behaviour.reports}
        columns={columns}
        keyOf={({ matchId, reporter, kind }) => `${matchId} ${reporter} ${kind}`}
        empty="No reports. Team-mates report or commend a player after a match; the best score is 1."
      />
    </Panel>
  );
}

const columns: readonly Column<Report>[] = [
  { header: 'When', cell: ({ at }) => <Ago at={at} />, by: ({ at }) => at },
  { header: 'Kind', cell: ({ kind }) => kind, by: ({ kind }) => kind },
  {
    header: 'By',
    cell: ({ reporter }) => <PlayerLink id={reporter} />,
    by: ({ reporter }) => reporter,
  },
  { header: 'Match', cell: ({ matchId }) => <MatchLink id={matchId} /> },
  { header: 'Note', cell: ({ note }) => <span className="wraps">{note ?? '–'}</span> },
  {
    header: 'Weight then',
    cell: ({ weight }) => percentWords(weight),
    by: ({ weight }) => weight,
    isNumber: true,
  },
  {
    header: 'Counts now',
    cell: ({ counts }) => percentWords(counts),
    by: ({ counts }) => counts,
    isNumber: true,
  },
];
