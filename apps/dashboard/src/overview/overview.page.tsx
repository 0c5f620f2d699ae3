import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function OverviewPage(): ReactElement {
  return <Page title="Overview">…</Page>;
}
