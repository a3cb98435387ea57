import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import * as vscode from 'vscode';
import type { WebhookSecrets } from '../../model/listenerProtocol.ts';
import { UserError } from '../../model/userError.ts';

const storageKey = 'runhook.webhookSecrets';
/** How long a secret verifies after it was replaced. */
const overlapMs = 10 * 60_000;
/** Replaced secrets that are remembered, so that a diagnosis can name them. */
const remembered = 3;

const stored = v.object({
  current: v.exactOptional(v.string()),
  earlier: v.array(v.object({ secret: v.string(), until: v.number() })),
});

/** The webhook secrets that are held, and until when (Unix milliseconds) each replaced one verifies. */
export interface HeldSecrets {
  current: string | undefined;
  earlier: readonly { secret: string; until: number }[];
}

/** The webhook secrets, in SecretStorage alone. */
export class WebhookSecretStore {
  readonly #storage: vscode.SecretStorage;
  readonly #now: () => number;

  /** @param now a clock in Unix milliseconds */
  constructor(storage: vscode.SecretStorage, now: () => number) {
    this.#storage = storage;
    this.#now = now;
  }

  /** Calls back when a window, this one or another, has changed them. */
  onDidChange(callback: () => void): vscode.Disposable {
    return this.#storage.onDidChange(({ key }) => {
      if (key === storageKey) callback();
    });
  }

  async held(): Promise<HeldSecrets> {
    const { current, earlier } = await this.#read();
    return { current, earlier };
  }

  /** Those that verify: the current one and the one before it. */
  async forVerifying(): Promise<WebhookSecrets> {
    const { current, earlier } = await this.#read();
    const [previous, ...retired] = earlier;
    return {
      ...(current !== undefined && { current }),
      ...(previous !== undefined && { previous }),
      retired: retired.map(({ secret }) => secret),
    };
  }

  /** @throws UserError where it cannot be sent as a header */
  async set(secret: string): Promise<void> {
    const problem = secretProblem(secret);
    if (problem !== undefined) throw new UserError(problem);
    const { current, earlier } = await this.#read();
    if (secret === current) return;
    const replaced = current === undefined ? [] : [{ secret: current, until: this.#now() + overlapMs }];
    const kept = [...replaced, ...earlier].slice(0, remembered);
    await this.#storage.store(storageKey, JSON.stringify({ current: secret, earlier: kept }));
  }

  /** Replaces the secret by a new one. */
  async rotate(): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    await this.set(secret);
    return secret;
  }

  /** The secret; a new one where none is held. */
  async ensure(): Promise<string> {
    return (await this.#read()).current ?? (await this.rotate());
  }

  /** Forgets them all: what was signed with one of them verifies no more. */
  async erase(): Promise<void> {
    await this.#storage.delete(storageKey);
  }

  async #read(): Promise<v.InferOutput<typeof stored>> {
    const text = await this.#storage.get(storageKey);
    const read = v.safeParse(stored, text === undefined ? undefined : parse(text));
    return read.success ? read.output : { earlier: [] };
  }
}

/** Why a text cannot be a secret: it travels in the header `X-Webhook-Secret`. */
export function secretProblem(secret: string): string | undefined {
  if (secret === '') return vscode.l10n.t('The secret is empty.');
  if (/[\u0000-\u001f\u007f]/.test(secret)) {
    return vscode.l10n.t(
      'The secret holds a line break or another control character, which no header can carry.',
    );
  }
  // Both ends of a header's value are trimmed on the way, and its characters are bytes.
  if (secret !== secret.trim() || /[^\u0000-\u00ff]/.test(secret)) {
    return vscode.l10n.t(
      'The secret begins or ends with white space, or holds a character that no header can carry.',
    );
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A value that was lost or damaged counts as none.
    return undefined;
  }
}
