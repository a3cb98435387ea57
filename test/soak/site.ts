import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './freePort.ts';
import type { Memory } from './hostProgram.ts';
import { keptIn, whatIsWrong } from './keptRecords.ts';
import { LocalAppStandIn } from './localAppStandIn.ts';
import type { Random } from '../support/random.ts';
import { waitFor } from '../support/waitFor.ts';
import { Relay } from './relay.ts';
import { Sender } from './sender.ts';
import { SoakHost } from './soakHost.ts';

const secret = 'the secret of the soak';
const connections = 8;

/** A listener with all that is around it: who sends to it, a tunnel before it, a local app behind it. */
export class Site {
  readonly name: string;
  readonly random: Random;
  readonly app: LocalAppStandIn;
  readonly relay: Relay;
  readonly port: number;
  readonly sender: Sender;
  /** Statuses that the faults have the listener answer. */
  readonly allowed = new Set<number>();
  readonly memories: Memory[] = [];
  readonly fail: (failure: string) => void;
  folder: string;
  host: SoakHost;
  #round = 0;
  acknowledged = 0;
  repeats = 0;

  private constructor(
    parts: Pick<Site, 'name' | 'random' | 'app' | 'relay' | 'port' | 'fail' | 'folder' | 'host'>,
  ) {
    ({ name: this.name, random: this.random, app: this.app, relay: this.relay } = parts);
    ({ port: this.port, fail: this.fail, folder: this.folder, host: this.host } = parts);
    const { random, allowed } = this;
    this.sender = new Sender({
      secret,
      random,
      port: () => (random.next() < 0.3 ? this.relay.port : this.port),
      allowed,
      onFailure: this.fail,
    });
  }

  static async start(name: string, random: Random, onFailure: (failure: string) => void): Promise<Site> {
    const fail = (failure: string): void => onFailure(`${name}: ${failure}`);
    const port = await freePort();
    const app = await new LocalAppStandIn().start();
    const relay = await Relay.start(() => port);
    const folder = newFolder();
    const host = await SoakHost.start({ folder, port, secret, forwardTo: app.url }, fail);
    return new Site({ name, random, app, relay, port, fail, folder, host });
  }

  send(): void {
    this.#round += 1;
    this.sender.start(`${this.name}-${this.#round}`, connections);
  }

  newHost(): Promise<SoakHost> {
    return SoakHost.start(
      { folder: this.folder, port: this.port, secret, forwardTo: this.app.url },
      this.fail,
    );
  }

  /** Compares what was acknowledged with what is kept, then forgets both. The host goes on. */
  async check(): Promise<void> {
    await this.sender.stop();
    await this.#mustHaveRecovered();
    const kept = keptIn(this.folder);
    for (const wrong of whatIsWrong(kept, this.sender.acknowledged)) this.fail(wrong);
    this.acknowledged += this.sender.acknowledged.size;
    this.repeats += kept.filter(({ repeatOf }) => repeatOf !== undefined).length;
    this.sender.acknowledged.clear();
    await this.host.channel.request('clear', null);
    this.memories.push(await this.host.channel.request('memory', null));
  }

  /** Ends the window and opens another, whose folder is new: one that was killed may have left files behind. */
  async replaceHost(): Promise<void> {
    await this.host.end();
    rmSync(this.folder, { recursive: true, force: true });
    this.folder = newFolder();
    this.host = await this.newHost();
  }

  async close(): Promise<void> {
    await this.sender.stop();
    await this.host.kill();
    await this.relay.close();
    await this.app.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** With all faults gone, one more delivery has to be kept, and the journal to be well again. */
  async #mustHaveRecovered(): Promise<void> {
    await this.sender.deliver(`${this.name}-${this.#round}-last`, '{"last":true}');
    if (!this.sender.acknowledged.has(`${this.name}-${this.#round}-last`)) this.fail('It does not recover.');
    // Its word takes another way than the answer.
    await waitFor('the end of the problem', () => this.host.problem === undefined).catch(() =>
      this.fail(`It goes on saying that it cannot keep deliveries: ${this.host.problem}`),
    );
  }
}

function newFolder(): string {
  return mkdtempSync(join(process.env['RUNHOOK_SOAK_FOLDER'] ?? tmpdir(), 'runhook-soak-'));
}
