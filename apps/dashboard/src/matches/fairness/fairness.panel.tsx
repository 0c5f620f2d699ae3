import { Alert, List, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Panel } from '../../ui/panel.js';
import { toneColour, type Tone } from '../../ui/story.js';
import { fairnessOf } from './fairness.js';
import type { Match, Penalty } from '../match.js';
import type { RulesOfMatch } from './use-around.js';

/** Told in words too: colours alone say nothing. */
const marks: Readonly<Record<Tone, string>> = { good: 'Fair', note: 'Note', bad: 'Unfair' };

/** Whether a match was fair, by the rules of its queue, and why not. */
export function FairnessPanel({
  match,
  rules,
  penalties,
}: {
  readonly match: Match;
  readonly rules: UseQueryResult<RulesOfMatch | null>;
  readonly penalties: readonly Penalty[];
}): ReactElement {
  const { tone, headline, cause, findings } = fairnessOf(match, {
    rules: rules.data?.rules ?? null,
    penalties,
  });
  return (
    <Panel title="Was this match fair?">
      <Alert color={toneColour[tone]} title={headline} mb="sm">
        {cause}
      </Alert>
      <List spacing={6} size="sm" listStyleType="none">
        {findings.map((finding) => (
          <List.Item key={finding.text}>
            <Text span size="sm" fw={700} c={finding.tone === 'note' ? 'dimmed' : toneColour[finding.tone]}>
              {marks[finding.tone]}:
            </Text>{' '}
            {finding.text}
          </List.Item>
        ))}
      </List>
      {!rules.data && match.origin === 'queue' && (
        <Text size="xs" c="dimmed" mt="sm">
          {rules.isLoading
            ? 'The rules of that time are being read …'
            : 'The rules of that time are not known, so nothing is compared with them.'}
        </Text>
      )}
    </Panel>
  );
}
