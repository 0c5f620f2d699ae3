import { Alert, Button, Group, Modal, Progress as Bar, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactElement, type ReactNode } from 'react';
import { wordsOfError } from '../ui/states.js';
import { numberWords } from '../ui/values/words.js';
import type { Progress } from './one-by-one.js';

type State =
  | { readonly is: 'asking' }
  | { readonly is: 'running' | 'stopped' | 'over'; readonly progress: Progress }
  | { readonly is: 'failed'; readonly progress: Progress; readonly error: unknown };

const none: Progress = { done: 0, gone: 0 };

/** A button that acts on many things one after the other, after a question; it shows how far it is, and can be stopped. */
export function ActOnAll({
  label,
  title,
  text,
  total,
  acted,
  isGrave = false,
  run,
}: {
  readonly label: string;
  readonly title: string;
  /** What will happen. */
  readonly text: ReactNode;
  readonly total: number;
  /** What became of each, such as `retried`. */
  readonly acted: string;
  readonly isGrave?: boolean;
  readonly run: () => AsyncIterable<Progress>;
}): ReactElement {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [state, setState] = useState<State>({ is: 'asking' });
  // The number at the start: fewer are left while it runs.
  const [all, setAll] = useState(total);
  const isStopped = useRef(false);

  const open = (): void => {
    setState({ is: 'asking' });
    setAll(total);
    setOpen(true);
  };
  const start = async (): Promise<void> => {
    isStopped.current = false;
    let progress = none;
    setState({ is: 'running', progress });
    try {
      for await (const now of run()) {
        progress = now;
        setState({ is: 'running', progress });
        if (isStopped.current) break;
      }
      setState({ is: isStopped.current ? 'stopped' : 'over', progress });
    } catch (error) {
      setState({ is: 'failed', progress, error });
    }
    void client.invalidateQueries();
  };
  const close = (): void => {
    isStopped.current = true;
    setOpen(false);
  };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        c={isGrave ? 'red' : undefined}
        disabled={total === 0}
        onClick={open}
      >
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={title}
        closeOnClickOutside={state.is !== 'running'}
        closeButtonProps={{ 'aria-label': state.is === 'running' ? 'Stop and close' : 'Close' }}
      >
        <Stack gap="sm">
          {state.is === 'asking' ? (
            <Text size="sm" component="div">
              {text}
            </Text>
          ) : (
            <Said state={state} acted={acted} total={all} />
          )}
          <Group justify="flex-end">
            {state.is === 'asking' && (
              <>
                <Button variant="default" onClick={close}>
                  Cancel
                </Button>
                <Button color={isGrave ? 'red' : undefined} onClick={() => void start()}>
                  {label}
                </Button>
              </>
            )}
            {state.is === 'running' && (
              <Button variant="default" onClick={() => void (isStopped.current = true)}>
                Stop
              </Button>
            )}
            {state.is !== 'asking' && state.is !== 'running' && <Button onClick={close}>Close</Button>}
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function Said({
  state,
  acted,
  total,
}: {
  readonly state: Exclude<State, { is: 'asking' }>;
  readonly acted: string;
  readonly total: number;
}): ReactElement {
  const { done, gone } = state.progress;
  const past = done + gone;
  const share = total === 0 ? 100 : Math.min(100, (100 * past) / total);
  return (
    <>
      <Bar value={state.is === 'over' ? 100 : share} aria-label="Progress" />
      <Text size="sm" role="status">
        {numberWords(done)} of {numberWords(Math.max(total, past))} {acted}
        {gone > 0 && `, ${numberWords(gone)} already gone`}
        {state.is === 'stopped' && '. Stopped; the rest is unchanged'}.
      </Text>
      {state.is === 'failed' && (
        <Alert color="red" role="alert" title="Stopped by an error">
          {wordsOfError(state.error)} The rest is unchanged.
        </Alert>
      )}
    </>
  );
}
