import assert from 'node:assert/strict';
import { UserError } from '../../src/shared/text/userError.ts';
import { plainBody } from '../../src/service/runs/plainBody.ts';
import { errorText, parseBody } from '../../src/service/client/answer.ts';
import { retryAfterMs } from '../../src/service/client/retryAfter.ts';
import { RunIdSearch } from '../../src/service/runs/runIdSearch.ts';
import { namedFields, settingsOfAnswer } from '../../src/editor/appSettings/settingsOfAnswer.ts';
import { answerFingerprint, fingerprintsIn } from '../../src/deliveries/answerFingerprint.ts';
import { validate } from '../../src/service/settings/appSettings.ts';
import { deliveryLine } from '../../src/deliveries/deliveryLine.ts';
import { prettyJson } from '../../src/shared/json/jsonText.ts';
import { jsonCursor } from '../../src/shared/json/jsonCursor.ts';
import { jsonMistake } from '../../src/shared/json/jsonMistake.ts';
import { scanJson } from '../../src/shared/json/jsonScanner.ts';
import { readKeys } from '../../src/service/keys/keys.ts';
import { maskJson, maskSecrets } from '../../src/shared/masking/likelySecrets.ts';
import { oneLine, plainText } from '../../src/shared/text/plainText.ts';
import { splitAppPath } from '../../src/service/runs/appAddress.ts';
import { readRoutes } from '../../src/deliveries/routes/routesThatCount.ts';
import { typedAddress } from '../../src/service/typedAddress.ts';
import {
  fillVariables,
  payloadAddress,
  plainPayload,
  readPayload,
} from '../../src/editor/run/payloads/payload.ts';
import { guessedAddress, handlerConfiguration } from '../../src/editor/kit/handlerConfiguration.ts';
import { readProjects } from '../../src/service/projects/project.ts';
import { runIdIn } from '../../src/service/runs/runId.ts';
import { runUrl } from '../../src/service/runs/runUrl.ts';
import { parseSettingsFile } from '../../src/service/settings/settingsFile.ts';
import { readTimestamp } from '../../src/shared/text/timestamp.ts';
import { cleanToken, readClaims, tokenExpiry, tokenWarnings } from '../../src/service/keys/token.ts';
import { tracesIn } from '../../src/deliveries/failure/traces.ts';
import { tracesOfBody } from '../../src/deliveries/failure/tracesOfBody.ts';
import { answerDocument } from '../../src/deliveries/answerDocument.ts';
import { curlCommand } from '../../src/service/requests/copiedRequest.ts';
import { deliveryDocument } from '../../src/deliveries/deliveryDocument.ts';
import { draftText } from '../../src/deliveries/draft.ts';
import { readFixture } from '../../src/suite/fixture/readFixture.ts';
import { readLeniently, readSignature } from '../../src/service/signature/signature.ts';
import { savedRequest } from '../../src/commandLine/commands/verifyCommand.ts';
import { readPastedRequest } from '../../src/service/explanation/pastedRequest.ts';
import { readDraft } from '../../src/deliveries/readDraft.ts';
import { runIdOf } from '../../src/deliveries/runIdOf.ts';
import { cpuMs } from '../support/time/cpuTime.ts';
import { assertLinear } from '../support/time/assertLinear.ts';
import { deeplyNestedJson, hostileInputs } from '../support/untrusted/hostileInputs.ts';
import { deliveryOf } from '../support/deliveries/deliveryOf.ts';

/** A function that reads untrusted text. It may throw a `UserError` and nothing else. */
interface ForeignReader {
  name: string;
  from: 'service' | 'app' | 'file' | 'clipboard' | 'delivery' | 'settings';
  read: (text: string) => unknown;
}

/** For a reader that gets a body which the client has parsed. */
function parsed(read: (value: unknown) => unknown): (text: string) => unknown {
  return (text) => read(parseBody(text));
}

/** Searches in chunks, as an answer arrives. */
function inPieces(text: string): string | undefined {
  const search = new RunIdSearch(undefined);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 100) search.push(bytes.subarray(at, at + 100));
  search.end(bytes);
  return search.id;
}

