/** A moment in UTC to the minute: `2026-05-01 18:30`. @param at milliseconds since the epoch */
export function moment(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}
