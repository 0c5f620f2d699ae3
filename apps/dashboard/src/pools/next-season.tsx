import { Button, Group, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState, type FormEvent, type ReactElement } from 'react';
import { useAsked } from '../live/use-call.js';
import { useSession } from '../session/session.js';
import { Action, reason, type Values } from '../ui/action.js';
import { Panel } from '../ui/panel.js';
import { Empty, Shown } from '../ui/states.js';
import { Ago, At } from '../ui/time.js';
import { textIn, textOrNone, timeIn } from '../ui/values.js';
import { inputOfIso } from '../ui/words.js';
import { SeasonPreviewView } from './season-preview.js';
import {
  seasonFields,
  seasonRulesIn,
  seasonRuleWords,
  type Season,
  type SeasonRules,
} from './season-rules.js';

interface Next {
  readonly pool: string;
  readonly number: number;
  readonly announced: Season | null;
  readonly rules: SeasonRules;
}

/** What the next season would do, and the way to it: the preview comes first, since a season cannot be undone. */
export function NextSeason({ pool, number, announced, rules }: Next): ReactElement {
  const { operator } = useSession();
  const [asked, setAsked] = useState<SeasonRules | null>(null);
  const preview = useAsked(
    ['previewSeason', { params: { pool }, query: asked }],
    (signal) => operator.previewSeason(pool, asked ? { rules: asked } : {}, { signal }),
    { enabled: asked !== null },
  );
  return (
    <Panel
      title={`Next season: ${number}`}
      actions={
        <>
          {announced && <Withdraw pool={pool} number={number} />}
          {asked && <Starts pool={pool} number={number} announced={announced} rules={asked} />}
        </>
      }
    >
      <Stack gap="sm">
        {announced && (
          <Text size="sm">
            Announced: {announced.name} begins <Ago at={announced.startsAt} />
            {announced.startsAt !== null && (
              <>
                {' '}
                (<At at={announced.startsAt} />)
              </>
            )}
            , with {seasonRuleWords(announced.rules)}.
          </Text>
        )}
        <PreviewForm rules={rules} preview={setAsked} />
        {announced && asked && !isAnnouncedWith(announced, asked) && (
          <Text size="sm">
            To begin now with rules other than the announced ones, change or withdraw the announcement first.
          </Text>
        )}
        {asked === null ? (
          <Empty>
            The preview shows how the season would change ratings and divisions. The season can then be
            announced or begun with these rules.
          </Empty>
        ) : (
          <Shown of={preview}>{(answer) => <SeasonPreviewView preview={answer} />}</Shown>
        )}
      </Stack>
    </Panel>
  );
}

function PreviewForm({
  rules,
  preview,
}: {
  readonly rules: SeasonRules;
  readonly preview: (rules: SeasonRules) => void;
}): ReactElement {
  const [values, setValues] = useState<Values>({ ...rules });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    preview(seasonRulesIn(values));
  };
  return (
    <form onSubmit={submit}>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {seasonFields(rules).map(({ name, label, description, min, max }) => (
          <NumberInput
            key={name}
            label={label}
            description={description}
            required
            min={min}
            max={max}
            step={max === 1 ? 0.05 : 1}
            value={Number(values[name])}
            onChange={(value) => setValues((now) => ({ ...now, [name]: value }))}
          />
        ))}
      </SimpleGrid>
      <Group mt="xs">
        <Button type="submit" size="xs">
          Preview
        </Button>
      </Group>
    </form>
  );
}

function Withdraw({ pool, number }: Pick<Next, 'pool' | 'number'>): ReactElement {
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

const soonMs = 86_400_000;

const isAnnouncedWith = (announced: Season, rules: SeasonRules): boolean =>
  seasonRuleWords(announced.rules) === seasonRuleWords(rules);

/** Announces a season, or begins it. */
function Starts({ pool, number, announced, rules }: Next): ReactElement {
  const { operator } = useSession();
  const words = seasonRuleWords(rules);
  const name = {
    name: 'name',
    label: 'Name',
    kind: 'text',
    isOptional: true,
    description: announced ? `Empty: it stays ${announced.name}.` : `Empty: Season ${number}.`,
  } as const;
  const nameIn = (values: Values) => {
    const given = textOrNone(values, 'name');
    return given === undefined ? {} : { name: given };
  };
  // An announced season begins as it was announced, so that its own name, rules and reason count.
  const isAsAnnounced = announced !== null && isAnnouncedWith(announced, rules);
  return (
    <>
      <Action
        call="beginSeason"
        label={announced ? 'Change the announcement' : 'Announce'}
        title={`Announce season ${number} of ${pool}`}
        text={`Players see the announcement. The season begins by itself at the time, with ${words}; until then it can be changed or withdrawn.`}
        fields={[
          name,
          {
            name: 'startsAt',
            label: 'Begins at',
            kind: 'time',
            initial: inputOfIso(new Date(announced?.startsAt ?? Date.now() + soonMs).toISOString()),
          },
          { ...reason('Stands with the season.'), ...(announced ? { initial: announced.reason } : {}) },
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
      <Action
        call="beginSeason"
        label="Begin now"
        title={`Begin season ${number} of ${pool}`}
        text={`All ratings of the pool are reset at once as the preview shows, with ${words}. The standings of now become final. Players see no division until ${rules.placementMatches} matches of the season. It cannot be undone.`}
        isGrave
        isDisabled={announced !== null && !isAsAnnounced}
        fields={isAsAnnounced ? [] : [name, reason('Stands with the season.')]}
        send={(values) =>
          operator.beginSeason(
            pool,
            number,
            isAsAnnounced ? {} : { ...nameIn(values), rules, reason: textIn(values, 'reason') },
          )
        }
        done={`Season ${number} has begun.`}
      />
    </>
  );
}
