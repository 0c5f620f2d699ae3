import ip from 'ipaddr.js';

/** An address and how many of its bits count. */
export type Network = ReturnType<typeof ip.parseCIDR>;

/** Networks in a setting, such as `10.0.0.0/8,fd00::/8`. @returns null if one is none */
export function networksIn(text: string): Network[] | null {
  const parts = text.split(',').flatMap((part) => part.trim() || []);
  return parts.every((part) => ip.isValidCIDR(part)) ? parts.map((part) => ip.parseCIDR(part)) : null;
}
