import type { ReactElement } from 'react';
import { useSession } from '../../session/session.js';
import { Action, reason } from '../../ui/action.js';
import { numberIn, textIn } from '../../ui/values/values.js';

interface OfPlayer {
  readonly playerId: string;
  readonly pool: string;
}

/** Sets a rating. The pools are offered where the player has none in the pool yet. */
export function SetRating({
  playerId,
  pool,
  now,
}: OfPlayer & { readonly now: { readonly mu: number; readonly sigma: number } | null }): ReactElement {
  const { operator } = useSession();
  return (
    <Action
      call="setRating"
      label="Set"
      title={`Set the rating of ${playerId} in ${pool}`}
      text="Later matches continue from this rating. It is recorded in the history with your name and the reason, and rebuilds keep it. Ratings of other players do not change."
      fields={[
        {
          name: 'mu',
          label: 'Rating',
          kind: 'number',
          description: 'The mean, in the units of the pool’s model.',
          ...(now ? { initial: now.mu } : {}),
        },
        {
          name: 'sigma',
          label: 'Uncertainty',
          kind: 'number',
          isOptional: true,
          description: now ? `Empty: it stays ${now.sigma}.` : 'Empty: it stays as it is.',
        },
        reason('Shown in the history.'),
      ]}
      send={(values) => {
        const sigma = numberIn(values, 'sigma');
        return operator.setRating(pool, playerId, {
          mu: Number(values['mu']),
          ...(sigma === undefined ? {} : { sigma }),
          reason: textIn(values, 'reason'),
        });
      }}
      done="The rating is set."
    />
  );
}

/** Makes a player a newcomer to a pool again. */
export function ResetRating({ playerId, pool }: OfPlayer): ReactElement {
  const { operator } = useSession();
  return (
    <Action
      call="resetRating"
      label="Reset"
      title={`Reset the rating of ${playerId} in ${pool}`}
      text="The player gets the start value and a newcomer’s uncertainty, also in later rebuilds. The history keeps earlier changes and records the reset with your name. The player is not calibrated again."
      isGrave
      fields={[reason('Shown in the history.')]}
      send={(values) => operator.resetRating(pool, playerId, { reason: textIn(values, 'reason') })}
      done="The rating is reset."
    />
  );
}
