import { Skeleton } from '@mantine/core';
import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';
import { Panel } from '../ui/panel.js';
import { Figures } from './figures.js';
import { FlawList } from './flaws/flaw-list.js';
import { PastPanels } from './past-panels.js';
import { QueueTable } from './queue-table.js';
import { useOverview } from './use-overview.js';

/** What is wrong now, figures, the queues, and the past: it stays open on a wall. */
export function OverviewPage(): ReactElement {
  const { flaws, isKnown, isWholeFleet, lately, places, queues, oldest } = useOverview();
  return (
    <Page title="Overview">
      {isKnown ? (
        <FlawList flaws={flaws} isWholeFleet={isWholeFleet} />
      ) : (
        <Skeleton height={92} aria-label="Checking for problems" />
      )}
      <Figures queues={lately} places={places} />
      <Panel title="Queues">
        {lately || queues ? (
          <QueueTable queues={queues?.queues} lately={lately} oldest={oldest} />
        ) : (
          <Skeleton height={120} aria-label="Reading" />
        )}
      </Panel>
      <PastPanels />
    </Page>
  );
}
