import assert from 'node:assert/strict';
import { createFetchTransport } from '../../../../src/service/client/fetchTransport.ts';
import { ManagementClient } from '../../../../src/service/client/managementClient.ts';
import { RunClient } from '../../../../src/service/client/runClient.ts';
import { readAll } from '../../../../src/service/client/boundedBody.ts';
import type { Transport } from '../../../../src/service/client/transport.ts';
import { createUndiciTransport } from '../../../../src/service/client/undiciTransport.ts';
import { runUrl } from '../../../../src/service/runs/runUrl.ts';
import { UserError } from '../../../../src/shared/text/userError.ts';
import { FaultyService, type ServiceFault } from '../../../support/service/faultyService.ts';
import { waitFor } from '../../../support/time/waitFor.ts';

const viaUndici = createUndiciTransport({ proxySupport: 'off', strictSsl: true, systemCertificates: false });
const transports: Record<string, Transport> = {
  undici: viaUndici.send,
  fetch: createFetchTransport(globalThis.fetch),
};
after(async () => viaUndici.close());

/** These answers never end: the client gives up soon, on a busy machine maybe before the service has the request. */
const isEndedByClient = (fault: ServiceFault): boolean =>
  fault === 'silent' || fault === 'headOnly' || fault === 'drips';
/** The client's time limit, in milliseconds. */
const msFor = (fault: ServiceFault): number => (isEndedByClient(fault) ? 100 : 5000);

/** What each fault comes to. */
interface Expected {
  /** What a call of the management API is told. */
  says: RegExp;
  /** What a change is told, where that is something else. */
  changeSays?: RegExp;
  /** How often a list is asked for; a change always once. */
  tries: number;
  /** What a run is told; `cancelled` where it waits for as long as its user likes; else its status. */
  run: RegExp | 'cancelled' | number;
}

const broken = /^The request to 127\.0\.0\.1:\d+ failed: [a-zA-Z ]+\.$/;
/** The connection is reset before anything is sent. */
const atOnce = /^The service at 127\.0\.0\.1:\d+ could not be reached: the connection was reset\.$/;
/** What a run is told that may have arrived all the same. */
const brokenRun = new RegExp(`${broken.source.slice(0, -1)} The app may have run\\.$`);
const half = /^The response broke off after [1-9]\d* bytes: the connection was reset.*\.$/;
const taken =
  /^The service accepted the change, but its response was cut off\. The change may have been applied: apply it again/;
const late = /^The service at 127\.0\.0\.1:\d+ did not respond within (?:0\.1|2) seconds\.$/;
/** What a change is told that may have arrived all the same. */
const unsure = (said: RegExp) =>
  new RegExp(`${said.source.slice(0, -1)} The change may have been applied: apply it again .*\\.$`);
const elsewhere =
  /^127\.0\.0\.1:\d+ redirects to http:\/\/127\.0\.0\.1:\d+ \(30\d\)\. The token was not sent there/;

const inALoop = /^127\.0\.0\.1:\d+ redirects to \/[^ ]* \(30\d\)\. Check the address\.$/;

const faults: Record<Exclude<ServiceFault, 'html' | 'binary' | 'secondAnswer'>, Expected> = {
  resets: { says: atOnce, tries: 3, run: atOnce },
  silent: { says: late, changeSays: unsure(late), tries: 1, run: 'cancelled' },
  headOnly: { says: late, changeSays: taken, tries: 1, run: 'cancelled' },
  half: { says: broken, changeSays: taken, tries: 3, run: half },
  halfChunk: { says: broken, changeSays: taken, tries: 3, run: half },
  drips: { says: late, changeSays: taken, tries: 1, run: 'cancelled' },
  endless: {
    says: /^The (?:list of keys|service accepted the change).* larger than 8 MiB/,
    tries: 1,
    run: /^The response of the service is larger than 1 MiB\.$/,
  },
  headerBomb: { says: broken, changeSays: unsure(broken), tries: 3, run: brokenRun },
  noHttp: { says: broken, changeSays: unsure(broken), tries: 3, run: brokenRun },
  redirectLoop: { says: inALoop, tries: 1, run: 302 },
  redirectAway: { says: elsewhere, tries: 1, run: 307 },
};

