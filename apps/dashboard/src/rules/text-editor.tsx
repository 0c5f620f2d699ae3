import { Anchor, Alert, List, Stack, Textarea } from '@mantine/core';
import { pathText, type TextFlaw } from '@muster/contracts';
import { useRef, type ReactElement } from 'react';

/** The whole document as text, and what is wrong with it. */
export function TextEditor({
  text,
  flaws,
  write,
}: {
  readonly text: string;
  readonly flaws: readonly TextFlaw[];
  readonly write: (text: string) => void;
}): ReactElement {
  const area = useRef<HTMLTextAreaElement>(null);
  const select = (line: number): void => {
    const [from, to] = lineAt(text, line);
    area.current?.focus();
    area.current?.setSelectionRange(from, to);
  };
  return (
    <Stack gap="xs">
      <Textarea
        ref={area}
        label="The whole document"
        description="YAML or JSON, as muster rules show prints it. Comments stay in this draft; the coordinator keeps the rules alone."
        autosize
        minRows={20}
        maxRows={44}
        spellCheck={false}
        styles={{
          input: {
            fontFamily: 'var(--mantine-font-family-monospace)',
            fontSize: 13,
            whiteSpace: 'pre',
            overflowX: 'auto',
          },
        }}
        value={text}
        onChange={(event) => write(event.currentTarget.value)}
      />
      {flaws.length > 0 && (
        <Alert color="red" role="alert" title="These rules are invalid">
          <List size="sm" spacing={4} className="wraps">
            {flaws.map((flaw, i) => (
              <List.Item key={i}>
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  c="inherit"
                  underline="always"
                  onClick={() => select(flaw.place.line)}
                >
                  Line {flaw.place.line}
                </Anchor>{' '}
                {flaw.path.length > 0 && <code>{pathText(flaw.path)}</code>} {flaw.message}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Stack>
  );
}

/** Where a line of a text begins and ends. @param line from 1 */
function lineAt(text: string, line: number): [from: number, to: number] {
  const lines = text.split('\n');
  const from = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  return [from, from + (lines[line - 1]?.length ?? 0)];
}
