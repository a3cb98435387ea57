import type * as vscode from 'vscode';
import type { ForwardTarget } from '../../deliveries/destination.ts';
import { targetText } from '../../deliveries/routes/targetText.ts';
import { plainAddress, typedAddress } from '../../service/typedAddress.ts';
import { isLoopback } from '../../shared/http/loopback.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { UserError } from '../../shared/text/userError.ts';
import type { Fixture } from '../../suite/fixture/fixture.ts';
import type { SuiteTest } from '../../suite/run/runSuite.ts';
import { signingSecret } from '../deliveries/feature.ts';
import { requireTrustForFixtures } from '../kit/requireTrust.ts';
import { askForwardAddress, type Listener } from '../listener/feature.ts';
import { DeclinedError, type Prompts } from '../kit/prompts.ts';

/** Workspace state key of the single address that all fixtures go to. */
const addressKey = 'testing.to';

/** Where a fixture is sent, and the secret that signs it. */
export interface TestTarget {
  to: URL;
  /** Absent if no secret is stored. */
  secret?: string;
}

/** A placeholder for broken files, which have no target: nothing of them is sent. */
const nowhere: TestTarget = { to: new URL('http://127.0.0.1:9/') };

/** Targets by fixture: two fixtures of one app may be signed with different secrets. */
type FixtureTargets = ReadonlyMap<Fixture, TestTarget>;

export function targetFor({ read }: SuiteTest, targets: FixtureTargets): TestTarget {
  return ('fixture' in read ? targets.get(read.fixture) : undefined) ?? nowhere;
}

interface TestTargetsParts {
  listener: Pick<Listener, 'destinations' | 'secrets' | 'state'>;
  prompts: Prompts;
  /** The workspace's. */
  memento: vscode.Memento;
}

/** Decides where fixtures are sent: to the routes of their apps, or to the single address that the user chose. */
export class TestTargets {
  readonly #parts: TestTargetsParts;

  constructor(parts: TestTargetsParts) {
    this.#parts = parts;
  }

  /** Asks for the single address. If the user leaves it empty, the routes of the apps apply. */
  async choose(): Promise<void> {
    const { listener, prompts, memento } = this.#parts;
    const typed = await askForwardAddress(listener, prompts, {
      title: t('Send Fixtures To'),
      prompt: t(
        'The address of your handler. Leave it empty to use the addresses that deliveries are forwarded to.',
      ),
      value: memento.get(addressKey, ''),
      canBeEmpty: true,
    });
    if (typed === undefined) return;
    const address = typed.trim() === '' ? undefined : plainAddress(typedAddress(typed));
    await memento.update(addressKey, address);
  }

  /**
   * The addresses of fixtures. Those of one app share its address.
   * @throws UserError if the workspace is not trusted or there is no address, DeclinedError if the user does not allow it
   */
  async addresses(tests: readonly SuiteTest[]): Promise<Map<Fixture, URL>> {
    requireTrustForFixtures();
    const fixtures = new Set(tests.flatMap(({ read }) => ('fixture' in read ? [read.fixture] : [])));
    const addresses = new Map<string | undefined, URL>();
    const found = new Map<Fixture, URL>();
    for (const fixture of fixtures) {
      const to = addresses.get(fixture.app) ?? (await this.#address(fixture.app));
      addresses.set(fixture.app, to);
      found.set(fixture, to);
    }
    const remote = [...addresses.values()].filter((to) => !isLoopback(to.hostname));
    if (remote.length > 0) await this.#ask(tests.length, remote);
    return found;
  }

  /** With the secrets as they are once the handler runs: its start may have had one made. */
  async signed(addresses: ReadonlyMap<Fixture, URL>): Promise<FixtureTargets> {
    const held = await this.#parts.listener.secrets();
    return new Map(
      [...addresses].map(([fixture, to]) => [fixture, { to, secret: signingSecret(fixture, held) }]),
    );
  }

  async #address(app: string | undefined): Promise<URL> {
    const { listener, memento } = this.#parts;
    const { destinations } = listener;
    const chosen = memento.get<string>(addressKey) ?? addressOf(destinations.forwardOf(app), app);
    return destinations.allow(chosen);
  }

  /**
   * Asks before signed requests leave this machine: whoever receives one can send it to the user's endpoints as a
   * webhook of the service. Asks for each run, even if the address is from the user's own settings: fixtures may have
   * come with a cloned repository.
   */
  async #ask(count: number, to: readonly URL[]): Promise<void> {
    const shown = to.map(({ href }) => plainText(href, 300)).join(', ');
    const question =
      count === 1
        ? t('Sign 1 fixture delivery with your webhook secret, and send it to {0}?', shown)
        : t('Sign {0} fixture deliveries with your webhook secret, and send them to {1}?', count, shown);
    const detail = t('Whoever receives it can pass it off as a webhook of the service.');
    // guard S66: The user is asked for each run before anything of it leaves this machine.
    if (!(await this.#parts.prompts.confirm(question, detail, t('Send')))) {
      throw new DeclinedError(t('Nothing was sent to {0}.', shown));
    }
  }
}

/** @throws UserError if there is no address */
function addressOf(target: ForwardTarget, app: string | undefined): string {
  switch (target.kind) {
    case 'off':
      throw new UserError(
        app === undefined
          ? t('Set the address of your handler first: fixtures are sent there.')
          : t('Set the address of your handler first: the fixtures of {0} are sent there.', plainText(app)),
        { remedies: [{ kind: 'setForwardTo' }] },
      );
    case 'untrusted':
      throw new UserError(
        t('There is no address to send fixtures to. Forwarding is {0}.', targetText(target)),
        {
          remedies: [{ kind: 'manageTrust' }, { kind: 'setForwardTo' }],
        },
      );
    case 'invalid':
      throw new UserError(
        t('There is no address to send fixtures to. Forwarding is {0}.', targetText(target)),
        {
          remedies: [{ kind: 'setForwardTo' }],
        },
      );
    default:
      return target.to;
  }
}
