import {
  Accordion,
  Checkbox,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import type { DocumentPath, QueueRules } from '@muster/contracts';
import { useState, type ReactElement, type ReactNode } from 'react';
import { CurveEditor } from './curve-editor.js';
import { flawAt, valueAt, type Draft } from './draft.js';
import { fieldSchema } from './rule-schema.js';
import { labelOf } from './rule-words.js';

interface FormProps {
  readonly draft: Draft;
  readonly inForce: QueueRules;
  readonly change: (path: DocumentPath, value: unknown) => void;
}

const curves = ['skillWindow', 'teamGap', 'latencyLimitMs'] as const;
const sizes = ['teams', 'teamSize', 'maxPartySize', 'calibrationMatches'] as const;
const waits = ['ticketTtlSeconds', 'placementTimeoutSeconds', 'pairPartiesSeconds'] as const;
const firstCheck = { seconds: 20, coolDownSeconds: [0, 60, 600], forgiveAfterSeconds: 86_400 };

/** The common fields of rules. Everything else is in the text. */
export function RulesForm(props: FormProps): ReactElement {
  const { draft, inForce, change } = props;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }}>
        {curves.map((field) => (
          <CurveEditor
            key={field}
            field={field}
            value={valueAt(draft.document, [field])}
            inForce={inForce[field]}
            flaw={flawAt(draft.flaws, [field])}
            change={(path, value) => change([field, ...path], value)}
          />
        ))}
      </SimpleGrid>
      <Accordion variant="contained" multiple>
        <Part id="waiting" title="Waiting">
          {waits.map((field) => (
            <NumberField key={field} {...props} path={[field]} suffix=" s" />
          ))}
        </Part>
        <Part id="teams" title="Teams and servers">
          {sizes.map((field) => (
            <NumberField key={field} {...props} path={[field]} />
          ))}
          <Placement {...props} />
        </Part>
        <Part id="ready" title="Ready check">
          <ReadyCheck {...props} />
        </Part>
      </Accordion>
      <Text size="xs" c="dimmed">
        These are the common rules. Everything else, such as roles, maps, bots and live balance, is in the
        text.
      </Text>
    </Stack>
  );
}

function Part({
  id,
  title,
  children,
}: {
  /** Of the part, in attributes: without spaces. */
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>{title}</Accordion.Control>
      <Accordion.Panel>
        <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }}>{children}</SimpleGrid>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function NumberField({
  draft,
  change,
  path,
  label = labelOf(String(path.at(-1))),
  suffix = '',
}: FormProps & {
  readonly path: DocumentPath;
  readonly label?: string;
  readonly suffix?: string;
}): ReactElement {
  const value = valueAt(draft.document, path);
  const { description, minimum, maximum } = fieldSchema(path);
  return (
    <NumberInput
      size="xs"
      label={label}
      description={description}
      min={minimum}
      max={maximum}
      clampBehavior="none"
      suffix={suffix}
      placeholder="left out"
      value={typeof value === 'number' ? value : ''}
      error={flawAt(draft.flaws, path)}
      onChange={(entered) =>
        (typeof entered === 'number' || entered === '') && change(path, entered === '' ? undefined : entered)
      }
    />
  );
}

function Placement({ draft, change }: FormProps): ReactElement {
  const { description, choices } = fieldSchema(['placement']);
  return (
    <NativeSelect
      size="xs"
      label={labelOf('placement')}
      description={description}
      data={[{ value: '', label: 'left out' }, ...choices]}
      value={String(valueAt(draft.document, ['placement']) ?? '')}
      error={flawAt(draft.flaws, ['placement'])}
      onChange={({ currentTarget: { value } }) => change(['placement'], value === '' ? undefined : value)}
    />
  );
}

function ReadyCheck(props: FormProps): ReactElement {
  const { draft, change } = props;
  const isAsked = valueAt(draft.document, ['readyCheck']) !== undefined;
  return (
    <>
      <Checkbox
        size="xs"
        label="Players are asked to accept a match"
        description={fieldSchema(['readyCheck']).description}
        checked={isAsked}
        onChange={({ currentTarget: { checked } }) =>
          change(['readyCheck'], checked ? firstCheck : undefined)
        }
      />
      {isAsked && (
        <>
          <NumberField {...props} path={['readyCheck', 'seconds']} label="Time to accept" suffix=" s" />
          <CoolDowns {...props} />
          <NumberField
            {...props}
            path={['readyCheck', 'forgiveAfterSeconds']}
            label="Offences are forgotten after"
            suffix=" s"
          />
        </>
      )}
    </>
  );
}

function CoolDowns({ draft, change }: FormProps): ReactElement {
  const path = ['readyCheck', 'coolDownSeconds'];
  const value = valueAt(draft.document, path);
  const written = Array.isArray(value) ? value.join(', ') : '';
  // What is being typed is no list yet: it is read when the input is left.
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      size="xs"
      label="Cool-downs, in seconds"
      description={fieldSchema(path).description}
      value={typed ?? written}
      error={flawAt(draft.flaws, path)}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => {
        if (typed !== null && typed !== written) change(path, numbersIn(typed));
        setTyped(null);
      }}
    />
  );
}

const numbersIn = (text: string): number[] =>
  text
    .split(/[\s,;]+/)
    .filter((each) => each !== '')
    .map(Number)
    .filter((each) => Number.isFinite(each));
