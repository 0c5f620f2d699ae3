import { readPlayer, type PlayerOverview } from '@muster/sdk';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useAsked } from '../live/use-call.js';
import { useSession } from '../session/session.js';
import { Page } from '../ui/page.js';
import { Shown } from '../ui/states.js';
import { BehaviourPanel } from './conduct/behaviour.js';
import { BoostersPanel } from './boosters.js';
import { CalibrationPanel } from './ratings/calibration-panel.js';
import { HistoryPanel } from './ratings/history-panel.js';
import { PenaltiesPanel } from './conduct/penalties.js';
import { BanAction, NameAction } from './player-actions.js';
import { PlayerCases } from './player-cases.js';
import { PlayerData } from './player-data.js';
import { PlayerMatches } from './player-matches.js';
import { PlayerNow } from './player-now.js';
import { RatingsPanel } from './ratings/ratings-panel.js';

/** Rated matches up to which a player is a newcomer, whose calibration is worth showing. */
const newcomerMatches = 200;

/** Everything about one player. */
export function PlayerPage(): ReactElement {
  const { playerId } = useParams({ from: '/players/$playerId' });
  const { operator } = useSession();
  const player = useAsked(['readPlayer', { params: { playerId } }], () => readPlayer(operator, playerId, 1), {
    everyMs: 15_000,
  });
  const name = player.data ? nameOf(player.data) : null;
  return (
    <Page
      title={name === null ? playerId : `${name} (${playerId})`}
      actions={
        player.data && (
          <>
            <NameAction playerId={playerId} name={name} />
            {!player.data.penalties.ban && <BanAction playerId={playerId} />}
          </>
        )
      }
    >
      <Shown of={player}>{(known) => <Known player={known} />}</Shown>
    </Page>
  );
}

function Known({ player }: { readonly player: PlayerOverview }): ReactElement {
  const { playerId, ratings } = player;
  const search = useSearch({ from: '/players/$playerId' });
  const navigate = useNavigate({ from: '/players/$playerId' });
  const byMatches = ratings.toSorted((a, b) => b.matches - a.matches);
  const shown = byMatches.find(({ pool }) => pool === search['pool']) ?? byMatches[0];
  return (
    <>
      <PlayerNow player={player} />
      <RatingsPanel playerId={playerId} ratings={byMatches} />
      {shown && (
        <HistoryPanel
          key={`${playerId} ${shown.pool}`}
          playerId={playerId}
          pool={shown.pool}
          pools={byMatches.map(({ pool }) => pool)}
          choose={(pool) => void navigate({ search: { ...search, pool }, replace: true })}
        />
      )}
      {shown && shown.matches <= newcomerMatches && (
        <CalibrationPanel playerId={playerId} pool={shown.pool} />
      )}
      <PlayerMatches playerId={playerId} />
      <PenaltiesPanel playerId={playerId} penalties={player.penalties} />
      <BehaviourPanel behaviour={player.behaviour} />
      <BoostersPanel playerId={playerId} />
      <PlayerCases playerId={playerId} open={player.cases} />
      <PlayerData playerId={playerId} />
    </>
  );
}

/** The last display name that is known; null: none. */
function nameOf({ playerId, ratings, matches }: PlayerOverview): string | null {
  const rated = ratings.find(({ name }) => typeof name === 'string')?.name ?? null;
  return rated ?? matches[0]?.players.find((each) => each.playerId === playerId)?.name ?? null;
}
