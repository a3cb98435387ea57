import type { DeliveryEdit } from '../contract/deliveryEdit.ts';
import { deepestJson, isJson, nestsTooDeep } from '../shared/json/jsonScanner.ts';
import { type JsonMember, jsonMembers } from '../shared/json/jsonPlaces.ts';
import { jsonMistake } from '../shared/json/jsonMistake.ts';
import { fewJsonTokens } from '../shared/json/jsonText.ts';
import { masked } from '../shared/masking/likelySecrets.ts';
import { t } from '../shared/text/l10n.ts';
import { plainText } from '../shared/text/plainText.ts';
import { placeFinder } from '../shared/text/textPlace.ts';
import { UserError } from '../shared/text/userError.ts';
import { type Drafted, draftHeaders, draftTokens } from './draft.ts';
import { headerProblem, isMadeAnew } from './editedDelivery.ts';
import { secretForms } from './deliveryDocument.ts';

/**
 * Reads the edits from a draft. A body with unchanged tokens, whatever its layout, is sent with its original bytes; a
 * changed JSON body is sent without white space between its tokens. Masked values that were left alone are filled in.
 * @param delivery the delivery that the draft was made from
 * @throws UserError with the line, if the draft cannot be sent
 */
export function readDraft(text: string, delivery: Drafted, secrets: readonly string[]): DeliveryEdit {
  if (nestsTooDeep(text)) {
    throw new UserError(t('The draft is nested more than {0} levels deep. Flatten it.', deepestJson));
  }
  if (!isJson(text)) throw new UserError(t('The draft is not JSON. {0}', jsonMistake(text)));
  const reader = new DraftReader(text, delivery, secrets);
  return reader.edit();
}

/** The fields of a draft. */
const known = ['body', 'bodyEncoding', 'headers'] as const;

/** A value of the draft, and where it begins. */
interface Part {
  text: string;
  start: number;
}

class DraftReader {
  readonly #text: string;
  readonly #delivery: Drafted;
  readonly #secrets: readonly string[];
  readonly #placeOf: (offset: number) => { line: number };

  constructor(text: string, delivery: Drafted, secrets: readonly string[]) {
    this.#text = text;
    this.#delivery = delivery;
    this.#secrets = secrets;
    this.#placeOf = placeFinder(text);
  }

  edit(): DeliveryEdit {
    const { body, bodyEncoding, headers } = this.#members();
    if (body === undefined) {
      throw this.#mistake(0, t('"body" is missing. Write "" for an empty body.'));
    }
    if (bodyEncoding !== undefined && bodyEncoding.text !== '"base64"') {
      throw this.#mistake(bodyEncoding.start, t('"bodyEncoding" must be "base64" or left out.'));
    }
    const isBinary = bodyEncoding !== undefined;
    const changed = headers === undefined ? {} : this.#headers(headers);
    return {
      ...this.#body(body, isBinary),
      ...(Object.keys(changed).length > 0 && { headers: changed }),
    };
  }

  #body(body: Part, isBinary: boolean): Pick<DeliveryEdit, 'body' | 'bodyEncoding'> {
    const { bodyEncoding } = this.#delivery;
    const shown = draftTokens(this.#delivery, this.#secrets);
    const tokens = fewJsonTokens(body.text, Infinity);
    if (!Array.isArray(tokens)) throw new Error('A part of JSON is no JSON.');
    const isSame = tokens.length === shown.length && tokens.every((one, at) => one === shown[at]);
    if (isSame && isBinary === (bodyEncoding !== undefined)) return {};
    const [only = ''] = tokens;
    const isText = tokens.length === 1 && only.startsWith('"');
    if (!isBinary) {
      const filled = this.#filled(tokens, body);
      return { body: isText ? (JSON.parse(filled[0] ?? '') as string) : filled.join('') };
    }
    const text = isText ? (JSON.parse(only) as string) : '';
    if (!isText || Buffer.from(text, 'base64').toString('base64') !== text) {
      const advice = t('"body" must be a base64 string. Otherwise leave "bodyEncoding" out.');
      throw this.#mistake(body.start, advice);
    }
    return { body: text, bodyEncoding: 'base64' };
  }

  /** Fills in masked values in the tokens of the body. Possible only if the original holds exactly one secret. */
  #filled(tokens: readonly string[], body: Part): string[] {
    const original = this.#delivery.body;
    const received = draftTokens(this.#delivery, []).map(valueOf);
    const forms = new Set(this.#secrets.flatMap(secretForms));
    const hidden = [...forms].filter((form) => form !== '' && received.some((value) => value.includes(form)));
    return tokens.map((token) => {
      const value = valueOf(token);
      if (!value.includes(masked) || (hidden.length === 0 && original.includes(masked))) return token;
      const [secret] = hidden;
      if (secret === undefined || hidden.length > 1) {
        const at = body.start + Math.max(0, body.text.indexOf(masked));
        throw this.#mistake(at, t('The hidden value cannot be restored here. Type the value.'));
      }
      return JSON.stringify(value.replaceAll(masked, secret));
    });
  }

  /** The headers that differ from those that the draft showed; null for a header that was removed. */
  #headers(block: Part): Record<string, string | null> {
    const shown = draftHeaders(this.#delivery, this.#secrets);
    const seen = new Set<string>();
    const changed = new Map<string, string | null>();
    for (const member of this.#membersOf(block)) {
      const name = member.key.toLowerCase();
      const at = block.start + member.start;
      const quoted = plainText(member.key, 60);
      if (seen.has(name)) throw this.#mistake(at, t('The header "{0}" appears twice.', quoted));
      seen.add(name);
      const value = JSON.parse(member.value) as unknown;
      if (typeof value !== 'string') {
        throw this.#mistake(at, t('The value of the header "{0}" must be text in quotes.', quoted));
      }
      if (value === shown.get(name) || isMadeAnew(name)) continue;
      if (value.includes(masked)) {
        throw this.#mistake(at, t('The hidden value cannot be restored here. Type the value.'));
      }
      const problem = headerProblem(member.key, value);
      if (problem !== undefined) throw this.#mistake(at, problem);
      changed.set(member.key, value);
    }
    for (const name of shown.keys()) if (!seen.has(name)) changed.set(name, null);
    return Object.fromEntries(changed);
  }

  /** What stands in the draft, by name. */
  #members(): { [Key in (typeof known)[number]]?: Part } {
    const found: { [Key in (typeof known)[number]]?: Part } = {};
    for (const { key, value, start, valueStart } of this.#membersOf({ text: this.#text, start: 0 })) {
      const expected = known.find((one) => one === key);
      if (expected === undefined) {
        const advice = t(
          '"{0}" is not known here. Write the body in "body", and its headers in "headers".',
          plainText(key, 60),
        );
        throw this.#mistake(start, advice);
      }
      found[expected] = { text: value, start: valueStart };
    }
    return found;
  }

  #membersOf({ text, start }: Part): JsonMember[] {
    if (text.trimStart().startsWith('{')) return jsonMembers(text);
    throw this.#mistake(
      start,
      start === 0 ? t('A draft must be a JSON object.') : t('"{0}" must be an object.', 'headers'),
    );
  }

  #mistake(offset: number, what: string): UserError {
    const { line } = this.#placeOf(offset);
    return new UserError(t('Line {0} of the draft: {1}', line + 1, what));
  }
}

function valueOf(token: string): string {
  return token.startsWith('"') ? (JSON.parse(token) as string) : token;
}