/** All functions that read untrusted text or JSON. */
const foreignReaders: readonly ForeignReader[] = [
  { name: 'the list of keys', from: 'service', read: parsed((body) => JSON.stringify(readKeys(body))) },
  { name: 'an error body', from: 'service', read: errorText },
  { name: 'the fields that an error names', from: 'service', read: namedFields },
  { name: 'the settings in an answer', from: 'service', read: parsed(settingsOfAnswer) },
  { name: 'the time to wait', from: 'service', read: (text) => retryAfterMs(text, 0) },
  { name: 'a time', from: 'service', read: readTimestamp },
  { name: 'the mask of a text', from: 'service', read: maskSecrets },
  { name: 'the mask of JSON', from: 'service', read: parsed((body) => JSON.stringify(maskJson(body))) },
  { name: 'a label', from: 'service', read: plainText },
  { name: 'a line', from: 'service', read: oneLine },
  { name: 'the id of a run in an answer', from: 'app', read: inPieces },
  {
    name: 'the body of an answer',
    from: 'app',
    read: (text) => JSON.stringify(plainBody(Buffer.from(text))),
  },
  { name: 'an answer laid out', from: 'app', read: prettyJson },
  {
    name: "the document of a local app's answer",
    from: 'app',
    read: (text) => {
      const attempt = {
        at: new Date(0).toISOString(),
        kind: 'replay',
        to: text,
        status: 500,
        durationMs: 1,
      } as const;
      return answerDocument({ method: text }, attempt, { rawHeaders: ['X-Text', text], body: text }, [
        'a secret',
      ]);
    },
  },
  { name: 'what joins an answer to its delivery', from: 'app', read: answerFingerprint },
  { name: 'a payload', from: 'file', read: (text) => readPayload(text) },
  { name: 'whom a payload is for', from: 'file', read: (text) => payloadAddress(`{"$runhook":${text}}`) },
  {
    name: 'the variables of a payload',
    from: 'file',
    read: (text) => {
      // Throws if the text is not a payload.
      readPayload(text);
      return fillVariables(plainPayload(text), ({ place }) => place);
    },
  },
  {
    name: 'the settings block of a payload',
    from: 'file',
    read: (text) => readPayload(`{"$runhook":{"body":${text},"query":{"a":"b"}}}`),
  },
  { name: 'settings in a file', from: 'file', read: (text) => parseSettingsFile(text) },
  {
    name: 'the settings of a settings file',
    from: 'file',
    read: (text) => parseSettingsFile(`{"app":"a","settings":${text}}`),
  },
  { name: 'settings', from: 'file', read: parsed(validate) },
  { name: 'a fixture', from: 'file', read: (text) => readFixture(text, 'a.delivery.json') },
  { name: 'a fixture of the old form', from: 'file', read: (text) => readFixture(text, 'a.json') },
  {
    name: 'a file that starts an app',
    from: 'file',
    read: (text) => [
      guessedAddress(text),
      handlerConfiguration({ path: 'app.py', text, hasTsx: false }, new URL('http://a/')),
    ],
  },
  { name: 'a cursor in JSON', from: 'file', read: (text) => jsonCursor(text, text.length) },
  { name: 'a mistake in JSON', from: 'file', read: (text) => jsonMistake(text) },
  {
    name: 'the path of a run',
    from: 'file',
    read: (text) => runUrl('https://proxy.example', { projectId: 'p', appName: 'a', path: text }),
  },
  { name: 'the projects of the settings', from: 'settings', read: parsed(readProjects) },
  { name: 'the routes of the settings', from: 'settings', read: parsed(readRoutes) },
  { name: 'a typed address', from: 'settings', read: typedAddress },
  { name: 'a pasted request', from: 'clipboard', read: readPastedRequest },
  { name: 'a saved request', from: 'file', read: (text) => savedRequest(Buffer.from(text), 'x.har') },
  { name: 'a token', from: 'clipboard', read: (text) => cleanToken(text) },
  { name: 'a token in quotes', from: 'clipboard', read: (text) => cleanToken(`"${text}`) },
  { name: 'the claims of a token', from: 'clipboard', read: readClaims },
  {
    name: 'the claims of a token that is one',
    from: 'clipboard',
    read: (text) => [
      tokenExpiry(`e30.${Buffer.from(text).toString('base64url')}.x`),
      tokenWarnings(`e30.${Buffer.from(text).toString('base64url')}.x`, 'p', 0),
    ],
  },
  { name: 'the app in the path of a delivery', from: 'delivery', read: splitAppPath },
  { name: 'the tokens of JSON', from: 'delivery', read: (text) => scanJson(text, () => true) },
  { name: 'the id of a run in a delivery', from: 'delivery', read: runIdIn },
  { name: 'the id of a run in bytes', from: 'delivery', read: (text) => runIdOf(Buffer.from(text)) },
  {
    name: 'what joins a delivery to its answer',
    from: 'delivery',
    read: (text) => fingerprintsIn(Buffer.from(text)),
  },
  { name: 'the errors in the output of a handler', from: 'app', read: tracesIn },
  { name: 'the errors in a response', from: 'app', read: tracesOfBody },
  { name: 'the errors on a page', from: 'app', read: (text) => tracesOfBody(`<p>${text}`) },
  {
    name: 'the document of a delivery',
    from: 'delivery',
    read: (text) => deliveryDocument(deliveryOf('1', { body: text }), ['a secret']),
  },
  {
    name: 'a draft of a delivery, as it was opened',
    from: 'delivery',
    read: (text) => {
      const delivery = deliveryOf('1', { body: text });
      return readDraft(draftText(delivery, ['a secret']), delivery, ['a secret']);
    },
  },
  { name: 'a draft that was edited', from: 'file', read: (text) => readDraft(text, deliveryOf('1'), []) },
  {
    name: 'the line of a delivery',
    from: 'delivery',
    read: (text) =>
      deliveryLine(deliveryOf('1', { runId: text, appName: text, reason: text }), {
        firstAt: () => undefined,
      }),
  },
  {
    name: 'a delivery as cURL',
    from: 'delivery',
    read: (text) =>
      curlCommand({ method: 'POST', url: 'http://a/', headers: { a: text }, body: Buffer.from(text) }, [
        { value: 'a secret', name: 'WEBHOOK_SECRET' },
      ]),
  },
  {
    name: 'the signature of a delivery',
    from: 'delivery',
    read: (text) => [
      readSignature({ 'x-service-webhook-signature': text, 'x-request-id': text }),
      readLeniently({ 'x-service-webhook-signature': `v1,${text}`, 'x-request-id': text }),
    ],
  },
];

