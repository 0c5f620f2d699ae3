// The game's own login: exchanges tickets of Steam and PlayFab for tokens that Muster verifies.
import { importJWK, SignJWT } from 'jose';
import { createServer } from 'node:http';

const { PORT, ISSUER, LOGIN_KEY, STEAM_KEY, STEAM_APP, PLAYFAB_TITLE, PLAYFAB_KEY } = process.env;
const { STEAM_API = 'https://partner.steam-api.com' } = process.env;
const { PLAYFAB_API = `https://${PLAYFAB_TITLE}.playfabapi.com` } = process.env;

// During a rotation publish the next public key a day before it signs, and the last one until its tokens have expired.
const jwk = JSON.parse(LOGIN_KEY);
const { d: _secret, ...open } = jwk;
const keys = JSON.stringify({ keys: [open] });
const json = { 'content-type': 'application/json' };
const key = await importJWK(jwk, 'EdDSA');

/** Each asks for the account of a ticket. Null: the ticket is not valid. */
const stores = {
  /** @param ticket the hexadecimal ticket of GetAuthTicketForWebApi("muster") */
  async steam(ticket) {
    const query = new URLSearchParams({ key: STEAM_KEY, appid: STEAM_APP, ticket, identity: 'muster' });
    const { response } = await asked(`${STEAM_API}/ISteamUserAuth/AuthenticateUserTicket/v1/?${query}`);
    const { result, steamid, vacbanned, publisherbanned } = response?.params ?? {};
    if (result !== 'OK' || publisherbanned) return null;
    return { sub: `steam:${steamid}`, muster: { verified: !vacbanned, platform: 'pc' } };
  },
  /** @param ticket the SessionTicket of a login call */
  async playfab(ticket) {
    const { data } = await asked(`${PLAYFAB_API}/Server/AuthenticateSessionTicket`, {
      method: 'POST',
      headers: { ...json, 'x-secretkey': PLAYFAB_KEY },
      body: JSON.stringify({ SessionTicket: ticket }),
    });
    if (!data || data.IsSessionTicketExpired) return null;
    const { PlayFabId, Created } = data.UserInfo;
    return { sub: `playfab:${PlayFabId}`, muster: { accountCreatedAt: Date.parse(Created) } };
  },
};

async function asked(url, init) {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(5_000) });
  return answer.status < 500 ? answer.json() : Promise.reject(new Error(`status ${answer.status}`));
}

createServer(async (request, response) => {
  const reply = (status, body) => response.writeHead(status, json).end(body);
  if (request.url === '/jwks') return reply(200, keys);
  const [, store] = /^\/(steam|playfab)$/.exec(request.url) ?? [];
  if (!store || !(request.headers['content-length'] <= 4_096)) return reply(404, '{}');
  try {
    let ticket = '';
    for await (const part of request.setEncoding('utf8')) ticket += part;
    const account = await stores[store](ticket);
    if (!account) return reply(401, '{"error":"The ticket is not valid."}');
    const token = new SignJWT({ ...account, iss: ISSUER, aud: 'muster' }).setIssuedAt();
    token.setExpirationTime('1h').setProtectedHeader({ alg: 'EdDSA', kid: jwk.kid });
    reply(200, JSON.stringify({ token: await token.sign(key) }));
  } catch {
    reply(502, '{"error":"The store did not answer. Try again."}');
  }
}).listen(Number(PORT));
