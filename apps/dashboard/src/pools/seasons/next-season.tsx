import { Button, Group, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState, type FormEvent, type ReactElement } from 'react';
import { useAsked } from '../../live/use-call.js';
import { useSession } from '../../session/session.js';
import type { Values } from '../../ui/action.js';
import { Panel } from '../../ui/panel.js';
import { Empty, Shown } from '../../ui/states.js';
import { Ago, At } from '../../ui/values/time.js';
import { SeasonPreviewView } from './season-preview.js';
import { seasonFields, seasonRulesIn, seasonRuleWords, type SeasonRules } from './season-rules.js';
import { Announce, BeginNow, isAnnouncedWith, Withdraw, type Next } from './season-actions.js';

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
          <Announce pool={pool} number={number} announced={announced} rules={asked ?? rules} />
          {asked && <BeginNow pool={pool} number={number} announced={announced} rules={asked} />}
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
