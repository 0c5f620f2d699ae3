import { Code, Stack, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { Panel } from '../../ui/panel.js';
import { Ago } from '../../ui/values/time.js';
import { byMatch, decisionWords } from '../../conflicts/conflict.js';
import { Decide } from '../../conflicts/decide.js';
import type { Conflict } from '../match.js';

/** Reports that contradict the result, and the decision about them; nothing where there are none. */
export function ConflictsPanel({
  conflicts,
}: {
  readonly conflicts: readonly Conflict[];
}): ReactElement | null {
  const [contested] = byMatch(conflicts);
  if (!contested) return null;
  const { reports, decision } = contested;
  return (
    <Panel title="Reports that contradict the result" actions={<Decide contested={contested} />}>
      <Stack gap="sm">
        <Text size="sm">
          {decision ? (
            <>
              {decisionWords[decision.as]}: decided by {decision.by} <Ago at={decision.at} />,{' '}
              {decision.reason}
            </>
          ) : (
            'Nobody has decided about it. The first result counts until then.'
          )}
        </Text>
        {reports.map(({ conflictId, reportedBy, reason, receivedAt, body }) => (
          <div key={conflictId}>
            <Text size="sm">
              Report {conflictId} of {reportedBy} came <Ago at={receivedAt} />, and does not count: {reason}
            </Text>
            <Code block tabIndex={0}>
              {JSON.stringify(body, null, 2)}
            </Code>
          </div>
        ))}
      </Stack>
    </Panel>
  );
}
