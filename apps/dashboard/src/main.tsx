import '@mantine/core/styles.css';
import './ui/ui.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './live/query-client.js';
import { SignedIn } from './session/signed-in.js';
import { router } from './shell/routes.js';
import { theme } from './ui/theme.js';

// Styles that components make at run time carry the page's nonce: its policy allows no others.
const nonce = document.querySelector<HTMLElement>('link[nonce], script[nonce]')?.nonce ?? '';
if (nonce !== '') setNonce(nonce);

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root.');
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queryClient}>
        <SignedIn>
          <RouterProvider router={router} />
        </SignedIn>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
