import * as http from 'node:http';
import * as https from 'node:https';

const closesThem = { keepSocketAlive: () => false };
const agents = {
  http: Object.assign(new http.Agent({ keepAlive: true }), closesThem),
  https: Object.assign(new https.Agent({ keepAlive: true }), closesThem),
};

/**
 * A request on a connection of its own: the other side may have closed one that was kept. It is not asked to close
 * it, or one that answers before it has read a large body would reset it, too.
 */
export function requestAlone(url: URL, options: https.RequestOptions): http.ClientRequest {
  const [send, agent] =
    url.protocol === 'https:' ? [https.request, agents.https] : [http.request, agents.http];
  return send(url, { agent, ...options });
}
