import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect as connectSocket, createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { newRelayKey, type OpenedChannel } from '../../../src/deliveries/relayProtocol.ts';
import { storeFileName, deliveriesFolder } from '../../../src/listener/store/storeFile.ts';
import { sign } from '../../../src/service/signature/signature.ts';
import { findFreePort } from '../../soak/freePort.ts';
import { commandLineEntry } from '../processes/entryPoints.ts';
import { repeatHash } from '../../../src/listener/store/repeatTable.ts';
import { waitFor } from '../time/waitFor.ts';
import { type NatsServer, startCluster } from './natsServer.ts';

export type Victim = 'leader' | 'relay' | 'reader';

export interface KillsResult {
  kills: number;
  /** How many deliveries got a 200, and how many none of their three attempts. */
  acknowledged: number;
  unanswered: number;
  /** What the store of the reader holds in the end. */
  listed: number;
  lost: string[];
  twice: string[];
  /** Unanswered deliveries that are listed: acknowledged by the engine, and not in time for the service. */
  listedUnanswered: number;
}

const secret = 'the secret of the kills';
/** How many deliveries the service has under way at a time, and how long it pauses after each, in milliseconds. */
const concurrency = 8;
const senderPauseMs = 20;
/** How often the reader's store is looked at, in milliseconds: it keeps the newest 1000, and remembers more by hash. */
const lookMs = 250;
/** The service makes three attempts within some seconds. */
const attemptPausesMs = [1000, 3000];

/**
 * Three nodes of the engine, two relays behind a balancer, and `runhook listen` as the reader, each a process: kills one
 * after the other with SIGKILL under load, starts it again, and compares what was acknowledged with what is listed.
 */
export async function killUnderLoad(
  victims: readonly Victim[],
  say: (line: string) => void,
): Promise<KillsResult> {
  const site = await Site.start();
  try {
    return await site.run(victims, say);
  } finally {
    await site.end();
  }
}

class Site {
  readonly #key = newRelayKey();
  readonly #folder = mkdtempSync(join(tmpdir(), 'runhook-kills-'));
  readonly #nodes: NatsServer[];
  readonly #relays: RelayProcess[];
  readonly #balancer: Server;
  readonly #url: string;
  #reader: ChildProcess | undefined;
  #address = '';
  #isOver = false;
  readonly #acknowledged = new Set<string>();
  readonly #unanswered = new Set<string>();
  /** The ids of the rows of each request id. */
  readonly #listed = new Map<string, Set<string>>();
  #count = 0;

  private constructor(nodes: NatsServer[], relays: RelayProcess[], balancer: Server) {
    this.#nodes = nodes;
    this.#relays = relays;
    this.#balancer = balancer;
    this.#url = `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`;
  }

  static async start(): Promise<Site> {
    const nodes = await startCluster();
    const ports = await Promise.all([findFreePort(), findFreePort()]);
    const urls = nodes.map(({ url }) => url).join(',');
    const relays = ports.map((port) => new RelayProcess(port, urls));
    const balancer = await startBalancer(ports);
    const site = new Site(nodes, relays, balancer);
    await Promise.all(relays.map((relay) => relay.start()));
    return site;
  }

