import type { BodyOf } from '@muster/contracts';
import type { ReactElement } from 'react';
import { useSession } from '../session/session.js';
import { Action, reason, type Field } from '../ui/action.js';
import { textIn } from '../ui/values/values.js';
import type { Match } from './match.js';

const why = reason('The players read it, and it stands in the audit log.');
const penalties: Field = {
  name: 'penalties',
  label: 'Penalties of its players',
  kind: 'choice',
  description: 'Of players whom its server named as no-shows and leavers.',
  initial: 'drop',
  choices: [
    { value: 'drop', label: 'lift them' },
    { value: 'keep', label: 'keep them' },
  ],
};
const as: Field = {
  name: 'as',
  label: 'End it as',
  kind: 'choice',
  initial: 'abandoned',
  choices: [
    { value: 'abandoned', label: 'abandoned' },
    { value: 'void', label: 'void: a late result never counts' },
  ],
};

/** What can be done about a match in its state: a match without a result is ended, one with a result voided. */
export function MatchActions({
  match: { matchId, state, pool },
}: {
  readonly match: Match;
}): ReactElement | null {
  const { operator } = useSession();
  const params = { matchId };
  const end = (values: Parameters<typeof textIn>[0], ended = textIn(values, 'as')) =>
    operator.calls.endMatch({
      params,
      body: {
        reason: textIn(values, 'reason'),
        as: ended,
        penalties: textIn(values, 'penalties'),
      } as BodyOf<'endMatch'>,
    });
  switch (state) {
    case 'formed':
    case 'placed':
      return (
        <Action
          call="endMatch"
          label="End match"
          title={`End match ${matchId}`}
          text="The match ends without a result, and nobody is rated. Its players are free within about a second, and its server is told to end the session."
          fields={[as, penalties, why]}
          isGrave
          send={(values) => end(values)}
          done={`Match ${matchId} is ended.`}
        />
      );
    case 'abandoned':
      return (
        <Action
          call="endMatch"
          label="Void match"
          title={`Void match ${matchId}`}
          text="It was abandoned, and its players are free already. As void it never counts: a late result is refused from now on."
          fields={[penalties, why]}
          isGrave
          send={(values) => end(values, 'void')}
          done={`Match ${matchId} is void.`}
        />
      );
    case 'ended':
    case 'rated':
      return (
        <Action
          call="voidMatch"
          label="Void match"
          title={`Void match ${matchId}`}
          text={
            state === 'ended'
              ? 'The match is not rated, and counts for nothing. This cannot be undone.'
              : `The match counts for nothing: the ratings of pool ${pool} are rebuilt without it, in the background. This cannot be undone.`
          }
          fields={[penalties, why]}
          isGrave
          send={(values) =>
            operator.calls.voidMatch({
              params,
              body: {
                reason: textIn(values, 'reason'),
                penalties: textIn(values, 'penalties'),
              } as BodyOf<'voidMatch'>,
            })
          }
          done={`Match ${matchId} is void.`}
        />
      );
    default:
      return null;
  }
}
