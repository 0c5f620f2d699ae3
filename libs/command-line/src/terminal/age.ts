/** A time in its largest unit: `45 s`, `12 min`, `3 h`, `4 d`. */
export function age(ms: number): string {
  if (ms > 0 && ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
