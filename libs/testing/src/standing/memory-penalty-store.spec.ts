import { MemoryPenaltyStore } from './memory-penalty-store.js';
import { describePenaltyRaces } from './penalty-races.js';

describePenaltyRaces('MemoryPenaltyStore', async () => new MemoryPenaltyStore());
