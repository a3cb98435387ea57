import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { isLoopback } from '../../model/loopback.ts';
import { plainText } from '../../model/plainText.ts';
import { DeclinedError } from '../declinedError.ts';
import { type Destinations, refusedError } from '../listener/destinations.ts';
import type { Prompts } from '../prompts.ts';

const allowedKey = 'fixtures.allowed';
/** How many are remembered; an older one is asked for again. */
const remembered = 200;

/** A fixture that is about to be sent. */
export interface OutgoingFixture {
  file: vscode.Uri;
  /** All that is sent of it: what the user allows is this and nothing else. */
  method: string;
  headers: Readonly<Record<string, string>>;
  bytes: Uint8Array;
  isSigned: boolean;
}

/**
 * Whether a fixture may leave this machine. A fixture may have come with a cloned repository, and is signed with the
 * user's secret: whoever gets it can show it to the user's endpoints as a webhook of the service. So each file is
 * asked for with each address, even one of the user's own settings. Towards this machine nothing is asked: a
 * local app that takes it for genuine is what the command is for.
 */
export class FixtureLeave {
  readonly #memento: vscode.Memento;
  readonly #destinations: Destinations;
  readonly #prompts: Prompts;

  /** @param memento of the workspace */
  constructor(memento: vscode.Memento, destinations: Destinations, prompts: Prompts) {
    this.#memento = memento;
    this.#destinations = destinations;
    this.#prompts = prompts;
  }

  /** @throws DeclinedError where the user gives no leave, UserError where the address was refused before */
  async ask(fixture: OutgoingFixture, to: URL): Promise<void> {
    if (isLoopback(to.hostname)) return;
    const { t } = vscode.l10n;
    const shown = plainText(to.href, 300);
    if (this.#destinations.leaveFor(to) === 'refused') throw refusedError(shown);
    const key = keyOf(fixture, to);
    const allowed = this.#memento.get<readonly string[]>(allowedKey, []);
    if (allowed.includes(key)) return;
    const file = plainText(vscode.workspace.asRelativePath(fixture.file), 300);
    const question = fixture.isSigned
      ? t('Sign {0} with your webhook secret, and send it to {1}?', file, shown)
      : t('Send {0} to {1}?', file, shown);
    const detail = fixture.isSigned
      ? t('Whoever gets it can show it as a webhook of the service.')
      : t('The address is not on this machine.');
    if (!(await this.#prompts.confirm(question, detail, t('Send')))) {
      throw new DeclinedError(t('Nothing was sent to {0}.', shown));
    }
    await this.#memento.update(allowedKey, [...allowed, key].slice(-remembered));
  }
}

/** Of file, content and address: changed in one of them, it is another. */
function keyOf({ file, method, headers, bytes, isSigned }: OutgoingFixture, to: URL): string {
  const about = JSON.stringify([file.toString(), to.href, method, Object.entries(headers), isSigned]);
  return createHash('sha256').update(about).update('\0').update(bytes).digest('hex');
}
