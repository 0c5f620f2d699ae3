import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function MatchesPage(): ReactElement {
  return <Page title="Matches">…</Page>;
}
