import * as parties from '../http/queue/parties.js';
import type { Call } from './endpoint.js';

/** Parties by membership. */
export const partyCalls = {
  createParty: {
    call: 'POST /v1/parties',
    summary: 'Create a party that you lead. A player is in at most one party.',
    callers: ['player'],
    status: 201,
    answer: parties.PartyView,
    problems: ['already-in-party'],
  },
  myParty: {
    call: 'GET /v1/me/party',
    summary: 'Read your party, and your open invitations.',
    callers: ['player'],
    answer: parties.MyPartyView,
  },
  inviteToParty: {
    call: 'POST /v1/parties/:partyId/invitations',
    summary: 'Invite a player to the party that you lead, for ten minutes. A repeat extends it.',
    callers: ['player'],
    params: parties.PartyParams,
    body: parties.InviteToParty,
    answer: parties.PartyView,
    problems: ['party-not-found', 'not-allowed', 'party-too-large'],
  },
  joinParty: {
    call: 'POST /v1/parties/:partyId/members',
    summary: 'Accept an invitation: from now on the leader may queue you. A repeat updates your properties.',
    callers: ['player'],
    params: parties.PartyParams,
    body: parties.JoinParty,
    answer: parties.PartyView,
    problems: ['party-not-found', 'not-invited', 'already-in-party'],
  },
  passParty: {
    call: 'PUT /v1/parties/:partyId/leader',
    summary: 'Pass the party that you lead to another member. Its ticket stays. Idempotent.',
    callers: ['player'],
    params: parties.PartyParams,
    body: parties.PassParty,
    answer: parties.PartyView,
    problems: ['party-not-found', 'not-allowed'],
  },
  declineInvitation: {
    call: 'DELETE /v1/parties/:partyId/invitations/:playerId',
    summary: 'Decline your invitation to a party, or withdraw one to the party that you lead. Idempotent.',
    callers: ['player'],
    params: parties.PartyMemberParams,
    answer: parties.InvitationGone,
    problems: ['party-not-found', 'not-allowed'],
  },
  leaveParty: {
    call: 'DELETE /v1/parties/:partyId/members/:playerId',
    summary: 'Leave a party, or remove a member from yours. Its waiting ticket is cancelled.',
    callers: ['player'],
    params: parties.PartyMemberParams,
    answer: parties.PartyLeft,
    problems: ['party-not-found', 'not-allowed', 'ticket-already-matched'],
  },
  endParty: {
    call: 'DELETE /v1/parties/:partyId',
    summary: 'End the party that you lead. Its waiting ticket is cancelled.',
    callers: ['player'],
    params: parties.PartyParams,
    answer: parties.PartyLeft,
    problems: ['party-not-found', 'not-allowed', 'ticket-already-matched'],
  },
} as const satisfies Record<string, Call>;
