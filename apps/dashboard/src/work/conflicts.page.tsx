import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function ConflictsPage(): ReactElement {
  return <Page title="Conflicts">…</Page>;
}
