import * as https from 'node:https';
import * as tls from 'node:tls';

/** The other end of a connection. */
export interface Remote {
  address: string;
  port: number;
}

/** How long it may take to find out that a port speaks TLS, in milliseconds. */
const handshakeMs = 1000;

let agent: https.Agent | undefined;

/**
 * The agent for apps that speak https. It trusts what this machine trusts, such as the authority of mkcert, and makes a
 * connection for each request.
 */
export function httpsAgent(): https.Agent {
  if (agent !== undefined) return agent;
  const ca = trustedHere();
  // Made once, since it takes long. Sessions are not taken up again: that would leave out the check of the name.
  const options = {
    keepAlive: true,
    maxCachedSessions: 0,
    ...(ca && { secureContext: tls.createSecureContext({ ca }) }),
  };
  agent = Object.assign(new https.Agent(options), { keepSocketAlive: () => false });
  return agent;
}

/** The certificates of Node and of the system; undefined for those of Node alone. */
function trustedHere(): string[] | undefined {
  // Undefined in a Node before 22.15, whatever the types say.
  const read = tls.getCACertificates as typeof tls.getCACertificates | undefined;
  return read && [...read('default'), ...read('system')];
}

/** Errors of OpenSSL for an answer that is no TLS, as codes of Node, and as texts of one that gives all the same code. */
const notTls = /wrong.version.number|packet.length.too.long|http.request|unknown.protocol/i;

/**
 * The codes of a connection that failed because https was spoken where http is expected, or the reverse, and of one whose
 * other end no longer listens.
 */
const codes = { notTls: 'ERR_NOT_TLS', isTls: 'ERR_IS_TLS', ended: 'ERR_ENDED' } as const;

/**
 * The error of a request without an answer, with a code of its own where the address has the wrong protocol, or the app
 * has ended.
 * @param remote what it was connected to, if it was http and nothing came back
 */
export async function withProtocolCode(error: Error, remote: Remote | undefined): Promise<Error> {
  const code = 'code' in error ? error.code : undefined;
  if (/^EPROTO$|^ERR_SSL_/.test(String(code)) && notTls.test(`${String(code)} ${error.message}`))
    return coded(error, codes.notTls);
  const isReset = code === 'ECONNRESET' || code === 'EPIPE';
  const found = isReset && remote !== undefined ? await lookAt(remote) : undefined;
  return found === undefined ? error : coded(error, found);
}

function coded(cause: Error, code: string): Error {
  return Object.assign(new Error(code, { cause }), { code });
}

/** Whether TLS can be spoken there, or nothing listens any longer. Nothing is sent but the greeting. */
function lookAt({ address: host, port }: Remote): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = tls.connect({ host, port, rejectUnauthorized: false });
    const finish = (code?: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(code);
    };
    const timer = setTimeout(finish, handshakeMs);
    socket
      .on('secureConnect', () => finish(codes.isTls))
      .on('error', (failure: NodeJS.ErrnoException) =>
        finish(failure.code === 'ECONNREFUSED' ? codes.ended : undefined),
      )
      .on('close', () => finish());
  });
}
