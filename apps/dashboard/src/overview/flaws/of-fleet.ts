import type { AnswerOf } from '@muster/contracts';
import { counted, numberWords, percentWords } from '../../ui/values/words.js';
import { mostServers } from '../look.js';
import type { Flaw, Seen } from './flaw.js';

type Place = AnswerOf<'readCapacity'>['places'][number];

/** Fewer free ones are scarce, in a region of so many slots. */
const scarce = { share: 0.05, slots: 20 };
/** More names make no sentence. */
const mostNamed = 3;

/** Matches without a server, scarce slots, and servers that are overloaded or silent. */
export function flawsOfFleet({ places: known, servers = [], lately = [] }: Seen): Flaw[] {
  const places = known ?? [];
  const isWaitedFor = lately.some(({ waiting }) => (waiting ?? 0) > 0);
  const overloaded = places.reduce((sum, each) => sum + each.overloadedServers, 0);
  return [
    ...(known?.every((each) => each.servers + each.drainingServers === 0) && isWaitedFor ? [nothing] : []),
    ...places.flatMap(flawOfWaiting),
    ...scarcityOf(places),
    ...(overloaded > 0 ? [flawOfOverload(overloaded)] : []),
    ...flawOfSilence(servers),
  ];
}

const nothing: Flaw = {
  key: 'no servers',
  grade: 'critical',
  what: 'No server is registered, and tickets wait.',
  players: 'Players are matched, wait for a server, and then lose the match.',
  mend: 'Start servers, or see why they cannot register: the log of a server has the answer of the coordinator.',
  place: { to: '/fleet' },
  placeName: 'Fleet',
};

function flawOfWaiting(place: Place): Flaw[] {
  const { build, region, waitingMatches, unfitMatches, servers, free } = place;
  if (waitingMatches === 0 || (free > 0 && unfitMatches === 0)) return [];
  const where = region === null ? 'in any region' : `in ${region}`;
  const why =
    unfitMatches > 0
      ? `no server fits ${unfitMatches === waitingMatches ? 'them' : numberWords(unfitMatches)} by mode, map or labels`
      : servers === 0
        ? 'none of that build is ready'
        : 'no slot is free';
  return [
    {
      key: `waits ${build} ${region ?? ''}`,
      grade: 'critical',
      what: `${counted(waitingMatches, 'match', 'matches')} of build ${build} ${waitingMatches === 1 ? 'waits' : 'wait'} for a server ${where}: ${why}.`,
      players: 'Players have a match and no server to connect to.',
      mend: comingOf(place),
      place: { to: '/fleet', search: { build, ...(region === null ? {} : { region }) } },
      placeName: 'Servers of that build',
    },
  ];
}

/** What comes by itself, and what does not. */
function comingOf({ slotsOnTheirWay, wantedSlots, overloadedSlots, drainingServers }: Place): string {
  const coming = slotsOnTheirWay > 0 ? [`${counted(slotsOnTheirWay, 'slot')} on the way.`] : [];
  const held = [
    ...(overloadedSlots > 0 ? [`${numberWords(overloadedSlots)} free on overloaded servers`] : []),
    ...(drainingServers > 0 ? [`${counted(drainingServers, 'server')} draining`] : []),
  ];
  return [
    ...coming,
    ...(held.length > 0 ? [`Beside these: ${held.join(', ')}.`] : []),
    wantedSlots > 0 || coming.length === 0
      ? 'Start servers of the build and region that lack them, or end a drain.'
      : 'If they do not come, see the log of allocator.',
  ].join(' ');
}

function scarcityOf(places: readonly Place[]): Flaw[] {
  const regions = new Set(places.flatMap(({ region }) => region ?? []));
  return [...regions].flatMap((region) => {
    const here = places.filter((place) => place.region === region);
    const sum = (of: (place: Place) => number): number => here.reduce((all, each) => all + of(each), 0);
    const [free, slots] = [sum((each) => each.free), sum((each) => each.slots)];
    if (slots < scarce.slots || free >= scarce.share * slots) return [];
    return [
      {
        key: `scarce ${region}`,
        grade: 'warning',
        what: `${free === 0 ? 'None' : percentWords(free / slots, 1)} of the ${numberWords(slots)} slots in ${region} ${free === 0 ? 'is' : 'are'} free.`,
        players: 'Nothing yet. Soon matches wait for servers.',
        mend: 'Start servers there, or raise the limits of scale-out.',
        place: { to: '/fleet', search: { region } },
        placeName: `Servers in ${region}`,
      },
    ];
  });
}

const flawOfOverload = (servers: number): Flaw => ({
  key: 'overloaded',
  grade: 'warning',
  what: `${counted(servers, 'server')} ${servers === 1 ? 'is' : 'are'} overloaded and ${servers === 1 ? 'gets' : 'get'} no match.`,
  players: 'Players of its matches may see the game stutter; others wait longer for a server.',
  mend: 'See what loads them. Drain one that does not recover.',
  place: { to: '/fleet', search: { state: 'overloaded' } },
  placeName: 'Overloaded servers',
});

function flawOfSilence(servers: NonNullable<Seen['servers']>): Flaw[] {
  const silent = servers.flatMap((server) => (server.silent ? [server.serverId] : []));
  if (silent.length === 0) return [];
  const names = silent.slice(0, mostNamed).join(', ');
  const others = silent.length - mostNamed;
  return [
    {
      key: 'silent',
      grade: 'warning',
      what: `${servers.length < mostServers ? '' : 'At least '}${counted(silent.length, 'server')} ${silent.length === 1 ? 'is' : 'are'} silent: ${names}${others > 0 ? ` and ${numberWords(others)} more` : ''}.`,
      players: 'Players there may be disconnected.',
      mend: 'One: restart it. Most of them: look at the network between servers and allocators.',
      place: { to: '/fleet', search: { state: 'silent' } },
      placeName: 'Silent servers',
    },
  ];
}
