import type { ReceivedProbe } from '../../model/processes/listenerProtocol.ts';
import type { Hop } from '../../model/service/publicUrlCheck.ts';
import { t } from '../../model/text/l10n.ts';
import type { Probe } from './probe.ts';

/** What happened to a probe on the way: what was sent beside what arrived. */
export function comparedHops(sentTo: URL, sent: Probe, received: ReceivedProbe): Hop[] {
  return [
    pathHop(`${sentTo.pathname}${sentTo.search}`, received.path),
    requestIdHop(sent.headers['x-request-id'] ?? '', received.headers['x-request-id']),
    bodyHop(sent.body, Buffer.from(received.body, 'base64')),
    received.verdict === 'verified'
      ? { hop: 'signature', ok: true, detail: t('The signature verifies.') }
      : { hop: 'signature', ok: false, detail: t('The signature does not verify: {0}.', received.verdict) },
  ];
}

/** The listener takes every path, so a prefix that a reverse proxy takes away does no harm. */
function pathHop(sent: string, received: string): Hop {
  if (received === sent) return { hop: 'path', ok: true, detail: t('The path is unchanged.') };
  const detail = t('The path was changed on the way: {0} became {1}.', sent, received);
  return { hop: 'path', ok: sent.endsWith(received), detail };
}

function requestIdHop(sent: string, received: string | undefined): Hop {
  if (received === sent) return { hop: 'requestId', ok: true, detail: t('The request id is unchanged.') };
  const detail =
    received === undefined
      ? t('The header X-Request-Id was removed on the way: no signature can verify.')
      : t('The header X-Request-Id was rewritten on the way: no signature can verify.');
  return { hop: 'requestId', ok: false, detail };
}

function bodyHop(sent: Uint8Array, received: Uint8Array): Hop {
  if (Buffer.compare(sent, received) === 0) {
    return { hop: 'body', ok: true, detail: t('The body is unchanged.') };
  }
  const detail = t(
    'The body was changed on the way ({0} bytes became {1}): no signature can verify.',
    sent.length,
    received.length,
  );
  return { hop: 'body', ok: false, detail };
}
