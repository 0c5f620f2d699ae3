import { MusterProblem } from '@muster/sdk';
import { QueryClient } from '@tanstack/react-query';

/** A refusal stays one; what is out of reach is asked for again. */
const repeats = (failures: number, error: Error): boolean =>
  failures < 2 && !(error instanceof MusterProblem && error.status < 500);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: repeats, staleTime: 2_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});
