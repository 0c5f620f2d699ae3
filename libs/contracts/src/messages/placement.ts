import type { PlacementMessages } from '@muster/domain';
import type { Catalogue } from './catalogue.js';

const somewhere = '{anywhere, select, true {any region} other {{regions, list, or}}}';
const noServer = `Your teams are made, but no server of build {build} in ${somewhere} has a free slot now`;
const inUse = '{used} of {slots} slots in use{load, select, null {} other {, load {load} %}}';
const opens =
  '{seconds, select, null {} other { {next, select, null {All others open} other {{next} opens}} in {seconds} s.}}';
const near =
  '{latency, select, null {} other {, of regions within {equalMs} ms of the nearest with a free slot}}';
const far = '{latency, select, null {} other { ({latency} ms on average)}}';
const chosen = { region: 'eu-west', slots: 4, used: 1, load: 37 };
const where = { build: '1.4', anywhere: false, regions: ['eu-west', 'us-east'], seconds: 8, next: 'us-west' };

export const placement: Catalogue<PlacementMessages> = {
  'placement.none-free': { text: `${noServer}; it is tried again and again.${opens}`, example: where },
  'placement.overloaded': {
    text: `Your teams are made. {servers, plural, one {# server} other {# servers}} of build {build} in ${somewhere} {servers, plural, one {has free slots but is} other {have free slots but are}} overloaded, and no other has a free slot now; it is tried again and again.${opens}`,
    example: { ...where, servers: 3 },
  },
  'placement.unfit': {
    text: `Your teams are made, but no server of build {build} in ${somewhere} fits the match, which needs {needs, list, and}; it is tried again and again.${opens}`,
    example: { ...where, needs: ['mode arena', 'map castle', 'hardware fast'] },
  },
  'placement.by-spread': {
    text: `Policy spread: the server in {region}${far} was the least loaded one with a free slot${near} (${inUse}).`,
    example: { ...chosen, latency: 24, equalMs: 16 },
  },
  'placement.by-pack': {
    text: `Policy pack: the server in {region}${far} was the fullest one with a free slot${near} (${inUse}).`,
    example: { ...chosen, latency: 24, equalMs: 16 },
  },
  'placement.by-latency': {
    text: `Policy latency-first: {place, plural, =0 {no region is better for the players than {region}} =1 {{region} is the best region for the players} other {{region} is number # of the regions for the players, and the better ones had no server for it}}; the server was the least loaded one there (${inUse}).`,
    example: { ...chosen, place: 1 },
  },
  'placement.starting': { text: `${noServer}; a server is being started.${opens}`, example: where },
  'placement.none-asked': {
    text: `${noServer}, and none could be asked for; both are tried again and again.${opens}`,
    example: where,
  },
  'placement.ready': { text: 'Your match is ready in {region}.', example: { region: 'eu-west' } },
  'placement.refused': {
    text: 'A server refused the match ({detail}); the next best is asked.',
    example: { detail: 'the map is missing' },
  },
  'placement.server-gone': {
    text: 'The server that was asked is gone; the next best is asked.',
    example: {},
  },
  'placement.not-answered': {
    text: 'A server did not answer in time; the next best is asked.',
    example: {},
  },
  'placement.gave-up': {
    text: 'No server could be found in time. Nobody is rated; please queue again.',
    example: {},
  },

  'match.left-without-server': { text: 'Somebody left the match before it had a server.', example: {} },
  'match.left-long': {
    text: 'You left a match that lasted longer than expected. There is no penalty.',
    example: {},
  },
  'match.you-finished': {
    text: 'You are finished in the match, which goes on: you may queue again.',
    example: {},
  },
  'match.left-silent-server': {
    text: 'You left the match, whose server is silent. There is no penalty.',
    example: {},
  },
  'match.ended': {
    text: 'The {by} ended the match ({detail}).',
    example: { by: 'operator', detail: 'its server hangs' },
  },
  'match.called-off': {
    text: 'The server called the match off ({detail}).',
    example: { detail: 'the map did not load' },
  },
  'match.lost': {
    text: 'The match was lost: {cause}.',
    example: { cause: { code: 'session.server-silent', params: {} } },
  },
  'match.players-returned': {
    text: '{cause}; its players returned to the queue',
    example: { cause: { code: 'session.server-silent', params: {} } },
  },
  'match.rated': { text: 'The match is over and rated; you may queue again.', example: {} },
  'match.unrated': {
    text: 'The match is over, but could not be rated: {detail}',
    example: { detail: 'The model takes two teams.' },
  },
  'match.void': {
    text: 'Declared void by {by}: {detail}',
    example: { by: 'olga', detail: 'an unfair map' },
  },

  'session.restarted': { text: 'its server was started anew without this session', example: {} },
  'session.forgotten': { text: 'its server does not know the session any more', example: {} },
  'session.server-left': { text: 'its server left', example: {} },
  'session.server-silent': { text: 'its server fell silent', example: {} },
  'session.overtime': { text: 'the match went on beyond its time limit without a result', example: {} },
  'session.not-answered': { text: 'no answer in time', example: {} },
  'session.answered-late': { text: 'your answer came too late', example: {} },

  'result.counted-before': { text: 'another result of this session was counted', example: {} },
  'result.session-not-live': {
    text: 'the session is {state}{cause, select, null {} other {: {cause}}}',
    example: { state: 'lost', cause: { code: 'result.too-late', params: {} } },
  },
  'result.match-state': { text: 'the match is {state}', example: { state: 'rated' } },
  'result.too-late': { text: 'it came later than the rules of its queue allow', example: {} },
  'result.session-replaced': { text: 'another session has the match', example: {} },
  'result.other-known': {
    text: 'another result is known for {externalId}',
    example: { externalId: 'cup-17' },
  },
  'result.players-rated-since': { text: 'players of the match were rated since', example: {} },
  'result.players-in-match': { text: 'players of the match are in another one by now', example: {} },
};
