import type * as vscode from 'vscode';
import type { ForwardTarget } from '../../model/deliveries/destination.ts';
import { targetText } from '../../model/routes/targetText.ts';
import { plainAddress, typedAddress } from '../../model/routes/typedAddress.ts';
import { isLoopback } from '../../model/service/loopback.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { UserError } from '../../model/text/userError.ts';
import type { Fixture } from '../../suite/fixture/fixture.ts';
import type { SuiteTest } from '../../suite/run/runSuite.ts';
import { signingSecret } from '../deliveries/feature.ts';
import { askForwardAddress, type Listener } from '../listener/feature.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import type { Prompts } from '../prompts/prompts.ts';

/** Where the workspace remembers the one address that all fixtures go to. */
const addressKey = 'testing.to';

/** Where a fixture is sent to, and what it is signed with. */
export interface TestTarget {
  to: URL;
  /** Absent where none is kept. */
  secret?: string;
}

/** Nothing of a broken file is sent: it has no target. */
const nowhere: TestTarget = { to: new URL('http://127.0.0.1:9/') };

/** By their fixtures: what signs one need not be what signs another of its app. */
export type FixtureTargets = ReadonlyMap<Fixture, TestTarget>;

export function targetFor({ read }: SuiteTest, targets: FixtureTargets): TestTarget {
  return ('fixture' in read ? targets.get(read.fixture) : undefined) ?? nowhere;
}

/** Where fixtures are sent to: to the routes of their apps, or to the one address that the user has chosen for them. */
export class TestTargets {
  readonly #listener: Pick<Listener, 'destinations' | 'secrets' | 'state'>;
  readonly #prompts: Prompts;
  readonly #memento: vscode.Memento;

  /** @param memento of the workspace */
  constructor(
    listener: Pick<Listener, 'destinations' | 'secrets' | 'state'>,
    prompts: Prompts,
    memento: vscode.Memento,
  ) {
    this.#listener = listener;
    this.#prompts = prompts;
    this.#memento = memento;
  }

  /** Asks for the one address; without one, the routes of the apps count. */
  async choose(): Promise<void> {
    const typed = await askForwardAddress(this.#listener, this.#prompts, {
      title: t('Send Fixtures To'),
      prompt: t(
        'The address of your app. Leave it empty for the addresses that deliveries are forwarded to.',
      ),
      value: this.#memento.get(addressKey, ''),
      canBeEmpty: true,
    });
    if (typed === undefined) return;
    const address = typed.trim() === '' ? undefined : plainAddress(typedAddress(typed));
    await this.#memento.update(addressKey, address);
  }

  /**
   * The targets of fixtures; those of one app share its address.
   * @throws UserError where there is no address, DeclinedError where the user gives no leave
   */
  async of(tests: readonly SuiteTest[]): Promise<FixtureTargets> {
    const fixtures = new Set(tests.flatMap(({ read }) => ('fixture' in read ? [read.fixture] : [])));
    const held = await this.#listener.secrets();
    const addresses = new Map<string | undefined, URL>();
    const targets = new Map<Fixture, TestTarget>();
    for (const fixture of fixtures) {
      const to = addresses.get(fixture.app) ?? (await this.#address(fixture.app));
      addresses.set(fixture.app, to);
      const secret = signingSecret(fixture, held);
      targets.set(fixture, { to, ...(secret !== undefined && { secret }) });
    }
    const remote = [...addresses.values()].filter((to) => !isLoopback(to.hostname));
    if (remote.length > 0) await this.#ask(tests.length, remote);
    return targets;
  }

  async #address(app: string | undefined): Promise<URL> {
    const { destinations } = this.#listener;
    const chosen = this.#memento.get<string>(addressKey) ?? addressOf(destinations.forwardOf(app), app);
    return destinations.allow(chosen);
  }

  /**
   * What is signed leaves this machine: whoever gets it can show it to the user's endpoints as a webhook of the service.
   * So each run is asked for, even where the address is of the user's own settings: fixtures may have come with a clone.
   */
  async #ask(count: number, to: readonly URL[]): Promise<void> {
    const shown = to.map(({ href }) => plainText(href, 300)).join(', ');
    const question = t(
      'Sign {0} deliveries of fixtures with your webhook secret, and send them to {1}?',
      count,
      shown,
    );
    const detail = t('Whoever receives it can pass it off as a webhook of the service.');
    // guard: each run is asked for before anything of it leaves this machine
    if (!(await this.#prompts.confirm(question, detail, t('Send')))) {
      throw new DeclinedError(t('Nothing was sent to {0}.', shown));
    }
  }
}

/** @throws UserError where there is none */
function addressOf(target: ForwardTarget, app: string | undefined): string {
  switch (target.kind) {
    case 'off':
      throw new UserError(
        app === undefined
          ? t('Nobody has said where your app listens, and fixtures are sent there.')
          : t('Nobody has said where the app {0} listens, and its fixtures are sent there.', plainText(app)),
        { remedies: [{ kind: 'setForwardTo' }] },
      );
    case 'untrusted':
      throw new UserError(t('Fixtures have no address to go to. Forwarding is {0}.', targetText(target)), {
        remedies: [{ kind: 'manageTrust' }, { kind: 'setForwardTo' }],
      });
    case 'invalid':
      throw new UserError(t('Fixtures have no address to go to. Forwarding is {0}.', targetText(target)), {
        remedies: [{ kind: 'setForwardTo' }],
      });
    default:
      return target.to;
  }
}