for (const [name, transport] of Object.entries(transports)) {
  describe(`a service that goes wrong, by ${name}`, () => {
    let service: FaultyService;
    let other: FaultyService;
    /** How often the client has called the transport. */
    let calls: number;
    const counted: Transport = (request) => {
      calls += 1;
      return transport(request);
    };
    beforeEach(async () => {
      calls = 0;
      service = await new FaultyService().start();
      other = await new FaultyService().start();
      service.redirectTarget = other.url;
    });
    afterEach(async () => {
      await service.close();
      await other.close();
    });

    const at = () => ({ baseUrl: service.url, proxyUrl: service.url });
    const common = { transport: counted, token: 'the-token', userAgent: 'Runhook/test' };
    const management = (timeoutMs = 5000) =>
      new ManagementClient({
        ...common,
        service: at(),
        timeoutMs,
        retry: { wait: () => Promise.resolve() },
      });
    const run = async (signal?: AbortSignal): Promise<number> => {
      const url = runUrl(service.url, { projectId: 'p', appName: 'a', path: 'run' });
      const call = { url, method: 'POST', body: '{}' };
      const client = new RunClient({ ...common, maxAnswerBytes: 2 ** 20 });
      const answer = await client.run(call, signal);
      await readAll(answer.body);
      return answer.status;
    };
    const isTold = (says: RegExp) => (error: unknown) => {
      assert.ok(error instanceof UserError, String(error));
      assert.match(error.message, says);
      assert.doesNotMatch(error.message, /the-token/);
      return true;
    };
    const assertTries = (times: number, fault: ServiceFault) => {
      assert.equal(calls, times);
      // A connection that is reset carries no request.
      const seen = fault === 'resets' ? service.connections : service.requests.length;
      if (isEndedByClient(fault)) assert.ok(seen <= times, `the service saw ${seen} requests`);
      else assert.equal(seen, times);
      assert.deepEqual(other.requests, [], 'the token went elsewhere');
    };

    for (const [fault, { says, changeSays = says, tries, run: told }] of Object.entries(faults) as [
      ServiceFault,
      Expected,
    ][]) {
      it(`${fault}: a list is told so, after ${tries} in all`, async () => {
        service.fault = fault;
        await assert.rejects(management(msFor(fault)).listKeys('p', 'sa'), isTold(says));
        assertTries(tries, fault);
      });

      it(`${fault}: a change is told so, and not sent again`, async () => {
        service.fault = fault;
        // The head has to arrive within the limit, on a busy machine too.
        const limitMs = changeSays === says ? msFor(fault) : Math.max(2000, msFor(fault));
        await assert.rejects(management(limitMs).modifyApp('p', 'a', { gpuCount: 1 }), isTold(changeSays));
        assertTries(1, fault);
      });

      it(`${fault}: a run is told so, and not sent again`, async () => {
        service.fault = fault;
        if (told === 'cancelled') {
          const reason = new Error('the user has had enough');
          const cancel = new AbortController();
          const running = run(cancel.signal);
          await waitFor('the request', () => service.requests.length > 0);
          cancel.abort(reason);
          await assert.rejects(running, reason);
        } else if (typeof told === 'number') assert.equal(await run(), told);
        else await assert.rejects(run(), isTold(told));
        assertTries(1, fault);
      });
    }

    it('is let go of: no connection stays behind what was given up', async () => {
      for (const fault of ['silent', 'headOnly', 'drips', 'endless'] as const) {
        service.fault = fault;
        await assert.rejects(management(msFor(fault)).modifyApp('p', 'a', { gpuCount: 1 }));
        await waitFor('its connections to close', () => service.openConnections === 0);
      }
    });

    it('takes no page and no bytes for a list, and gives a second answer to nobody', async () => {
      for (const fault of ['html', 'binary'] as const) {
        service.fault = fault;
        await assert.rejects(
          management().listKeys('p', 'sa'),
          /returned 200, but no JSON: |returned a web page: /,
        );
      }
      service.fault = 'secondAnswer';
      assert.deepEqual(await management().listKeys('p', 'sa'), []);
      service.fault = undefined;
      assert.deepEqual(await management().listKeys('p', 'sa'), []);
    });

    it('that is well again answers, whatever was before', async () => {
      for (const fault of Object.keys(faults) as ServiceFault[]) {
        service.fault = fault;
        await assert.rejects(management(msFor(fault)).modifyApp('p', 'a', { gpuCount: 1 }));
        service.fault = undefined;
        assert.deepEqual(await management().listKeys('p', 'sa'), [], fault);
      }
    });
  });
}
