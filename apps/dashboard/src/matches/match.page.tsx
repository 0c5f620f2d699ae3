import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function MatchPage(): ReactElement {
  return <Page title="Match">…</Page>;
}
