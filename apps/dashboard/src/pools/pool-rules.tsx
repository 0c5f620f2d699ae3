import { Alert, Group, List, Stack, Text } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import { useMemo, type ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { useMay, useSession } from '../session/session.js';
import { Action } from '../ui/action.js';
import { Command } from '../ui/command.js';
import { Panel } from '../ui/panel.js';
import { DataTable, type Column } from '../ui/table.js';
import { textIn } from '../ui/values/values.js';
import { numberWords } from '../ui/values/words.js';
import { readRule, rulesOf, valueWords, writtenRule, type Rule } from './rules-of-pool.js';

type Pool = AnswerOf<'readPool'>;

/** What a pool rates by, and how to change it. */
export function RulesPanel({ pool }: { readonly pool: Pool }): ReactElement {
  const rules = useMemo(() => rulesOf(pool.rules), [pool.rules]);
  const mayChange = useMay()('changePool');
  const columns = useMemo(
    () => (mayChange ? [...ruleColumns, changeColumn(pool.name)] : ruleColumns),
    [pool.name, mayChange],
  );
  const models = useCall('listModels', {});
  const model = models.data?.models.find(({ name }) => name === pool.rules.model);
  return (
    <Panel title={`Rules, version ${pool.version}`}>
      <Stack gap="sm">
        <Text size="sm">
          Rated by <strong>{pool.rules.model}</strong>
          {model ? `: ${model.title}. ${model.about}` : ''} Another model needs a rebuild.
        </Text>
        <DataTable
          caption="Rules of the pool"
          rows={rules}
          columns={columns}
          keyOf={({ name }) => name}
          empty=""
        />
      </Stack>
    </Panel>
  );
}

const ruleColumns: readonly Column<Rule>[] = [
  { header: 'Rule', cell: ({ name }) => <code>{name}</code>, by: ({ name }) => name },
  {
    header: 'Value',
    cell: (rule) => (
      <Text size="sm" maw={280} miw={140}>
        {valueWords(rule)}
      </Text>
    ),
  },
  {
    header: 'Description',
    cell: ({ about }) => (
      <Text size="xs" c="dimmed" maw={520} miw={220}>
        {about}
      </Text>
    ),
  },
];
const changeColumn = (pool: string): Column<Rule> => ({
  header: 'Change',
  cell: (rule) => <ChangeRule pool={pool} rule={rule} />,
});

function ChangeRule({ pool, rule }: { readonly pool: string; readonly rule: Rule }): ReactElement {
  const { operator } = useSession();
  const { name, about, value, choices } = rule;
  const initial = writtenRule(value);
  return (
    <Action
      call="changePool"
      label="Change"
      title={`Change ${name} of ${pool}`}
      text={<ChangeText rule={rule} />}
      isGrave={name === 'inactivity'}
      fields={[
        choices
          ? {
              name: 'value',
              label: name,
              kind: 'choice',
              description: about,
              initial,
              choices: choices.map((each) => ({ value: each, label: each })),
            }
          : {
              name: 'value',
              label: name,
              kind: 'long',
              description: `${about} As JSON.`,
              initial,
            },
      ]}
      send={async (values) => operator.changePool(pool, { [name]: readRule(rule, textIn(values, 'value')) })}
      done={(answer) => `The rules of ${pool} are at version ${(answer as Pool).version}.`}
    />
  );
}

function ChangeText({ rule: { name: rule, parts } }: { readonly rule: Rule }): ReactElement {
  return (
    <>
      The change counts from the next match on, as a new version of the pool’s rules.{' '}
      {rule === 'inactivity'
        ? 'Ratings of players who have been away long enough change at once.'
        : 'Existing ratings stay as they are; to rate the history by the new rule, rebuild the pool.'}
      {parts.length > 0 && (
        <List size="xs" mt="xs">
          {parts.map(({ name, about }) => (
            <List.Item key={name}>
              <code>{name}</code> {about}
            </List.Item>
          ))}
        </List>
      )}
    </>
  );
}

/** What the pool has learned of its chances from results. */
export function CalibrationPanel({ pool: { calibration } }: { readonly pool: Pool }): ReactElement {
  const { matches, scale, drawRate, offsets } = calibration;
  const rows = useMemo(
    () => Object.entries(offsets).map(([name, learned]) => ({ name, ...learned })),
    [offsets],
  );
  return (
    <Panel title="Calibration of the chances">
      {matches === 0 ? (
        <Text size="sm" c="dimmed">
          None yet: the model’s chances are used as they are until there are results.
        </Text>
      ) : (
        <Stack gap="xs">
          <Text size="sm">
            Learned from {numberWords(matches)} matches. Scale {scale.mean.toFixed(3)} ± {scale.sd.toFixed(3)}
            : {scaleWords(scale)}. Draws: {(100 * drawRate).toFixed(1)} % of matches.
          </Text>
          <DataTable
            caption="Effects beside skill, the strongest first"
            rows={rows.toSorted((a, b) => Math.abs(b.mean) - Math.abs(a.mean))}
            columns={offsetColumns}
            keyOf={({ name }) => name}
            empty="No effects beside skill are learned: sides, maps, venues, larger teams and parties would be listed here."
          />
        </Stack>
      )}
    </Panel>
  );
}

const offsetColumns: readonly Column<{
  readonly name: string;
  readonly mean: number;
  readonly sd: number;
}>[] = [
  { header: 'Effect', cell: ({ name }) => name, by: ({ name }) => name },
  {
    header: 'Log-odds',
    cell: ({ mean, sd }) => `${mean >= 0 ? '+' : '−'}${Math.abs(mean).toFixed(3)} ± ${sd.toFixed(3)}`,
    by: ({ mean }) => mean,
    isNumber: true,
  },
];

function scaleWords({ mean, sd }: Pool['calibration']['scale']): string {
  if (Math.abs(mean - 1) <= 2 * sd) return 'the model’s confidence is about right';
  return mean < 1 ? 'the model is overconfident' : 'the model is underconfident';
}

/** What an operator may run for the pool. */
export function Proposals({ pool }: { readonly pool: Pool }): ReactElement | null {
  const { operator } = useSession();
  const { name, proposals = [] } = pool;
  if (proposals.length === 0) return null;
  return (
    <Alert title="Tuning proposed">
      {proposals.map((each) => (
        <Text key={each} size="sm">
          {each} It is a command because it takes minutes of processor time. It reports the gain, and changes
          nothing without <code>--apply</code>.
        </Text>
      ))}
      <Group gap="xs" mt="xs" align="flex-start">
        <Command>{`muster pools tune ${name}`}</Command>
        <Action
          call="rememberTuning"
          label="Mark as tuned"
          title={`Mark ${name} as tuned`}
          text="The proposal is hidden until the pool has twice as many rated matches. No rule and no rating changes."
          send={() => operator.rememberTuning(name)}
          done="The proposal is hidden."
        />
      </Group>
    </Alert>
  );
}
