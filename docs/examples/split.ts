import { split } from '@muster/solver';

split(
  {
    players: [
      { id: 'ann', weight: 31.5, party: 'red' },
      { id: 'ben', weight: 12.1, party: 'red' },
      { id: 'cat', weight: 27.4 },
      { id: 'dan', weight: 18.8 },
      { id: 'eve', weight: 24.9 },
      { id: 'fay', weight: 22.6 },
      { id: 'gil', weight: 20.2 },
      { id: 'hal', weight: 9.7 },
    ],
    teamSizes: [4, 4],
    avoid: [['cat', 'eve']],
  },
  { best: 2 },
);
