import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function JobsPage(): ReactElement {
  return <Page title="Jobs">…</Page>;
}
