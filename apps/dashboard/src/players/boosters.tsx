import { useMemo, type ReactElement } from 'react';
import { useAsked, useCall } from '../live/use-call.js';
import { useSession } from '../session/session.js';
import { Action, reason } from '../ui/action.js';
import { PoolLink } from '../ui/links/links.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { Ago } from '../ui/values/time.js';
import { numberIn, textIn } from '../ui/values/values.js';
import type { AnswerOf } from '@muster/contracts';
import { numberWords } from '../ui/values/words.js';

type Booster = AnswerOf<'listBoosters'>['boosters'][number];
type Pool = AnswerOf<'listPools'>['pools'][number];

/** A player's boosters in all pools that have them. */
export function BoostersPanel({ playerId }: { readonly playerId: string }): ReactElement {
  const { operator } = useSession();
  const pools = useCall('listPools', {});
  const boosted = useMemo(
    () =>
      (pools.data?.pools ?? []).filter(
        ({ rules }) => rules.boosters !== null && rules.boosters !== undefined,
      ),
    [pools.data],
  );
  const names = boosted.map(({ name }) => name);
  const boosters = useAsked(
    ['listBoosters', { params: { playerId }, query: { pools: names } }],
    async (signal) =>
      (
        await Promise.all(
          names.map(async (pool) => (await operator.boosters(pool, { playerId }, { signal })).boosters),
        )
      )
        .flat()
        .toSorted((a, b) => b.grantedAt - a.grantedAt),
    { enabled: pools.data !== undefined },
  );
  return (
    <Panel
      title="Boosters"
      actions={boosted.length > 0 && <GrantBooster playerId={playerId} pools={boosted} />}
    >
      <Shown of={boosters}>
        {(rows) => (
          <DataTable
            caption="Boosters of the player, newest first"
            rows={rows}
            columns={columns}
            keyOf={({ boosterId }) => boosterId}
            empty={
              boosted.length > 0
                ? 'None. A booster lets a player play some matches in another division; the game or an operator grants it.'
                : 'No pool has boosters: the rule “boosters” of a pool turns them on.'
            }
          />
        )}
      </Shown>
    </Panel>
  );
}

const columns: readonly Column<Booster>[] = [
  { header: 'Granted', cell: ({ grantedAt }) => <Ago at={grantedAt} />, by: ({ grantedAt }) => grantedAt },
  { header: 'Pool', cell: ({ pool }) => <PoolLink id={pool} />, by: ({ pool }) => pool },
  { header: 'Division', cell: ({ division }) => division, by: ({ division }) => division },
  {
    header: 'Matches used',
    cell: ({ used, matches }) => `${used} of ${matches}`,
    by: ({ used }) => used,
    isNumber: true,
  },
  { header: 'Factor', cell: ({ kFactor }) => `× ${numberWords(kFactor)}`, isNumber: true },
  { header: 'By', cell: ({ by }) => by, by: ({ by }) => by },
  { header: 'Reason', cell: (booster) => <span className="wraps">{booster.reason}</span> },
  { header: 'State', cell: (booster) => <State {...booster} /> },
];

function State(booster: Booster): ReactElement {
  const { operator } = useSession();
  const { revokedAt, revoked, matchesLeft, pool, boosterId } = booster;
  if (revokedAt !== null)
    return (
      <>
        revoked <Ago at={revokedAt} />
        {revoked && ` by ${revoked.by}: ${revoked.reason}`}
      </>
    );
  if (matchesLeft === 0) return <>used up</>;
  return (
    <Action
      call="revokeBooster"
      label="Revoke"
      title="Revoke a booster"
      text="No match is rated with it from then on. Matches that were rated with it stay."
      isGrave
      fields={[reason('Shown with the booster.')]}
      send={(values) => operator.revokeBooster(pool, boosterId, { reason: textIn(values, 'reason') })}
      done="The booster is revoked."
    />
  );
}

function GrantBooster({
  playerId,
  pools,
}: {
  readonly playerId: string;
  readonly pools: readonly Pool[];
}): ReactElement {
  const { operator } = useSession();
  const choices = pools.map(({ name }) => ({ value: name, label: name }));
  return (
    <Action
      call="grantBooster"
      label="Grant"
      title={`Grant ${playerId} a booster`}
      text="The player may use it for a limited number of matches among players of that division. A result then moves the player’s rating further; ratings of others as usual."
      fields={[
        { name: 'pool', label: 'Pool', kind: 'choice', choices, initial: choices[0]?.value ?? '' },
        {
          name: 'division',
          label: 'Division',
          kind: 'text',
          description: 'The one to play in, such as Gold.',
        },
        {
          name: 'matches',
          label: 'Matches',
          kind: 'number',
          min: 1,
          isOptional: true,
          description: 'Empty: as many as the pool’s rules say.',
        },
        reason('Shown with the booster.'),
      ]}
      send={(values) => {
        const matches = numberIn(values, 'matches');
        return operator.grantBooster(textIn(values, 'pool'), {
          playerId,
          division: textIn(values, 'division'),
          ...(matches === undefined ? {} : { matches }),
          reason: textIn(values, 'reason'),
        });
      }}
      done="The booster is granted."
    />
  );
}
