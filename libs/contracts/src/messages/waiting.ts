import type { WaitingMessages } from '@muster/domain';
import type { Catalogue } from './catalogue.js';

const meets =
  '{meets, select, own {on {platforms}, and you play without cross-play} unnamed {without a platform, like you} some {on platforms that you may meet ({platforms})} other {}}';

export const waiting: Catalogue<WaitingMessages> = {
  'waiting.players': {
    text: `{here} of {seats} players are here (build {build}{meets, select, all {} other {; }}${meets}): {missing} more must queue.`,
    example: { here: 3, seats: 10, missing: 7, build: '1.4.2', meets: 'all', platforms: [] },
  },
  'waiting.platforms': {
    text: `Enough players wait (build {build}), but {here} of {seats} ${meets}.`,
    example: { here: 3, seats: 10, build: '1.4.2', meets: 'some', platforms: ['pc', 'mac'] },
  },
  'waiting.regions': {
    text: 'Enough players wait, but {here} of {seats} in regions that are near enough to you.',
    example: { here: 6, seats: 10 },
  },
  'waiting.no-region': {
    text: 'No region is near enough: {region}, the nearest, is {latency} ms away{party, select, true { from one of you} other {}}, and this queue allows {limit} ms at most. Waiting does not help: choose another queue, or measure again.',
    example: { region: 'eu-west', latency: 230, limit: 150, party: false },
  },
  'waiting.region-opens': {
    text: '{region} will be in {seconds} s.',
    example: { region: 'eu-west', seconds: 10 },
  },
  'waiting.smaller-teams-later': {
    text: 'After {seconds} s more teams of {teamSize} will do.',
    example: { seconds: 30, teamSize: 4 },
  },
  'waiting.bots-later': {
    text: 'After {seconds} s more {players} players will do, and bots fill up.',
    example: { seconds: 40, players: 2 },
  },
  'waiting.avoided': {
    text: 'Enough players are near, but avoid-lists keep some of them apart: without these they would fill {teams} whole teams with you.',
    example: { teams: 2 },
  },
  'waiting.parties-do-not-fit': {
    text: 'Enough players are near, but with their parties{roles, select, true { and roles} other {}} they do not fill {teams} whole teams with you yet.',
    example: { teams: 2, roles: false },
  },
  'waiting.skill-window': {
    text: 'Enough players wait, but the {seats} nearest are up to {spread, number, ::.0} apart and the window is {window, number, ::.0}; it will {seconds, select, null {not widen that far} other {in {seconds} s}}.',
    example: { seats: 10, spread: 9.1, window: 6, seconds: 15 },
  },
  'waiting.party-sizes': {
    text: 'Enough players are near, but their parties would face none of their size; from {seconds} s on that is allowed.',
    example: { seconds: 15 },
  },
  'waiting.maps': {
    text: 'Enough players are near, but there is no map that all of them wish for{seconds, select, null {} other {; from {seconds} s on the most wishes decide}}.',
    example: { seconds: 20 },
  },
  'waiting.teams-uneven': {
    text: 'A match is at hand and is held back for a more even one: its teams would differ by {gap, number, ::.0}, and {allowed, number, ::.0} is allowed by now; it {seconds, select, null {will never be allowed} other {is made in {seconds} s at the latest}}.',
    example: { gap: 5, allowed: 2, seconds: 12 },
  },
  'waiting.better-match': {
    text: 'A match is at hand, and waits a moment for a better one, since most of its players have only just come; it is made in {seconds} s at the latest.',
    example: { seconds: 3 },
  },
  'waiting.build-outdated': {
    text: 'No server has your build {build}; newer ones have {newer}: update your game.',
    example: { build: '1.4.1', newer: ['1.4.2'] },
  },
  'waiting.forming': { text: 'A match with you is being formed.', example: {} },
};