/** A person is told no more than this, in characters. */
const longestMessage = 4000;

/** What takes less than this, in milliseconds, is not measured more closely: the square of 100,000 takes seconds. */
const short = 50;

function mustStand({ read }: ForeignReader, text: string): void {
  try {
    read(text);
  } catch (error) {
    assert.ok(error instanceof UserError, String(error));
    assert.ok(error.message.length < longestMessage, 'a message that nobody can read');
  }
}

describe('whoever reads what others wrote', () => {
  for (const reader of foreignReaders) {
    it(`takes no longer than the text is long, and throws nothing but a UserError: ${reader.name}`, () => {
      for (const { name, text } of hostileInputs) {
        const whole = text(100_000);
        if (cpuMs(() => mustStand(reader, whole)) < short) continue;
        try {
          assertLinear(25_000, (size) => mustStand(reader, text(size)));
        } catch (cause) {
          throw new Error(`${name}: ${String(cause)}`, { cause });
        }
      }
    });

    it(`stands JSON of any depth: ${reader.name}`, () => {
      // At some depth one way to go through a value takes what another does not.
      for (const depth of [10, 100, 499, 501, 2000, 4000, 6000, 8000, 12_000, 30_000]) {
        for (const text of deeplyNestedJson(depth)) mustStand(reader, text);
      }
    });

    it(`stands a run of ten million characters: ${reader.name}`, () => {
      for (const { text, isSingleRun: isRun } of hostileInputs)
        if (isRun) mustStand(reader, text(10_000_000));
    });
  }
});
