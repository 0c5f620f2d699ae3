import ip from 'ipaddr.js';

/** Addresses that players may reach: public ones, and those of private networks, of which games are played too. */
const reachable: ReadonlySet<string> = new Set(['unicast', 'private', 'carrierGradeNat', 'uniqueLocal']);

/** Names that stand for the machine itself, and those below them (RFC 6761). */
const ownNames = /(?:^|\.)(?:localhost|localdomain|ip6-localhost|ip6-loopback)$/;

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** A last part that a browser or resolver reads as the end of an IPv4 address, in whatever form. */
const numeric = /^(?:\d+|0x[0-9a-f]*)$/;

/**
 * What is wrong with the host of a server, which players are sent to; null if nothing is. An address is judged in each form in
 * which it can be written: octal, hexadecimal, as one number, mapped into IPv6. Names are not looked up.
 *
 * @param allowsLocal whether the machine itself and other addresses that are of no use to others will do, in an embedded run
 */
export function hostObjection(host: string, allowsLocal: boolean): string | null {
  const isBracketed = host.startsWith('[') && host.endsWith(']');
  const bare = (isBracketed ? host.slice(1, -1) : host).toLowerCase();
  const named = bare.endsWith('.') ? bare.slice(0, -1) : bare;
  const range = rangeOf(named, isBracketed);
  if (range === null && (isBracketed || !isName(named))) return 'is not a host name or an address';
  if (allowsLocal) return null;
  if (range === null) return ownNames.test(named) ? `names the machine itself; ${give}` : null;
  return reachable.has(range) ? null : `is ${ranges.get(range) ?? 'a reserved'} address; ${give}`;
}

const give =
  'give what players connect to from outside (SERVER_LOCAL_HOSTS=yes allows it where all run on one machine)';

const ranges: ReadonlyMap<string, string> = new Map([
  ['loopback', 'a loopback'],
  ['linkLocal', 'a link-local'],
  ['unspecified', 'the unspecified'],
  ['multicast', 'a multicast'],
  ['broadcast', 'a broadcast'],
]);

/** The range of an address; null if it is none. */
function rangeOf(text: string, isBracketed: boolean): string | null {
  const isV6 = text.includes(':');
  if (isBracketed && !isV6) return null;
  return ip.isValid(text) ? ip.process(text).range() : null;
}

function isName(text: string): boolean {
  const labels = text.split('.');
  return labels.every((each) => label.test(each)) && !numeric.test(labels.at(-1) ?? '');
}
