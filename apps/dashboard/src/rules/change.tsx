import { Alert, Button, Grid, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { differencesBetween } from '@muster/contracts';
import { MusterProblem } from '@muster/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, type ReactElement } from 'react';
import { useMay, useSession } from '../session/session.js';
import { Action, reason } from '../ui/action.js';
import { Panel } from '../ui/panel.js';
import { Ago } from '../ui/values/time.js';
import { Differences } from './differences.js';
import { readDraft, withValue, type Draft } from './draft.js';
import { RulesForm } from './form.js';
import { TextEditor } from './text-editor.js';
import { Trial } from './trial.js';
import type { DraftState, RulesVersion } from './use-draft.js';

/** Changes the rules of a queue: a form beside the text, what differs, a trial, and the change itself. */
export function ChangeRules({
  queue,
  newest,
  state,
}: {
  readonly queue: string;
  readonly newest: RulesVersion;
  readonly state: DraftState;
}): ReactElement {
  const { text, write } = state;
  const draft = useMemo(() => readDraft(text, queue), [text, queue]);
  return (
    <>
      {state.base !== newest.version && <Meanwhile newest={newest} state={state} />}
      <Panel
        title="Draft"
        actions={<DraftActions queue={queue} newest={newest} state={state} draft={draft} />}
      >
        <Editors draft={draft} text={text} newest={newest} write={write} />
      </Panel>
      <Panel title={`Differences to version ${newest.version}, which is in force`}>
        {draft.rules ? (
          <Differences
            before={newest.rules}
            after={draft.rules}
            names={[`In force (version ${newest.version})`, 'Draft']}
            none="The draft is as in force. Change a field, and the difference is shown here."
          />
        ) : (
          <Text size="sm">The draft is invalid. Once it is valid, what differs is shown here.</Text>
        )}
      </Panel>
      <Trial queue={queue} rules={draft.rules} />
    </>
  );
}

type View = 'both' | 'form' | 'text';

function Editors({
  draft,
  text,
  newest,
  write,
}: {
  readonly draft: Draft;
  readonly text: string;
  readonly newest: RulesVersion;
  readonly write: (text: string) => void;
}): ReactElement {
  const [view, setView] = useState<View>('both');
  const hasForm = view !== 'text';
  const hasText = view !== 'form';
  return (
    <Stack>
      <Group>
        <SegmentedControl
          size="xs"
          aria-label="How the draft is edited"
          value={view}
          onChange={(value) => setView(value === 'form' || value === 'text' ? value : 'both')}
          data={[
            { value: 'both', label: 'Form and text' },
            { value: 'form', label: 'Form' },
            { value: 'text', label: 'Text' },
          ]}
        />
      </Group>
      <Grid>
        {hasForm && (
          <Grid.Col span={{ base: 12, lg: hasText ? 8 : 12 }}>
            {draft.document ? (
              <RulesForm
                draft={draft}
                inForce={newest.rules}
                change={(path, value) => write(withValue(text, path, value))}
              />
            ) : (
              <Alert color="yellow">
                The form shows the rules of one queue. The text cannot be read as such: mend it, or discard
                the draft.
              </Alert>
            )}
          </Grid.Col>
        )}
        {hasText && (
          <Grid.Col span={{ base: 12, lg: hasForm ? 4 : 12 }}>
            <TextEditor text={text} flaws={draft.flaws} write={write} />
          </Grid.Col>
        )}
        {!hasText && draft.flaws.length > 0 && (
          <Grid.Col span={12}>
            <Alert color="red" role="alert">
              These rules are invalid in{' '}
              {draft.flaws.length === 1 ? 'one place' : `${draft.flaws.length} places`}. The text says where.
            </Alert>
          </Grid.Col>
        )}
      </Grid>
    </Stack>
  );
}

function DraftActions({
  queue,
  newest,
  state,
  draft: { rules },
}: {
  readonly queue: string;
  readonly newest: RulesVersion;
  readonly state: DraftState;
  readonly draft: Draft;
}): ReactElement {
  const { operator } = useSession();
  const may = useMay();
  const client = useQueryClient();
  const count = rules ? differencesBetween(newest.rules, rules).length : 0;
  return (
    <>
      {state.isBegun && (
        <Button size="xs" variant="default" onClick={state.discard}>
          Discard the draft
        </Button>
      )}
      {!may('applyRules') && (
        <Text size="xs" c="dimmed">
          Your role may try rules, not apply them.
        </Text>
      )}
      <Action
        call="applyRules"
        label="Apply"
        title={`Apply rules to ${queue}`}
        text={`${count === 1 ? 'One value changes' : `${count} values change`}. The draft becomes version ${state.base + 1} of ${queue}, in force at once. If somebody else changed the rules meanwhile, nothing is applied.`}
        fields={[
          reason('It is kept with the version.'),
          {
            name: 'appliesTo',
            label: 'Tickets that wait',
            kind: 'choice',
            initial: 'new',
            choices: [
              { value: 'new', label: 'keep the rules they were told' },
              { value: 'all', label: 'follow these rules, too' },
            ],
          },
        ]}
        isDisabled={rules === null || count === 0 || state.base !== newest.version}
        send={async ({ reason: why, appliesTo }) => {
          if (!rules) return;
          try {
            await operator.applyRules(queue, {
              rules,
              why: String(why),
              appliesTo: appliesTo === 'all' ? 'all' : 'new',
              expectedVersion: state.base,
            });
          } catch (error) {
            // The page then shows what changed.
            if (error instanceof MusterProblem && error.code === 'rules-changed')
              void client.invalidateQueries({ queryKey: ['listRules'] });
            throw error;
          }
          state.discard();
        }}
        done={`The rules of ${queue} are in force.`}
      />
    </>
  );
}

/** Somebody changed the rules while this draft was written. */
function Meanwhile({
  newest,
  state,
}: {
  readonly newest: RulesVersion;
  readonly state: DraftState;
}): ReactElement {
  return (
    <Alert
      color="yellow"
      role="alert"
      title={`The rules changed meanwhile: version ${newest.version} is in force`}
    >
      <Stack gap="xs">
        <Text size="sm" component="div">
          Your draft began with version {state.base}. Version {newest.version} came{' '}
          <Ago at={newest.createdAt} />
          {newest.why === '' ? '' : `: “${newest.why}”`}. It changed:
        </Text>
        <Differences
          before={state.baseRules}
          after={newest.rules}
          names={[`Version ${state.base}`, `Version ${newest.version}`]}
          none="Nothing that differs from what you began with."
        />
        <Text size="sm">A field that your draft changes as well stays as it is in the draft.</Text>
        <Group>
          <Button size="xs" variant="default" onClick={state.rebase}>
            Keep my draft, with these changes
          </Button>
          <Button size="xs" variant="default" onClick={state.discard}>
            Discard my draft
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
