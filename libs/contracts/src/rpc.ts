/** The gRPC services in TypeScript, as `proto/*.proto` define them. */
export const rpc = {
  rating: { package: 'muster.rating.v1', service: 'RatingService', proto: 'rating.proto' },
  allocator: { package: 'muster.allocator.v1', service: 'AllocatorService', proto: 'allocator.proto' },
  assignment: { package: 'muster.assignment.v1', service: 'AssignmentService', proto: 'assignment.proto' },
} as const;

/** Several questions of one kind in one call. */
export interface ManyRequest<Question> {
  questions: Question[];
}
export interface ManyReply<Reply> {
  /** In the order of the questions. */
  answers: ManyAnswer<Reply>[];
}
export interface ManyAnswer<Reply> {
  /** The gRPC status code of this question; 0 when it was answered. */
  code: number;
  message: string;
  /** Null or absent when the question failed. */
  reply?: Reply | null;
}

export interface GetRatingsRequest {
  pool: string;
  playerIds: string[];
  /** Absent from the previous release: no worth is asked for. */
  aspects?: MatchAspectsMessage | null;
}
export interface MatchAspectsMessage {
  teamSize: number;
  /** Empty: unknown. */
  map: string;
  sides: string[];
  roles: string[];
}
export interface AspectWorthMessage {
  map: number;
  sides: number[];
  roles: number[];
}
export interface GetRatingsReply {
  ratings: {
    playerId: string;
    mu: number;
    sigma: number;
    matches: number;
    /** Null or absent unless aspects were asked for, and the pool rates some. */
    worth?: AspectWorthMessage | null;
  }[];
  startMu: number;
  startSigma: number;
}
export interface PredictRequest {
  pool: string;
  teams: { playerIds: string[]; parties: number[]; roles?: string[] }[];
  /** Absent from the previous release, or empty: unknown. */
  map?: string;
  sides?: string[];
}
export interface PredictReply {
  chances: number[];
  draw: number;
  /** Absent from the previous release. */
  shortHanded?: boolean;
}
export interface SeedRatingRequest {
  pool: string;
  playerId: string;
  mu: number;
  sigma: number;
  eventId: string;
  reason: string;
  /** Absent from the previous release. */
  messages?: string;
}
export interface SeedRatingReply {
  counted: boolean;
}
export interface FindBoosterRequest {
  pool: string;
  playerId: string;
}
export interface FindBoosterReply {
  /** Why there is none to use; empty: there is one. */
  refusal: string;
  boosterId: string;
  division: string;
  higher: boolean;
  level: number;
}
export interface PlayerNameMessage {
  playerId: string;
  name: string;
}
export interface GetNamesRequest {
  playerIds: string[];
}
export interface GetNamesReply {
  names: PlayerNameMessage[];
}
export interface NoteNamesRequest {
  names: PlayerNameMessage[];
}
export interface NoteNamesReply {
  noted: number;
}
export interface GetChangesRequest {
  matchIds: string[];
}
export interface RatingChangeMessage {
  matchId: string;
  playerId: string;
  muBefore: number;
  sigmaBefore: number;
  muAfter: number;
  sigmaAfter: number;
}
export interface GetChangesReply {
  changes: RatingChangeMessage[];
}
export interface LeaveMatchRequest {
  matchId: string;
  ticketId: string;
}
export interface LeaveMatchReply {
  outcome: string;
  waitMs: number;
  ticketIds: string[];
  reason: string;
  /** Absent from the previous release. */
  messages?: string;
}
export interface ListBuildsRequest {
  limit: number;
}
export interface ListBuildsReply {
  builds: string[];
  /** Absent from the previous release. */
  startsNone?: boolean;
}
export interface SettleProposalRequest {
  matchId: string;
}
export interface SettleProposalReply {
  verdict: string;
  reason: string;
  /** Absent from the previous release. */
  messages?: string;
  failedTicketIds: string[];
}
export interface GetRosterRequest {
  matchId: string;
}
export interface GetRosterReply {
  found: boolean;
  state: string;
  placed: boolean;
  players: { playerId: string; team: number; ticketId: string }[];
}
export interface ListLiveTicketsRequest {
  afterMatchId: string;
  limit: number;
  /** Milliseconds since the epoch; 0 for all matches. */
  formedSince: number;
}
export interface ListLiveTicketsReply {
  tickets: LiveTicketMessage[];
  /** Empty when no more follow. */
  lastMatchId: string;
}
export interface LiveTicketMessage {
  ticketId: string;
  matchId: string;
  queue: string;
  build: string;
  enqueuedAt: number;
  players: { playerId: string; mu: number; sigma: number; isHeld: boolean }[];
  /** Null or absent while the match has no server. */
  place?: {
    sessionId: string;
    serverId: string;
    region: string;
    host: string;
    port: number;
    team: number;
  } | null;
  /** JSON; empty, also from a replica of the previous release: none. */
  attributes: string;
}
export interface JudgeTicketsRequest {
  tickets: { ticketId: string; playerId: string; enqueuedAt: number }[];
}
export interface JudgeTicketsReply {
  tickets: { ticketId: string; matchId: string; state: string; closedAt: number }[];
}
