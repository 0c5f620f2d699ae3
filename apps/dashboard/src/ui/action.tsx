import {
  Alert,
  Button,
  Checkbox,
  Group,
  Modal,
  NativeSelect,
  NumberInput,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { EndpointName } from '@muster/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactElement, type ReactNode } from 'react';
import { useMay } from '../session/session.js';
import { wordsOfError } from './states.js';
import { useTell } from './tell.js';

/** What is asked before an action. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** A time is that of this machine, as `inputOfIso` writes it. */
  readonly kind: 'text' | 'long' | 'number' | 'choice' | 'yes' | 'time';
  readonly description?: string;
  readonly isOptional?: boolean;
  readonly initial?: string | number | boolean;
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly min?: number;
  readonly max?: number;
}

export type Values = Readonly<Record<string, string | number | boolean>>;

/** The reason that most changes have. */
export const reason = (description: string): Field => ({
  name: 'reason',
  label: 'Reason',
  kind: 'text',
  description,
});

/** A button for a change: it asks in a dialog and says what became of it. A role that may not make the call has no button. */
export function Action({
  call,
  label,
  title = label,
  text,
  fields = [],
  isGrave = false,
  isDisabled = false,
  send,
  done,
}: {
  readonly call: EndpointName;
  readonly label: string;
  /** Of the dialog. */
  readonly title?: string;
  /** What will happen. */
  readonly text: ReactNode;
  readonly fields?: readonly Field[];
  /** It cannot be undone, or hits many. */
  readonly isGrave?: boolean;
  readonly isDisabled?: boolean;
  readonly send: (values: Values) => Promise<unknown>;
  /** What is said when it is done; may use the answer. */
  readonly done: string | ((answer: unknown) => string);
}): ReactElement | null {
  const may = useMay();
  const tell = useTell();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [values, setValues] = useState<Values>({});
  const sending = useMutation({
    mutationFn: () => send({ ...initialOf(fields), ...values }),
    onSuccess: (answer) => {
      setOpen(false);
      tell(typeof done === 'string' ? done : done(answer));
      void client.invalidateQueries();
    },
  });
  if (!may(call)) return null;
  const open = (): void => {
    sending.reset();
    setValues({});
    setOpen(true);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    sending.mutate();
  };
  const color = isGrave ? 'red' : undefined;
  return (
    <>
      <Button size="xs" variant="default" c={color} disabled={isDisabled} onClick={open} data-call={call}>
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={title}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form onSubmit={submit}>
          <Stack gap="sm">
            <Text size="sm" component="div">
              {text}
            </Text>
            {fields.map((field) => (
              <Input
                key={field.name}
                field={field}
                value={values[field.name] ?? field.initial}
                change={(value) => setValues({ ...values, [field.name]: value })}
              />
            ))}
            {sending.error && (
              <Alert color="red" role="alert">
                {wordsOfError(sending.error)}
              </Alert>
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setOpen(false)}>
                Cancel
              </Button>
              <Button type="submit" color={color} loading={sending.isPending}>
                {label}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}

const initialOf = (fields: readonly Field[]): Values =>
  Object.fromEntries(fields.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial]])));

function Input({
  field,
  value,
  change,
}: {
  readonly field: Field;
  readonly value: string | number | boolean | undefined;
  readonly change: (value: string | number | boolean) => void;
}): ReactElement {
  const { label, description, kind, choices = [], min, max } = field;
  const shared = { label, description, required: !(field.isOptional ?? false) };
  const text = String(value ?? '');
  if (kind === 'yes')
    return (
      <Checkbox
        label={label}
        description={description}
        checked={value === true}
        onChange={(event) => change(event.currentTarget.checked)}
      />
    );
  if (kind === 'number')
    return (
      <NumberInput
        {...shared}
        min={min}
        max={max}
        value={typeof value === 'number' ? value : ''}
        onChange={change}
      />
    );
  if (kind === 'choice')
    return (
      <NativeSelect
        {...shared}
        data={[...choices]}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
      />
    );
  if (kind === 'long')
    return (
      <Textarea
        {...shared}
        autosize
        minRows={3}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...shared}
      type={kind === 'time' ? 'datetime-local' : 'text'}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
