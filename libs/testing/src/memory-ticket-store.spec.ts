import { MemoryTicketStore } from './memory-ticket-store.js';
import { describeTicketRaces } from './ticket-race.js';
import { describeTicketStore } from './ticket-store-conformance.js';

const create = async () => ({ store: new MemoryTicketStore() });

describeTicketStore('MemoryTicketStore', create);
describeTicketRaces('MemoryTicketStore', create, { runs: 300 });