  async run(victims: readonly Victim[], say: (line: string) => void): Promise<KillsResult> {
    const opened = await fetch(`${this.#url}/v1/channel`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${this.#key}` },
    });
    this.#address = ((await opened.json()) as OpenedChannel).address;
    this.#startReader();
    const senders = Array.from({ length: concurrency }, () => this.#send());
    const looking = setInterval(() => {
      try {
        this.#look();
      } catch {
        // A reader that was killed leaves a log that is not read until it is started again.
      }
    }, lookMs);
    for (const [at, victim] of victims.entries()) {
      await this.#progress(40);
      await this.#kill(victim);
      say(
        `kill ${at + 1}: ${victim}; ${this.#acknowledged.size} acknowledged, ${this.#unanswered.size} unanswered`,
      );
    }
    await this.#progress(40);
    this.#isOver = true;
    await Promise.all(senders);
    const isAll = () => {
      this.#look();
      return [...this.#acknowledged].every((id) => this.#listed.has(id));
    };
    await waitFor('the last delivery', isAll, 90_000).catch(() => undefined);
    clearInterval(looking);
    const last = this.#listed;
    return {
      kills: victims.length,
      acknowledged: this.#acknowledged.size,
      unanswered: this.#unanswered.size,
      listed: last.size,
      lost: [...this.#acknowledged].filter((id) => !last.has(id)),
      twice: [...last].filter(([, ids]) => ids.size > 1).map(([id]) => id),
      listedUnanswered: [...this.#unanswered].filter((id) => last.has(id)).length,
    };
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await killed(this.#reader);
    await Promise.all(this.#relays.map((relay) => relay.kill()));
    await Promise.all(this.#nodes.map((node) => node.remove()));
    this.#balancer.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Waits until so many more were acknowledged. */
  async #progress(count: number): Promise<void> {
    const before = this.#acknowledged.size;
    await waitFor(`${count} more`, () => this.#acknowledged.size >= before + count);
  }

  async #kill(victim: Victim): Promise<void> {
    if (victim === 'reader') {
      await killed(this.#reader);
      await this.#progress(20);
      this.#startReader();
    } else if (victim === 'relay') {
      const [relay] = this.#relays;
      await relay?.kill();
      await this.#progress(20);
      await relay?.start();
      // The other one is next.
      this.#relays.reverse();
    } else {
      const leader = await this.#leader();
      await leader.kill();
      await this.#progress(20);
      await leader.start();
    }
  }

  /** The node that leads the stream. */
  async #leader(): Promise<NatsServer> {
    const name = await waitFor('a leader', async () => {
      const nats = await connect({ servers: this.#nodes.map(({ url }) => url), reconnect: false });
      try {
        return (await (await jetstreamManager(nats)).streams.info('RUNHOOK')).cluster?.leader;
      } finally {
        await nats.close();
      }
    });
    return this.#nodes[Number(name.replace('node-', ''))] ?? Promise.reject(new Error(name));
  }

  #startReader(): void {
    const args = [
      ...['listen', '--json', '--store', this.#folder, '--secret-env', 'KILLS_SECRET'],
      ...['--relay', this.#url, '--relay-key-env', 'KILLS_KEY'],
    ];
    this.#reader = spawn(process.execPath, [commandLineEntry, ...args], {
      stdio: 'ignore',
      env: { ...process.env, KILLS_SECRET: secret, KILLS_KEY: this.#key },
    });
  }

  /** Sends deliveries as the service does: each is tried three times, where it gets no answer or 404. */
  async #send(): Promise<void> {
    while (!this.#isOver) {
      const id = `id-${(this.#count += 1)}`;
      const isAnswered = await this.#deliver(id);
      (isAnswered ? this.#acknowledged : this.#unanswered).add(id);
      await pause(senderPauseMs);
    }
  }

  async #deliver(id: string): Promise<boolean> {
    const body = bodyOf(id);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const headers = {
      'x-request-id': id,
      'x-service-webhook-timestamp': timestamp,
      'x-service-webhook-signature': `v1,${sign(secret, id, timestamp, Buffer.from(body))}`,
    };
    for (const pauseMs of [...attemptPausesMs, undefined]) {
      const status = await fetch(`${this.#address}runhook/hello`, { method: 'POST', body, headers }).then(
        async (response) => {
          await response.arrayBuffer();
          return response.status;
        },
        () => undefined,
      );
      if (status === 200) return true;
      if (status !== undefined && status !== 404) throw new Error(`The relay answered ${status}.`);
      if (pauseMs !== undefined) await pause(pauseMs);
    }
    return false;
  }

  /** Looks what is in the store. */
  #look(): void {
    const path = join(deliveriesFolder(this.#folder), storeFileName);
    if (!existsSync(path)) return;
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      const query = "SELECT id, request_id AS requestId FROM deliveries WHERE verdict = 'verified'";
      for (const { id, requestId } of database.prepare(query).all()) {
        const ids = this.#listed.get(String(requestId)) ?? new Set();
        this.#listed.set(String(requestId), ids.add(String(id)));
      }
      // A reader that catches up stores more than it keeps from one look to the next.
      const remembered = database.prepare('SELECT hash, first FROM repeats').all();
      const firsts = new Map(remembered.map(({ hash, first }) => [hexOf(hash as Uint8Array), String(first)]));
      for (const id of this.#acknowledged) {
        const first = firsts.get(hexOf(repeatHash(id, Buffer.from(bodyOf(id)))));
        if (first !== undefined && !this.#listed.has(id)) this.#listed.set(id, new Set([first]));
      }
    } finally {
      database.close();
    }
  }
}

function bodyOf(id: string): string {
  return `{"run_id":"${id}"}`;
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

class RelayProcess {
  readonly #port: number;
  readonly #nats: string;
  #process: ChildProcess | undefined;

  constructor(port: number, nats: string) {
    this.#port = port;
    this.#nats = nats;
  }

  async start(): Promise<void> {
    const args = ['relay', '--nats', this.#nats, '--replicas', '3', '--port', String(this.#port)];
    this.#process = spawn(process.execPath, [commandLineEntry, ...args], { stdio: 'ignore' });
    const healthy = async () => (await fetch(`http://127.0.0.1:${this.#port}/healthz`)).status === 200;
    await waitFor('the relay', healthy);
  }

  kill(): Promise<void> {
    return killed(this.#process);
  }
}

async function killed(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Passes connections on to the ports in turn, and to the next one where nothing listens. */
async function startBalancer(ports: readonly number[]): Promise<Server> {
  let turn = 0;
  const server = createServer((client) => {
    const tried = ports.map((_, at) => ports[(turn + at) % ports.length] ?? 0);
    turn += 1;
    const tryNext = (): void => {
      const port = tried.shift();
      if (port === undefined) {
        client.destroy();
        return;
      }
      const relay = connectSocket(port, '127.0.0.1');
      relay.once('error', tryNext);
      relay.once('connect', () => {
        relay.off('error', tryNext);
        relay.on('error', () => client.destroy()).on('close', () => client.destroy());
        client.on('error', () => relay.destroy()).on('close', () => relay.destroy());
        client.pipe(relay).pipe(client);
      });
    };
    client.on('error', () => undefined);
    tryNext();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
