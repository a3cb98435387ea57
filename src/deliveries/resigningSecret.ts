import { verify } from '../service/signature/signature.ts';
import type { HeldSecret, SecretOwner } from '../service/signature/webhookSecret.ts';

/** A kept delivery, as far as it says whose secret signs it. */
export interface ToResign {
  headers: Parameters<typeof verify>[0];
  body: Uint8Array;
  appName?: string | undefined;
}

/**
 * The secret to sign a kept delivery with anew: the current one of its app, which may have got one of its own since. The
 * owner of the secret that made its signature says which project that is of, and for a single run which app, too. If
 * nobody has a current one, the secret that made the signature.
 */
export function resigningSecret(
  { headers, body, appName }: ToResign,
  held: readonly HeldSecret[],
): string | undefined {
  const texts = held.map(({ secret }) => secret);
  const check = verify(headers, body, texts, 0, 0);
  const fitting = 'secretIndex' in check ? held[check.secretIndex] : undefined;
  return (currentOf(fitting?.owner ?? { kind: 'default' }, appName, held) ?? fitting)?.secret;
}

/** The current secret of an app, else that of its project, else the default one. */
function currentOf(
  signer: SecretOwner,
  appName: string | undefined,
  held: readonly HeldSecret[],
): HeldSecret | undefined {
  const current = held.filter(({ until }) => until === undefined);
  const name = signer.kind === 'app' || signer.kind === 'once' ? signer.name : appName;
  const projectId = 'projectId' in signer ? signer.projectId : undefined;
  const ofApp = current.filter(
    ({ owner }) =>
      owner.kind === 'app' &&
      owner.name === name &&
      (projectId === undefined || owner.projectId === projectId),
  );
  // Apps of several projects may have that name.
  if (ofApp.length === 1) return ofApp[0];
  return (
    current.find(({ owner }) => owner.kind === 'project' && owner.projectId === projectId) ??
    current.find(({ owner }) => owner.kind === 'default')
  );
}
