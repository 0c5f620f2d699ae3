import { Badge, Flex, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Panel } from '../../ui/panel.js';
import { numberWords } from '../../ui/values/words.js';
import type { Flaw, Grade } from './flaw.js';

const grades: Readonly<Record<Grade, readonly [colour: string, meaning: string]>> = {
  critical: ['red', 'Needs action now.'],
  warning: ['yellow', 'Needs action, but is not urgent.'],
  notice: ['blue', 'Set by an operator.'],
};

/** What is wrong now, or that all is well. */
export function FlawList({
  flaws,
  isWholeFleet,
}: {
  readonly flaws: readonly Flaw[];
  /** Whether all servers were looked at. */
  readonly isWholeFleet: boolean;
}): ReactElement {
  const wrong = flaws.filter(({ grade }) => grade !== 'notice').length;
  return (
    <Panel title={wrong === 0 ? 'No problems' : `Problems: ${numberWords(wrong)}`}>
      {wrong === 0 && (
        <Group gap="xs" wrap="nowrap" mb={flaws.length > 0 ? 'sm' : 0}>
          <ThemeIcon color="green" radius="xl" size="sm" aria-hidden>
            ✓
          </ThemeIcon>
          <Text size="sm">
            Services answer, queues match as their rules promise, slots are free, and no job failed for good.
            {isWholeFleet ? '' : ' Of the servers, the first thousand were checked.'}
          </Text>
        </Group>
      )}
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {flaws.map((flaw) => (
          <OneFlaw key={flaw.key} flaw={flaw} />
        ))}
      </Stack>
    </Panel>
  );
}

function OneFlaw({
  flaw: { grade, what, players, mend, place, placeName },
}: {
  readonly flaw: Flaw;
}): ReactElement {
  const [color, meaning] = grades[grade];
  return (
    <Flex component="li" gap={{ base: 4, xs: 'sm' }} direction={{ base: 'column', xs: 'row' }}>
      <Badge color={color} variant="dot" title={meaning} miw={92} mt={2} style={{ flexShrink: 0 }}>
        {grade}
      </Badge>
      <div className="wraps">
        <Text size="sm" fw={600} component="span">
          {what}
        </Text>{' '}
        <Text size="sm" component="span">
          <Link {...place}>{placeName}</Link>
        </Text>
        <Text size="sm" c="dimmed">
          {players} {mend}
        </Text>
      </div>
    </Flex>
  );
}
