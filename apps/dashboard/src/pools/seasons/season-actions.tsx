import type { ReactElement } from 'react';
import { useSession } from '../../session/session.js';
import { Action, reason, type Values } from '../../ui/action.js';
import { textIn, textOrNone, timeIn } from '../../ui/values/values.js';
import { inputOfIso } from '../../ui/values/words.js';
import { seasonRuleWords, type Season, type SeasonRules } from './season-rules.js';

/** The next season of a pool, with the rules that it would have. */
export interface Next {
  readonly pool: string;
  readonly number: number;
  readonly announced: Season | null;
  readonly rules: SeasonRules;
}

const soonMs = 86_400_000;

export const isAnnouncedWith = (announced: Season, rules: SeasonRules): boolean =>
  seasonRuleWords(announced.rules) === seasonRuleWords(rules);

const nameField = ({ announced, number }: Pick<Next, 'announced' | 'number'>) =>
  ({
    name: 'name',
    label: 'Name',
    kind: 'text',
    isOptional: true,
    description: announced ? `Empty: it stays ${announced.name}.` : `Empty: Season ${number}.`,
  }) as const;

/** A name that is left out stays as it was announced. */
function nameIn(values: Values): { readonly name?: string } {
  const name = textOrNone(values, 'name');
  return name === undefined ? {} : { name };
}

export function Withdraw({ pool, number }: Pick<Next, 'pool' | 'number'>): ReactElement {
  const { operator } = useSession();
  return (
    <Action
      call="withdrawSeason"
      label="Withdraw the announcement"
      title={`Withdraw the announcement of season ${number}`}
      text="The season does not begin, and players no longer see it announced. Ratings stay as they are."
      send={() => operator.withdrawSeason(pool, number)}
      done="The announcement is withdrawn."
    />
  );
}

/** Announces a season, or changes the announcement: it can be withdrawn until its time. */
export function Announce({ pool, number, announced, rules }: Next): ReactElement {
  const { operator } = useSession();
  const startsAt = announced?.startsAt ?? Date.now() + soonMs;
  return (
    <Action
      call="beginSeason"
      label={announced ? 'Change the announcement' : 'Announce'}
      title={`Announce season ${number} of ${pool}`}
      text={`Players see the announcement. The season begins by itself at the time, with ${seasonRuleWords(rules)}; until then it can be changed or withdrawn.`}
      fields={[
        nameField({ announced, number }),
        {
          name: 'startsAt',
          label: 'Begins at',
          kind: 'time',
          initial: inputOfIso(new Date(startsAt).toISOString()),
        },
        { ...reason('Shown with the season.'), ...(announced ? { initial: announced.reason } : {}) },
      ]}
      send={(values) =>
        operator.beginSeason(pool, number, {
          ...nameIn(values),
          startsAt: timeIn(values, 'startsAt'),
          rules,
          reason: textIn(values, 'reason'),
        })
      }
      done={`Season ${number} is announced.`}
    />
  );
}

/** Begins a season at once. It is offered beside a preview of what it does, since it cannot be undone. */
export function BeginNow({ pool, number, announced, rules }: Next): ReactElement {
  const { operator } = useSession();
  // An announced season begins as it was announced, so that its own name, rules and reason count.
  const isAsAnnounced = announced !== null && isAnnouncedWith(announced, rules);
  return (
    <Action
      call="beginSeason"
      label="Begin now"
      title={`Begin season ${number} of ${pool}`}
      text={`All ratings of the pool are reset at once as the preview shows, with ${seasonRuleWords(rules)}. The present standings become final. Players see no division until they have played ${rules.placementMatches} matches of the season. It cannot be undone.`}
      isGrave
      isDisabled={announced !== null && !isAsAnnounced}
      fields={isAsAnnounced ? [] : [nameField({ announced, number }), reason('Shown with the season.')]}
      send={(values) =>
        operator.beginSeason(
          pool,
          number,
          isAsAnnounced ? {} : { ...nameIn(values), rules, reason: textIn(values, 'reason') },
        )
      }
      done={`Season ${number} has begun.`}
    />
  );
}
