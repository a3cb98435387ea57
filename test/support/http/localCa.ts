import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary certificate authority, and a certificate that it has signed. */
export interface LocalCa {
  /** The file with the certificate of the authority. */
  caFile: string;
  ca: string;
  key: string;
  cert: string;
  dispose(): void;
}

/** Creates an authority and a certificate for a host name with the installed `openssl`. */
export function createLocalCa(host: string): LocalCa {
  const folder = mkdtempSync(join(tmpdir(), 'runhook-ca-'));
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=Runhook test CA',
  );
  openssl('req', ...newKey, '-keyout', 'host.key', '-out', 'host.csr', '-subj', `/CN=${host}`);
  writeFileSync(at('host.ext'), `subjectAltName=DNS:${host},IP:127.0.0.1`);
  const sign = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'host.ext', '-days', '2'];
  openssl('x509', '-req', '-in', 'host.csr', '-out', 'host.pem', ...sign);
  return {
    caFile: at('ca.pem'),
    ca: readFileSync(at('ca.pem'), 'utf8'),
    key: readFileSync(at('host.key'), 'utf8'),
    cert: readFileSync(at('host.pem'), 'utf8'),
    dispose: () => rmSync(folder, { recursive: true }),
  };
}
