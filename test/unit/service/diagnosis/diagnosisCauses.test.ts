import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { diagnose, type Evidence } from '../../../../src/service/diagnosis/diagnosis.ts';
import { signatureCases } from '../../../support/deliveries/signatureCases.ts';
import { defaultSecret } from '../../../support/listener/defaultSecret.ts';
import { itNames, type NamedCause } from '../../../support/webhooks/namedCauses.ts';
import { body, clock, delivery, requestId, secret } from '../../../support/webhooks/signedDelivery.ts';

/** The same with the digits of its signature in capital letters. */
function capitals(evidence: Evidence): Evidence {
  const name = 'x-service-webhook-signature';
  const [version = '', digits = ''] = String(evidence.headers[name]).split(',');
  return { ...evidence, headers: { ...evidence.headers, [name]: `${version},${digits.toUpperCase()}` } };
}

describe('diagnosis names the one thing that is wrong', () => {
  const base64Secret = randomBytes(24).toString('base64');
  const hexSecret = randomBytes(24).toString('hex');
  const compact = JSON.stringify(JSON.parse(body));
  const cases: NamedCause[] = [
    [
      'another secret that is known here',
      delivery({ key: 'another' }, {}, [secret, defaultSecret('rotated', 0), defaultSecret('another', 0)]),
      'earlierSecret',
      /earlier secret/,
    ],
    [
      'a digit, where several secrets verify: none of them is a cause',
      (({ headers, ...rest }) => {
        const name = 'x-service-webhook-signature';
        const signature = String(headers[name]);
        const digit = signature.endsWith('0') ? '1' : '0';
        const own = { secret: 'own', owner: { kind: 'app', projectId: 'p', name: 'echo' } } as const;
        const secrets = [...rest.secrets, own];
        return { ...rest, secrets, headers: { ...headers, [name]: `${signature.slice(0, -1)}${digit}` } };
      })(delivery({})),
      'signatureDigits',
      /^one digit changed/,
    ],
    [
      "a newline at the end of the caller's secret",
      delivery({ key: `${secret}\n` }),
      'aroundSecret',
      /^newline after secret: the caller/,
    ],
    [
      "a carriage return and newline at the end of the caller's secret",
      delivery({ key: `${secret}\r\n` }),
      'aroundSecret',
      /^newline after secret: the caller/,
    ],
    [
      "a space before the caller's secret",
      delivery({ key: ` ${secret}` }),
      'aroundSecret',
      /^space around secret: the caller/,
    ],
    [
      "quotation marks around the caller's secret",
      delivery({ key: `"${secret}"` }),
      'aroundSecret',
      /^quotes around secret: the caller/,
    ],
    [
      'a newline at the end of the secret kept here',
      delivery({}, {}, [`${secret}\n`]),
      'aroundSecret',
      /^newline after secret: set the one here/,
    ],
    [
      'white space around secret kept here',
      delivery({}, {}, [` ${secret} `]),
      'aroundSecret',
      /^space around secret: set the one here/,
    ],
    [
      'quotation marks around the secret kept here',
      delivery({}, {}, [`'${secret}'`]),
      'aroundSecret',
      /^quotes around secret: set the one here/,
    ],
    [
      'a secret decoded from base64',
      delivery({ key: Buffer.from(base64Secret, 'base64') }, {}, [base64Secret]),
      'secretDecoded',
      /decoded from base64/,
    ],
    [
      'a whsec_ secret, decoded as Standard Webhooks does',
      delivery({ key: Buffer.from(base64Secret, 'base64') }, {}, [`whsec_${base64Secret}`]),
      'secretDecoded',
      /decoded from base64/,
    ],
    [
      'a secret decoded from hexadecimal',
      delivery({ key: Buffer.from(hexSecret, 'hex') }, {}, [hexSecret]),
      'secretDecoded',
      /decoded from hex:/,
    ],
    [
      'a secret encoded in base64',
      delivery({ key: Buffer.from(secret).toString('base64') }),
      'secretEncoded',
      /encoded in base64/,
    ],
    [
      'a secret keyed by its Latin-1 bytes',
      delivery({ key: Buffer.from('pässwörd', 'latin1') }, {}, ['pässwörd']),
      'secretCharset',
      /^read as Latin-1: the key is the UTF-8 bytes of the secret$/,
    ],
    [
      "a caller's secret that was read as Latin-1 and encoded again",
      delivery({ key: Buffer.from('pässwörd ✓').toString('latin1') }, {}, ['pässwörd ✓']),
      'secretCharset',
      /^secret encoded twice: the caller's was read as Latin-1/,
    ],
    [
      'a secret kept here that was read as Latin-1 and encoded again',
      delivery({ key: 'pässwörd' }, {}, [Buffer.from('pässwörd').toString('latin1')]),
      'secretCharset',
      /^secret encoded twice: the one here was read as Latin-1, so set it again$/,
    ],
    [
      'a whsec_ secret without its prefix',
      delivery({}, {}, [`whsec_${secret}`]),
      'secretPrefix',
      /^no "whsec_" in secret: .* the one set here has it, so use/,
    ],
    [
      "a whsec_ before the caller's secret alone",
      delivery({ key: `whsec_${secret}` }),
      'secretPrefix',
      /^"whsec_" in secret: .* the one set here does not, so use/,
    ],
    [
      'a signature in base64',
      delivery({ encoding: 'base64' }),
      'signatureInBase64',
      /in base64: write it in hexadecimal/,
    ],
    ['a signature without v1,', delivery({ prefix: '' }), 'signaturePrefix', /"v1," is missing/],
    [
      'another prefix before the signature',
      delivery({ prefix: 'sha256=' }),
      'signaturePrefix',
      /^begins with "sha256=":/,
    ],
    [
      'a capital V before the signature',
      delivery({ prefix: 'V1,' }),
      'signaturePrefix',
      /^begins with "V1,":/,
    ],
    [
      'a signature in capital letters',
      capitals(delivery({})),
      'signatureInCapitals',
      /^signature in capitals: write its hexadecimal digits in lower case$/,
    ],
    [
      'a timestamp header in milliseconds',
      delivery({}, { timestamp: `${clock.toString()}123` }),
      'timestampUnit',
      /^sent in milliseconds: seconds were signed/,
    ],
    [
      'a timestamp signed in milliseconds',
      delivery({ timestamp: `${clock.toString()}000` }, { timestamp: clock.toString() }),
      'timestampUnit',
      /^milliseconds signed: /,
    ],
    [
      'a request id that a proxy replaced and kept in a header of its own',
      delivery({}, { requestId: 'edge-1', headers: { 'x-original-request-id': requestId } }),
      'requestIdRewritten',
      /is in x-original-request-id$/,
    ],
    [
      'a request id that a proxy put its own before',
      delivery({}, { requestId: `edge-1, ${requestId}` }),
      'requestIdRewritten',
      /^other X-Request-Id: /,
    ],
    [
      'a request id that only the body still holds',
      delivery({ requestId: 'r-1' }, { requestId: 'edge-1' }),
      'requestIdRewritten',
      /is in run_id$/,
    ],
    [
      'a newline added to the body',
      delivery({}, { body: `${body}\n` }),
      'trailingNewline',
      /^newline after body/,
    ],
    [
      'a newline taken from the body',
      delivery({ body: `${body}\r\n` }, { body }),
      'trailingNewline',
      /^body lost its newline/,
    ],
    [
      'line endings changed on the way',
      delivery({ body: 'a\nb\nc' }, { body: 'a\r\nb\r\nc' }),
      'lineEndings',
      /line endings/,
    ],
    [
      'a body signed in UTF-8 and sent in Latin 1',
      delivery({ body: 'café' }, { body: Buffer.from('café', 'latin1') }),
      'charset',
      /character set/,
    ],
    [
      'a body signed in Latin 1 and sent in UTF-8',
      delivery({ body: Buffer.from('café', 'latin1') }, { body: 'café' }),
      'charset',
      /character set/,
    ],
    [
      'a pretty-printed body made compact',
      delivery({ body: JSON.stringify({ a: [1, 'é'], b: {} }, null, 2) }, { body: '{"a":[1,"é"],"b":{}}' }),
      'reserialised',
      /^body re-serialised/,
    ],
    [
      'a body of tabs made compact',
      delivery({ body: JSON.stringify({ a: [[], 1] }, null, '\t') }, { body: '{"a":[[],1]}' }),
      'reserialised',
      /^body re-serialised/,
    ],
    [
      "Python's escapes and spaces undone by JSON.stringify",
      delivery(
        { body: '{"text": "h\\u00e9 \\ud83d\\ude00", "n": [1, 2]}' },
        { body: '{"text":"hé 😀","n":[1,2]}' },
      ),
      'reserialised',
      /^body re-serialised/,
    ],
    [
      "PHP's slashes undone by JSON.stringify",
      delivery({ body: '{"url":"http:\\/\\/x"}' }, { body: '{"url":"http://x"}' }),
      'reserialised',
      /^body re-serialised/,
    ],
    [
      "Go's escapes and newline undone by JSON.stringify",
      delivery({ body: '{"html":"\\u003cb\\u003e \\u0026"}\n' }, { body: '{"html":"<b> &"}' }),
      'reserialised',
      /^body re-serialised/,
    ],
    [
      'a compact body written with spaces by json.dumps',
      delivery({ body: compact }, { body: compact.replaceAll(',', ', ').replaceAll(':', ': ') }),
      'reserialised',
      /^body re-serialised/,
    ],
  ];
  itNames(cases);

  for (const { name, heldSecret, headers, bodyBase64, cause, ...rest } of signatureCases) {
    if (cause === undefined) continue;
    it(`of a vector made by another implementation: ${name}`, () => {
      const secrets = [defaultSecret(heldSecret)];
      const received = { headers, body: Buffer.from(bodyBase64, 'base64'), clock: rest.clock };
      const diagnosis = diagnose({ ...received, secrets, toleranceSeconds: 300 });
      assert.ok(diagnosis.kind === 'explained', diagnosis.kind);
      assert.deepEqual(
        diagnosis.causes.map(({ kind }) => kind),
        [cause],
      );
    });
  }
});
