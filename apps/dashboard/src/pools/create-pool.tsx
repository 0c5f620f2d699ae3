import type { AnswerOf } from '@muster/contracts';
import type { ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { useSession } from '../session/session.js';
import { Action } from '../ui/action.js';
import { textIn, textOrNone } from '../ui/values/values.js';

/** Creates a pool, with the default rules of a model. */
export function CreatePool(): ReactElement {
  const { operator } = useSession();
  const models = useCall('listModels', {});
  return (
    <Action
      call="createPool"
      label="Create a pool"
      text="A pool starts without ratings. A queue uses it when its rules name it. The other rules can be changed on its page."
      fields={[
        { name: 'name', label: 'Name', kind: 'text', description: 'Small letters, digits and -.' },
        { name: 'gameMode', label: 'Game mode', kind: 'text', isOptional: true },
        {
          name: 'modifiers',
          label: 'Modifiers',
          kind: 'text',
          isOptional: true,
          description: 'What changes how the game plays, separated by commas.',
        },
        {
          name: 'model',
          label: 'Model',
          kind: 'choice',
          initial: 'openskill-plackett-luce',
          choices: (models.data?.models ?? []).map(({ name, title }) => ({
            value: name,
            label: `${name}: ${title}`,
          })),
        },
      ]}
      send={(values) =>
        operator.createPool({
          name: textIn(values, 'name'),
          gameMode: textOrNone(values, 'gameMode') ?? null,
          modifiers: textIn(values, 'modifiers')
            .split(',')
            .map((each) => each.trim())
            .filter((each) => each !== ''),
          model: textIn(values, 'model'),
        })
      }
      done={(answer) => {
        const { created, name } = answer as AnswerOf<'createPool'>;
        return created === false
          ? `The pool ${name} was there, and is unchanged.`
          : `The pool ${name} is created.`;
      }}
    />
  );
}
