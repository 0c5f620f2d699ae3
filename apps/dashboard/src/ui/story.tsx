import { Badge, Text, Timeline } from '@mantine/core';
import type { ReactElement } from 'react';
import { MatchLink, PlayerLinks } from './links/links.js';
import { At } from './values/time.js';
import { durationWords } from './values/words.js';

/** How something went: as it should, as it may, or not as it should. */
export type Tone = 'good' | 'note' | 'bad';
export const toneColour: Readonly<Record<Tone, string>> = { good: 'green', note: 'gray', bad: 'red' };

/** What happened at a time. */
export interface Step {
  readonly at: number;
  readonly title: string;
  /** Why. */
  readonly text?: string | null | undefined;
  readonly tone?: Tone;
  /** Whom it is about. */
  readonly players?: readonly string[];
  readonly matchId?: string | undefined;
}

/** Steps from the first to the last, each with its time and how long it came after the one before. */
export function Story({ steps }: { readonly steps: readonly Step[] }): ReactElement {
  return (
    <Timeline
      component="ol"
      bulletSize={14}
      lineWidth={2}
      active={steps.length}
      m={0}
      style={{ listStyle: 'none' }}
    >
      {steps.map(({ at, title, text, tone = 'note', players = [], matchId }, i) => {
        const after = at - (steps[i - 1]?.at ?? at);
        return (
          <Timeline.Item
            key={`${at} ${title} ${i}`}
            component="li"
            color={tone === 'note' ? 'gray.5' : toneColour[tone]}
            title={title}
          >
            <Text size="xs" c="dimmed" component="div">
              <At at={at} />
              {after > 0 && ` · ${durationWords(after)} later`}
              {tone === 'bad' && (
                <Badge ml="xs" size="xs" color="red" variant="light">
                  problem
                </Badge>
              )}
            </Text>
            {text !== undefined && text !== null && text !== '' && (
              <Text size="sm" className="wraps">
                {text}
              </Text>
            )}
            {players.length > 0 && (
              <Text size="sm">
                <PlayerLinks ids={players} />
              </Text>
            )}
            {matchId !== undefined && (
              <Text size="sm">
                Match <MatchLink id={matchId} />
              </Text>
            )}
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}
