import { endpointOf, type EndpointName, type endpoints } from './endpoints.js';

/**
 * Whether a call may be repeated when its answer was lost: `safe` always, `with-key` when it carries an Idempotency-Key,
 * `with-event-id` when its body has an `eventId`, `unsafe` never.
 */
export type Repeats = 'safe' | 'with-key' | 'with-event-id' | 'unsafe';

/** Codes of network errors before anything was sent: every call may be repeated after them. */
export const notSentCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

type NameOfPost = {
  [Name in EndpointName]: (typeof endpoints)[Name]['method'] extends 'POST' ? Name : never;
}[EndpointName];

/** A new POST does not compile until this table says whether it may be repeated. */
const posts: Readonly<Record<NameOfPost, Repeats>> = {
  createTicket: 'with-key',
  retryDeadJob: 'safe',
  cancelTicketAs: 'safe',
  acceptMatch: 'safe',
  declineMatch: 'safe',
  createPartyPass: 'safe',
  // A second one is refused as `already-in-party`.
  requestMyData: 'safe',
  createParty: 'unsafe',
  inviteToParty: 'safe',
  joinParty: 'safe',
  reportBehaviour: 'safe',
  // Each one is a new incarnation, and the latest answer names the one in force.
  registerServer: 'safe',
  heartbeat: 'safe',
  drainServer: 'safe',
  undrainServer: 'safe',
  drainServers: 'safe',
  undrainServers: 'safe',
  answerCommand: 'safe',
  reportResult: 'safe',
  abandonSession: 'safe',
  finishPlayers: 'safe',
  requestBackfill: 'with-key',
  splitTeams: 'safe',
  splitPool: 'safe',
  rebalanceTeams: 'safe',
  // Events are numbered; applied ones are skipped.
  tellRoster: 'safe',
  checkBalance: 'safe',
  placePlayer: 'safe',
  planBots: 'safe',
  askHandicap: 'safe',
  askScramble: 'safe',
  askSides: 'safe',
  scrambleRound: 'safe',
  setRating: 'with-event-id',
  createPool: 'safe',
  // Each one is a new version.
  changePool: 'unsafe',
  // A second one is refused as `rebuild-running`.
  rebuildPool: 'unsafe',
  previewSeason: 'safe',
  // Its number says which one, so a second call changes nothing.
  beginSeason: 'safe',
  grantBooster: 'with-event-id',
  // A second one with the same verdict changes nothing.
  closeCase: 'safe',
  predictMatch: 'safe',
  voidMatch: 'safe',
  decideConflict: 'safe',
  // A second one ends nothing.
  endMatch: 'safe',
  imposePenalty: 'safe',
  forgivePenalties: 'safe',
  reportMatch: 'safe',
  updateRound: 'safe',
  administerRounds: 'unsafe',
  // A lost answer leaves a key that nobody has.
  createKey: 'unsafe',
  createFleetKey: 'unsafe',
  createSignInCode: 'safe',
  // The code is gone with the first one.
  signIn: 'unsafe',
  // Each one has a secret of its own.
  createWebhook: 'unsafe',
  rotateWebhookSecret: 'unsafe',
  pauseWebhook: 'safe',
  resumeWebhook: 'safe',
  testWebhook: 'safe',
  retryDeliveries: 'safe',
  guestLogin: 'safe',
  checkToken: 'safe',
};

const isPost = (name: EndpointName): name is NameOfPost => Object.hasOwn(posts, name);

/** Whether a call may be repeated. GET, PUT and DELETE always may. */
export function repeatsOf(name: EndpointName): Repeats {
  return isPost(name) ? posts[name] : 'safe';
}

/**
 * The duration of a call: `short` answers at once; `long` works for seconds or writes an answer without a known end;
 * `poll` waits for an event, `stream` sends events as they happen.
 */
export type Pace = 'short' | 'long' | 'poll' | 'stream';

const paces: Readonly<Partial<Record<EndpointName, Pace>>> = {
  readTicket: 'poll',
  takeCommands: 'poll',
  streamTicket: 'stream',
  streamEvents: 'stream',
  // It waits for the receiver.
  testWebhook: 'long',
  splitTeams: 'long',
  splitPool: 'long',
  rebalanceTeams: 'long',
  scrambleRound: 'long',
  checkBalance: 'long',
  placePlayer: 'long',
  askScramble: 'long',
  askSides: 'long',
  exportMatches: 'long',
  exportAudit: 'long',
  readRecord: 'long',
  readPoolHealth: 'long',
  drawPoolHealth: 'long',
  // It reads all ratings of the pool.
  previewSeason: 'long',
};

/** The duration of a call. A poll without a wait is short. */
export function paceOf(name: EndpointName, query: Readonly<Record<string, unknown>> = {}): Pace {
  const pace = paces[name] ?? 'short';
  if (pace !== 'poll') return pace;
  const { waitSeconds } = query;
  const waits = waitSeconds === undefined ? name === 'takeCommands' : Number(waitSeconds) > 0;
  return waits ? 'poll' : 'short';
}

const newWork: ReadonlySet<EndpointName> = new Set(['createTicket']);

/** Whether a call brings work that is not begun yet: under overload it is refused, for what was taken to be served. */
export const isNewWork = (name: EndpointName): boolean => newWork.has(name);

/** The longest that a poll waits, in milliseconds. */
export const longestPollMs = 30_000;

/** Whether the method of a call and its content allow a repeat after its answer was lost. */
export function mayRepeat(
  name: EndpointName,
  carries: { readonly key: boolean; readonly eventId: boolean },
): boolean {
  const repeats = repeatsOf(name);
  if (repeats === 'with-key') return carries.key;
  if (repeats === 'with-event-id') return carries.eventId;
  return repeats === 'safe' || endpointOf(name).method !== 'POST';
}
