import type { AnswerOf } from '@muster/contracts';
import type { ReactElement } from 'react';
import { useSession } from '../session/session.js';
import { Action, reason } from '../ui/action.js';
import { textIn } from '../ui/values/values.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const banLengths = [
  { value: String(hourMs), label: '1 hour' },
  { value: String(dayMs), label: '1 day' },
  { value: String(3 * dayMs), label: '3 days' },
  { value: String(7 * dayMs), label: '1 week' },
  { value: String(30 * dayMs), label: '30 days' },
  { value: String(365 * dayMs), label: '1 year' },
  { value: String(3_650 * dayMs), label: '10 years' },
];

type Ban = NonNullable<AnswerOf<'readPenalties'>['ban']>;

/** Keeps a player from every queue, or changes for how long. */
export function BanAction({
  playerId,
  ban,
}: {
  /** Asked for where it is not known. */
  readonly playerId?: string;
  readonly ban?: Ban | null;
}): ReactElement {
  const { operator } = useSession();
  const isChange = ban !== null && ban !== undefined;
  return (
    <Action
      call="banPlayer"
      label={isChange ? 'Change the ban' : 'Ban'}
      title={
        playerId === undefined ? 'Ban a player' : `${isChange ? 'Change the ban of' : 'Ban'} ${playerId}`
      }
      text="The player cannot queue until the ban ends. A waiting ticket ends now, with the reason. A running match continues."
      isGrave
      fields={[
        ...(playerId === undefined
          ? [{ name: 'playerId', label: 'Player', kind: 'text', description: 'The id.' } as const]
          : []),
        {
          name: 'length',
          label: 'Duration',
          kind: 'choice',
          choices: banLengths,
          initial: String(dayMs),
        },
        { ...reason('The player reads it.'), ...(isChange ? { initial: ban.reason } : {}) },
      ]}
      send={(values) =>
        operator.ban(playerId ?? textIn(values, 'playerId'), {
          reason: textIn(values, 'reason'),
          until: Date.now() + Number(values['length']),
        })
      }
      done="The player is banned."
    />
  );
}

/** Ends a ban before its time. */
export function LiftBan({ playerId }: { readonly playerId: string }): ReactElement {
  const { operator } = useSession();
  return (
    <Action
      call="liftBan"
      label="Lift the ban"
      title={`Lift the ban of ${playerId}`}
      text="The player may queue again at once, unless a penalty still counts."
      send={() => operator.liftBan(playerId)}
      done="The ban is lifted."
    />
  );
}

/** Tells the display name of a player. */
export function NameAction({
  playerId,
  name,
}: {
  readonly playerId: string;
  readonly name: string | null;
}): ReactElement {
  const { operator } = useSession();
  return (
    <Action
      call="namePlayers"
      label="Name"
      title={`The display name of ${playerId}`}
      text="Shown on leaderboards, in matches and here until the game reports another name, for example with the player’s next token."
      fields={[
        {
          name: 'name',
          label: 'Display name',
          kind: 'text',
          description: 'One line of 1 to 64 characters.',
          ...(name === null ? {} : { initial: name }),
        },
      ]}
      send={(values) => operator.namePlayers({ [playerId]: textIn(values, 'name') })}
      done="The name is stored."
    />
  );
}
