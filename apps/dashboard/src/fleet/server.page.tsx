import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function ServerPage(): ReactElement {
  return <Page title="Server">…</Page>;
}
