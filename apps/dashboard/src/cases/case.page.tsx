import { Alert, List, SimpleGrid, Text } from '@mantine/core';
import type { BodyOf } from '@muster/contracts';
import { useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { useSession } from '../session/session.js';
import { Action } from '../ui/action.js';
import { Facts } from '../ui/values/facts.js';
import { MatchLink, PlayerLinks, PoolLink, ServerLink } from '../ui/links/links.js';
import { Page } from '../ui/page.js';
import { Panel } from '../ui/panel.js';
import { Empty, Shown } from '../ui/states.js';
import { Ago } from '../ui/values/time.js';
import { textIn, textOrNone } from '../ui/values/values.js';
import { numberWords } from '../ui/values/words.js';
import { chanceWords, evidenceWords, kindWords, verdictWords, type Case } from './case-words.js';

/** A case: what speaks for it and what against, and its verdict. */
export function CasePage(): ReactElement {
  const { caseId } = useParams({ from: '/cases/$caseId' });
  const found = useCall('readCase', { params: { caseId } }, { everyMs: 60_000 });
  const kind = found.data?.kind;
  return (
    <Page
      title={kind === undefined ? `Case ${caseId}` : kindWords[kind]}
      actions={found.data?.state === 'open' && <Close caseId={caseId} />}
    >
      <Shown of={found}>{(known) => <Told known={known} />}</Shown>
    </Page>
  );
}

function Told({ known }: { readonly known: Case }): ReactElement {
  return (
    <>
      {known.outdated && (
        <Alert color="yellow" title="Outdated">
          The ratings of the pool were rebuilt, for example after a match was voided, and the signal has not
          been found again. The case may rest on matches that no longer count.
        </Alert>
      )}
      <Verdict known={known} />
      <Panel title="Summary">
        <Text size="sm" mb="sm">
          {evidenceWords(known)} By luck, {chanceWords(known.byChance)} honest ones gets this much evidence.
        </Text>
        <FactsOf known={known} />
      </Panel>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Said title="Evidence for" said={known.pro} />
        <Said title="Evidence against" said={known.contra} />
      </SimpleGrid>
    </>
  );
}

function FactsOf({ known }: { readonly known: Case }): ReactElement {
  const { players, server, pool, matches, matchId, openedAt, updatedAt, raised, caseId } = known;
  return (
    <Facts
      of={[
        [
          players.length === 1 ? 'Player' : 'Players',
          players.length > 0 && <PlayerLinks key="players" ids={players} />,
        ],
        ['Server', server !== null && <ServerLink key="server" id={server} />],
        ['Pool', <PoolLink key="pool" id={pool} />],
        ['Matches with evidence', numberWords(matches)],
        [
          'Last found',
          <span key="found">
            <Ago at={updatedAt} />, after match <MatchLink id={matchId} />
          </span>,
        ],
        ['Opened', <Ago key="opened" at={openedAt} />],
        ['Effect on ratings', raised ? 'Raised the uncertainty of its players' : 'None'],
        ['Case', caseId],
      ]}
    />
  );
}

function Verdict({ known }: { readonly known: Case }): ReactElement | null {
  const { verdict, note, closedBy, closedAt } = known;
  if (verdict === null) return null;
  return (
    <Alert color="gray" title={verdictWords[verdict]}>
      Closed <Ago at={closedAt} /> by {closedBy}. {note ?? 'No note.'}
    </Alert>
  );
}

function Said({ title, said }: { readonly title: string; readonly said: Case['pro'] }): ReactElement {
  return (
    <Panel title={title}>
      {said.length === 0 ? (
        <Empty>Nothing recorded.</Empty>
      ) : (
        <List size="sm" spacing="xs">
          {said.map(({ text }) => (
            <List.Item key={text}>{text}</List.Item>
          ))}
        </List>
      )}
    </Panel>
  );
}

const verdicts = Object.entries(verdictWords).map(([value, label]) => ({ value, label }));

function Close({ caseId }: { readonly caseId: string }): ReactElement {
  const { operator } = useSession();
  return (
    <Action
      call="closeCase"
      label="Close the case"
      text="The verdict is stored and nothing else happens: Muster bans nobody. Evidence starts from zero after this, and the case cannot be reopened."
      fields={[
        { name: 'verdict', label: 'Verdict', kind: 'choice', choices: verdicts, initial: 'unclear' },
        {
          name: 'note',
          label: 'Note',
          kind: 'long',
          isOptional: true,
          description: 'What you found, for the next person who looks at these players.',
        },
      ]}
      send={(values) =>
        operator.closeCase(caseId, {
          verdict: textIn(values, 'verdict') as BodyOf<'closeCase'>['verdict'],
          note: textOrNone(values, 'note'),
        })
      }
      done="The case is closed."
    />
  );
}
