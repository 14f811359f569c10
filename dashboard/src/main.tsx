import './theme.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './router.tsx';
import { Gate } from './shell/gate.tsx';
import { applyTheme, readTheme } from './shell/theme.ts';

applyTheme(readTheme());

const client = new QueryClient({ defaultOptions: { queries: { retry: 1, staleTime: 1000 } } });

const root = document.getElementById('app');
if (root === null) throw new Error('the page has no place for the dashboard');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Gate>
        <RouterProvider router={router} />
      </Gate>
    </QueryClientProvider>
  </StrictMode>,
);
