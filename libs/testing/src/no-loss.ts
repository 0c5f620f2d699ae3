import { TicketNotFound, type MusterError } from '@muster/domain';

/** Says of absent tickets what a store says that lost none. */
export const noLoss = {
  why: async (ticketId: string): Promise<MusterError> =>
    new TicketNotFound(`There is no ticket ${ticketId} of yours.`, { ticketId }),
  checkWhole: async (): Promise<void> => undefined,
};
